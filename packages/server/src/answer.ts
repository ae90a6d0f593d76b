// The shared middle of all headends: finds the agent, waits for a place, plants the tree, and hands facts and hints on.

import {
  AgentError,
  type AgentEvent,
  AIAgentSession,
  type AIAgentSessionConfig,
  type Budget,
  checkAbove,
  isCancellation,
  isObject,
  type Json,
  type JsonObject,
  narrower,
  type Outcome,
  type PauseStore,
  type Ports,
  type Question,
  readAnswer,
  type SessionRun,
  toFailure,
} from '@ai-agent/core';
import { aboveCalls, type Caller, withKnown } from './caller.ts';
import { boundClientSchema } from './client-schema.ts';
import { withoutInside } from './failure-status.ts';
import type { Hall } from './hall.ts';
import { type Follower, LiveSession, withoutEnd } from './live-session.ts';
import type { Ticket } from './places.ts';
import type { ServedAgent } from './served-agent.ts';
import { type SessionHead, takesTime } from './session-store.ts';
import type { Visitor } from './visitor.ts';

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

export interface Answering {
  readonly head: SessionHead;
  /** The id of its tree, and the names of the agents from the top down to its own: as its facts have them. */
  readonly originId: string;
  readonly callPath: readonly string[];
  /** Rejects only when it never began: with `server-stopping`, `allowance-spent`, or with the reason for which nobody waits any more. */
  readonly outcome: Promise<Outcome>;
}

/** Throws what is wrong with the request: `agent-unknown`, `agent-cycle`, `server-full` and the like. */
export function answer(hall: Hall, asked: Asked): Answering {
  const served = hall.agent(asked.agent, asked.visitor);
  const id = hall.ports.ids.next();
  const { visitor, headend, signal, budget, output } = asked;
  const head: SessionHead = {
    id,
    agent: served.name,
    owner: visitor.key,
    headend,
    isDetached: signal === undefined,
    status: 'queued',
    createdAt: hall.clock.now(),
    ...(budget ? { budget } : {}),
    ...(output ? { output } : {}),
    facts: 0,
    resumptions: 0,
  };
  return start(hall, { ...asked, served, sessionId: id }, new LiveSession(head, hall));
}

export interface Resumed extends Pick<Asked, 'visitor' | 'signal' | 'onEvent' | 'above'> {
  readonly answer: Json;
}

/**
 * Goes on with a session that ended with a question. Throws `session-unknown`; `question-unknown`, also for who comes
 * second, and when too many questions were asked since; `answer-invalid`, which leaves the question open.
 */
export function resume(hall: Hall, id: string, resumed: Resumed): Promise<Answering> {
  return hall.alone(id, async () => {
    const { visitor } = resumed;
    const ending = hall.live(id);
    if (ending?.head.owner === visitor.key && ending.head.endedAt !== undefined) await ending.whenOver();
    // Where the answer is there at once, nobody can step in between looking and doing.
    const found = hall.find(id, visitor);
    const head = found instanceof Promise ? await found : found;
    const { question, resume: handle } = head;
    if (hall.live(id) || !question || handle === undefined)
      throw new AgentError('question-unknown', `The session ${id} waits for no answer.`);
    const served = hall.agent(head.agent, visitor);
    const prompt = readPrompt(question, resumed.answer);
    const kept = pausesOf(hall, served)?.get(handle);
    if (!(takesTime(kept) ? await kept : kept)) throw forgotten(id);
    const resumptions = head.resumptions + 1;
    const live = new LiveSession({ ...withoutEnd(head), status: 'queued', resumptions }, hall);
    const { agent, headend, budget, output } = head;
    const asked = { ...resumed, agent, prompt, headend, budget, ...(output ? { output } : {}) };
    return start(hall, { ...asked, served, sessionId: `${id}-${resumptions + 1}`, before: head }, live);
  });
}

