// The shared middle of all headends: finds the agent, waits for a place, plants the tree, and hands facts and hints on.

import {
  type Above,
  AgentError,
  type AgentEvent,
  AIAgentSession,
  type AIAgentSessionConfig,
  type Budget,
  checkAbove,
  isCancellation,
  type JsonObject,
  narrower,
  type Outcome,
  type Ports,
  type SessionRun,
} from '@ai-agent/core';
import type { Hall } from './hall.ts';
import { type Follower, LiveSession } from './live-session.ts';
import type { Ticket } from './places.ts';
import type { ServedAgent } from './served-agent.ts';
import type { SessionHead } from './session-store.ts';
import { tokenOf } from './token.ts';
import type { Spending, Visitor } from './visitor.ts';

type Given = Pick<AIAgentSessionConfig, 'output' | 'history' | 'attachments' | 'tools' | 'onQuestion'>;

export interface Asked extends Given {
  readonly agent: string;
  readonly prompt: string | JsonObject;
  readonly visitor: Visitor;
  /** Whose places it takes. */
  readonly headend: string;
  /** Narrows what the run may use. */
  readonly budget?: Budget | undefined;
  /** Who is at work above, as the request says. */
  readonly above?: Caller | undefined;
  /** The connection that waits for it: the run ends with it. @default it belongs to no connection */
  readonly signal?: AbortSignal | undefined;
  /** Hears everything from the beginning; without, and with a signal, models do not stream. */
  readonly onEvent?: Follower | undefined;
}

/** Who calls, when that is an agent itself. */
export interface Caller extends Above {
  /** Names its tree, when that runs here and waits for this request. */
  readonly token?: string | undefined;
}

export interface Answering {
  readonly head: SessionHead;
  /** The id of its tree, and the names of the agents from the top down to its own: as its facts have them. */
  readonly originId: string;
  readonly callPath: readonly string[];
  /** Rejects only when it never began: with `server-stopping`, or with the reason for which nobody waits any more. */
  readonly outcome: Promise<Outcome>;
}

/** Throws what is wrong with the request: `agent-unknown`, `agent-cycle`, `server-full` and the like. */
export function answer(hall: Hall, asked: Asked): Answering {
  const served = hall.agent(asked.agent, asked.visitor);
  const id = hall.ports.ids.next();
  const { visitor, headend, signal, output, budget } = asked;
  const head: SessionHead = {
    id,
    agent: served.name,
    owner: visitor.key,
    headend,
    isDetached: signal === undefined,
    status: 'queued',
    createdAt: hall.clock.now(),
    ...(output ? { output } : {}),
    ...(budget ? { budget } : {}),
    resumptions: 0,
  };
  return start(hall, { ...asked, served, sessionId: id }, new LiveSession(head, hall.store, 0));
}

export interface Resumed extends Pick<Asked, 'visitor' | 'signal' | 'onEvent' | 'above'> {
  readonly answer: string | JsonObject;
}

/** Goes on with a session that ended with a question. Throws `question-unknown`, also for who comes second. */
export async function resume(hall: Hall, id: string, resumed: Resumed): Promise<Answering> {
  const head = await hall.session(id, resumed.visitor);
  const count = (await hall.store.facts(id, 0)).length;
  if (hall.live(id) || head.resume === undefined)
    throw new AgentError('question-unknown', `The session ${id} waits for no answer.`);
  const served = hall.agent(head.agent, resumed.visitor);
  const { question: _question, resume: handle, endedAt: _endedAt, ...rest } = head;
  const resumptions = head.resumptions + 1;
  const live = new LiveSession({ ...rest, status: 'queued', resumptions }, hall.store, count);
  const { agent, headend, output, budget } = head;
  const asked = { ...resumed, agent, prompt: resumed.answer, headend, budget, ...(output ? { output } : {}) };
  return start(hall, { ...asked, served, sessionId: `${id}-${resumptions + 1}`, resume: handle }, live, head);
}

interface Starting extends Asked {
  readonly served: ServedAgent;
  readonly sessionId: string;
  readonly resume?: string;
}