/** Text and objects are what a run is given; the rest is read from its JSON again. Throws `answer-invalid`. */
function readPrompt(question: Question, answered: Json): string | JsonObject {
  // Its form is a model's, who may have it from whoever answers now.
  if (question.schema) boundClientSchema(question.schema);
  checkSaid(question, answered);
  const answer = readAnswer(question, answered);
  return typeof answer === 'string' || isObject(answer) ? answer : JSON.stringify(answer);
}

/** Nothing is an answer only where the question says so. */
function checkSaid({ type, text, schema, choices }: Question, answer: Json): void {
  const isEmpty = typeof answer === 'string' && answer.trim() === '';
  if (isEmpty && type === 'question' && !schema && !choices)
    throw new AgentError('answer-invalid', `The answer to "${text}" is empty.`);
}

/** Where the questions of an agent are kept; of one that is not served any more, those of the house. */
export function pausesOf(hall: Hall, served: ServedAgent | undefined): PauseStore | undefined {
  return served?.session?.ports?.pauses ?? hall.ports.pauses;
}

function forgotten(id: string): AgentError {
  const message = `What the session ${id} had done when it asked is not kept any more, so it cannot be gone on with.`;
  return new AgentError('question-unknown', message, { remedy: 'Ask again from the beginning, in a new session.' });
}

interface Starting extends Asked {
  readonly served: ServedAgent;
  readonly sessionId: string;
  /** What it is again when it could not go on. */
  readonly before?: SessionHead;
}

function start(hall: Hall, asked: Starting, live: LiveSession): Answering {
  const lent = hall.lentTo(asked.above?.token);
  const above = asked.above && lent ? withKnown(asked.above, lent.above) : asked.above;
  const starting = { ...asked, above };
  const { served, visitor, headend, signal } = starting;
  if (above) checkAbove(served.agent, above);
  visitor.admit?.();
  const inside = lent?.ticket.inside;
  const places = inside ?? hall.placesOf(headend);
  // From now on, not from its place on: what it needs must be there when it has one.
  const undo = [served.hold?.() ?? (() => {})];
  let place: Ticket | Promise<Ticket>;
  try {
    hall.enter(live, inside !== undefined);
    undo.push(follow(signal, (reason) => live.abandon(reason)));
    const atOnce = inside ? undefined : visitor.concurrency;
    place = places.enter({ owner: visitor.key ?? '', atOnce, signal: live.signal });
  } catch (error) {
    hall.leave(live);
    undoAll(hall, undo);
    throw error;
  }
  live.open();
  const outcome = walk(hall, starting, live, place);
  // Nobody may be there to hear that it never began.
  outcome
    .catch((error: unknown) => neverBegan(hall, starting, live, error))
    .finally(() => undoAll(hall, undo))
    .then(() => close(hall, live))
    .catch(hall.onBug);
  const callPath = [...(above?.agents ?? []), served.agent.name];
  return { head: live.head, originId: starting.sessionId, callPath, outcome };
}

async function walk(
  hall: Hall,
  starting: Starting,
  live: LiveSession,
  entering: Ticket | Promise<Ticket>,
): Promise<Outcome> {
  const place = await entering;
  const undo = [() => place.leave()];
  try {
    // It may have been cancelled since the place was given.
    live.signal.throwIfAborted();
    const above = aboveCalls(starting.served.agent.name, starting.above);
    undo.push(hall.lend(starting.sessionId, { ticket: place, above }));
    const prices = starting.served.session?.ports?.prices ?? hall.ports.prices;
    const spending = starting.visitor.spend?.({ stop: () => live.stop('allowance'), prices });
    if (spending) {
      live.follow(spending.hear);
      undo.push(() => spending.close());
    }
    // Who goes on brings what was spent before, which is not in what is left.
    const left = starting.before ? undefined : spending?.budget;
    const run = plant(hall, { ...starting, budget: narrower(starting.budget, left) }, live);
    live.begin(run);
    const told = await run.outcome;
    if ('failure' in told && left) spending?.judge(told.failure, ownBudget(starting));
    const isSpent = told.status === 'partial' && left && spending?.isNarrower(told.limit, ownBudget(starting));
    const outcome = live.complete(isSpent ? { ...told, limit: 'allowance' } : told);
    const { status, endedAt, text } = outcome;
    const draft = text === told.text ? undefined : text;
    const limit = isSpent ? 'allowance' : undefined;
    live.end({ status, endedAt, outcome, draft, limit, asks: await stillAsks(hall, starting, live, outcome) });
    hall.onEnd(live.head, outcome);
    return outcome;
  } finally {
    undoAll(hall, undo);
  }
}