/** `before` is what it is again when it could not begin. */
function start(hall: Hall, starting: Starting, live: LiveSession, before?: SessionHead): Answering {
  const { served, visitor, headend, signal, above } = starting;
  if (above) checkAbove(served.agent, above);
  visitor.admit?.();
  const inside = hall.ticketOf(above?.token)?.inside;
  const places = inside ?? hall.placesOf(headend);
  hall.enter(live);
  const off = follow(signal, (reason) => live.cancel(reason));
  const leave = () => {
    off();
    hall.leave(live);
  };
  let place: Ticket | Promise<Ticket>;
  try {
    const atOnce = inside ? undefined : visitor.concurrency;
    place = places.enter({ owner: visitor.key ?? '', atOnce, signal: live.signal });
  } catch (error) {
    leave();
    throw error;
  }
  live.open();
  const outcome = walk(hall, starting, live, place)
    .catch(async (error) => {
      if (before) await hall.store.put(before);
      else await live.end(isCancellation(error) ? 'cancelled' : 'failed', hall.clock.now());
      hall.onEnd(live.head, undefined);
      throw error;
    })
    .finally(leave);
  // Nobody may be there to hear that it never began.
  outcome.catch(() => {});
  const callPath = [...(above?.agents ?? []), served.agent.name];
  return { head: live.head, originId: starting.sessionId, callPath, outcome };
}

async function walk(
  hall: Hall,
  starting: Starting,
  live: LiveSession,
  entering: Ticket | Promise<Ticket>,
): Promise<Outcome> {
  // From now on, not from its place on: what it needs must be there when it has one.
  const release = starting.served.hold?.();
  try {
    return await walkInside(hall, starting, live, await entering);
  } finally {
    release?.();
  }
}

async function walkInside(hall: Hall, starting: Starting, live: LiveSession, place: Ticket): Promise<Outcome> {
  const unlend = hall.lend(tokenOf(starting.sessionId), place);
  let spending: Spending | undefined;
  try {
    // Cancelled in the moment in which it got its place.
    live.signal.throwIfAborted();
    const prices = starting.served.session?.ports?.prices ?? hall.ports.prices;
    spending = starting.visitor.spend?.({ stop: () => live.stop('allowance'), prices });
    if (spending) live.follow(spending.hear);
    const run = plant(hall, { ...starting, budget: narrower(starting.budget, spending?.budget) }, live);
    live.begin(run);
    const outcome = await run.outcome;
    await live.end(outcome.status, outcome.endedAt, outcome);
    hall.onEnd(live.head, outcome);
    return outcome;
  } finally {
    spending?.close();
    unlend();
    place.leave();
  }
}

function plant(hall: Hall, starting: Starting, live: LiveSession): SessionRun {
  const { served, prompt, visitor, signal, onEvent, above, budget, sessionId, resume: handle } = starting;
  const { output, history, attachments, tools, onQuestion } = starting;
  const { agent, session, fillPrompt } = served;
  if (onEvent) live.follow(onEvent);
  const wantsHints = onEvent !== undefined || signal === undefined;
  const given = { output, history, attachments, tools, onQuestion };
  const config: AIAgentSessionConfig = {
    agent,
    sessionId,
    ports: { ...hall.ports, ...session?.ports, ...scopedTo(visitor, hall.ports, session?.ports) },
    ...(session?.envOverlay ? { envOverlay: session.envOverlay } : {}),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
    budget: narrower(budget, visitor.budget),
    ...(above ? { above: { ...(above.agents ? { agents: above.agents } : {}), depth: above.depth ?? 0 } } : {}),
    ...(handle === undefined ? {} : { resume: handle }),
    ...(wantsHints ? { onEvent: live.tell } : { onFact: live.tell as (event: AgentEvent) => void }),
  };
  const text = typeof prompt === 'string' && fillPrompt && handle === undefined;
  return new AIAgentSession(config).run(text ? fillPrompt(prompt, hall.clock.now()) : prompt);
}

/** Answers that are given again stay with the key that asked: two of them may not be the same people. */
function scopedTo({ key }: Visitor, ...ports: readonly (Partial<Ports> | undefined)[]): Partial<Ports> {
  const cache = ports.findLast((one) => one?.cache)?.cache;
  if (!cache || key === null) return {};
  const own = (name: string) => JSON.stringify([key, name]);
  return {
    cache: {
      get: (name) => cache.get(own(name)),
      put: (name, value, ttlMs) => cache.put(own(name), value, ttlMs),
    },
  };
}

function follow(signal: AbortSignal | undefined, onAbort: (reason: string) => void): () => void {
  if (!signal) return () => {};
  const listener = () => onAbort('Whoever asked has gone.');
  if (signal.aborted) listener();
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