/** What it may use, whatever is left for its key. */
function ownBudget({ served, visitor, budget }: Starting): Budget {
  return narrower(narrower(served.agent.budget, visitor.budget), budget);
}

/** An answer is taken only by a run that can go on: when that failed before, the question is still open. */
async function stillAsks(
  hall: Hall,
  { before, served }: Starting,
  live: LiveSession,
  { status }: Outcome,
): Promise<Pick<SessionHead, 'question' | 'resume'> | undefined> {
  const wasCut = status === 'failed' || (status === 'cancelled' && !live.isCalledOff);
  if (!wasCut || before?.resume === undefined || !before.question) return undefined;
  try {
    const { question, resume: handle } = before;
    return (await pausesOf(hall, served)?.get(handle)) ? { question, resume: handle } : undefined;
  } catch {
    return undefined;
  }
}

function neverBegan(hall: Hall, { before }: Starting, live: LiveSession, error: unknown): void {
  const told = toFailure(error);
  const isBug = told.class === 'bug';
  if (isBug) hall.onBug(error);
  const failure = isBug ? withoutInside(told) : told;
  if (before && live.count === before.facts && !live.isCalledOff) live.restore(before);
  else live.end({ status: isCancellation(error) ? 'cancelled' : 'failed', endedAt: hall.clock.now(), failure });
  hall.onEnd(live.head, undefined);
}

/** Whoever hears that it is over finds it in the store, and can go on with it. */
async function close(hall: Hall, live: LiveSession): Promise<void> {
  await live.whenWritten();
  hall.leave(live);
  live.over();
}

/** Each of them, whatever the others do. */
function undoAll(hall: Hall, undo: readonly (() => void)[]): void {
  for (const each of undo) {
    try {
      each();
    } catch (error) {
      hall.onBug(error);
    }
  }
}

function plant(hall: Hall, starting: Starting, live: LiveSession): SessionRun {
  const { served, prompt, visitor, signal, onEvent, above, budget, sessionId, before, output } = starting;
  const { agent, session, fillPrompt } = served;
  if (onEvent) live.follow(onEvent);
  // Also one that comes out of a store again.
  if (output?.schema) boundClientSchema(output.schema);
  const wantsHints = onEvent !== undefined || signal === undefined;
  const config: AIAgentSessionConfig = {
    agent,
    sessionId,
    ports: { ...hall.ports, ...session?.ports, ...scopedTo(visitor, hall.ports, session?.ports) },
    ...(session?.envOverlay ? { envOverlay: session.envOverlay } : {}),
    ...givenOf(starting),
    budget: narrower(budget, visitor.budget),
    ...(above ? { above: { ...(above.agents ? { agents: above.agents } : {}), depth: above.depth ?? 0 } } : {}),
    ...(before?.resume === undefined ? {} : { resume: before.resume }),
    ...(wantsHints ? { onEvent: live.tell } : { onFact: live.tell as (event: AgentEvent) => void }),
  };
  const text = typeof prompt === 'string' && fillPrompt && !before;
  return new AIAgentSession(config).run(text ? fillPrompt(prompt, hall.clock.now()) : prompt);
}

function givenOf({ output, history, attachments, tools, onQuestion }: Given): Given {
  return {
    ...(output && { output }),
    ...(history && { history }),
    ...(attachments && { attachments }),
    ...(tools && { tools }),
    ...(onQuestion && { onQuestion }),
  };
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
