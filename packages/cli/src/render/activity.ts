// What every session of a run does at this moment, folded from what it tells: more than the tree knows, and only for now.

import { type AgentEvent, oneLine, type SessionNode, type TurnNode } from '@ai-agent/core';
import { cut } from './piece.ts';

type ModelWait = Extract<AgentEvent, { type: 'model-wait' }>;

/** What a session does now, in a few words. */
export interface Doing {
  readonly words: string;
  /** It is up to somebody else. */
  readonly isWaiting: boolean;
  /** Up to a person, or something is amiss. @default false */
  readonly isUrgent?: boolean;
}

interface Now {
  /** Operations whose work has begun, after any queue. */
  readonly begun: Set<string>;
  /** Those that are over: the facts of a turn's calls come when all of them are. */
  readonly over: Set<string>;
  /** How far calls are, in the words of their tools. */
  readonly progress: Map<string, string>;
  /** What its model said last of its task. */
  status: string;
  questions: number;
  isWriting: boolean;
  /** Why its model call stands still, and until when, if anybody knows. */
  wait?: { readonly event: ModelWait; readonly until: number | undefined } | undefined;
}

/** Nothing is written yet, or not any more: a call that is sent again begins anew. */
const thinks: ReadonlySet<AgentEvent['type']> = new Set(['model-start', 'model-send', 'reasoning-delta']);

export class Activity {
  readonly #sessions = new Map<string, Now>();

  add(event: AgentEvent, at: number): void {
    const { selfId } = event.trace;
    if (event.type === 'session-end') {
      this.#sessions.delete(selfId);
      return;
    }
    const now = this.#sessions.get(selfId) ?? toIdle();
    this.#sessions.set(selfId, now);
    if (event.type === 'operation-start') {
      now.begun.add(event.op);
      // What it waited for is over.
      now.progress.delete(event.op);
    }
    if (event.type === 'operation-end') now.over.add(event.op);
    if (event.type === 'tool-progress') now.progress.set(event.op, event.text);
    if (event.type === 'task-status') now.status = event.now;
    if (event.type === 'question-start') now.questions++;
    if (event.type === 'question-end') now.questions--;
    if (thinks.has(event.type)) now.isWriting = false;
    if (event.type === 'text-delta') now.isWriting = true;
    if (event.type === 'model-wait')
      now.wait = { event, until: event.waitMs === undefined ? undefined : at + event.waitMs };
    if (event.type === 'model-send' || event.type === 'text-delta' || event.type === 'model-end') now.wait = undefined;
  }

  /** What its model says it is at, in its own words; empty where it says nothing. */
  statusOf({ trace }: SessionNode): string {
    return cut(oneLine(this.#sessions.get(trace.selfId)?.status ?? '').trim(), widestProgress);
  }

  of(session: SessionNode, at: number): Doing {
    const now = this.#sessions.get(session.trace.selfId);
    if (now && now.questions > 0) return { words: 'asks you', isWaiting: true, isUrgent: true };
    const running = (session.turns.at(-1)?.operations ?? []).filter(
      ({ status, op }) => status === 'running' && now?.over.has(op) !== true,
    );
    const model = running.find(({ type }) => type === 'model');
    if (model && now?.wait) return toWaiting(now.wait, at);
    const step = session.turns.at(-1)?.step;
    if (model && step === 'summary') return { words: 'sums up what was said', isWaiting: false };
    if (model) {
      const isBegun = now?.begun.has(model.op) === true;
      if (now?.isWriting) return { words: 'writing', isWaiting: false };
      return { words: isBegun ? 'thinking' : 'waits for its model', isWaiting: !isBegun };
    }
    return step && step !== 'summary' ? partnersOf(running, step) : toolsOf(running, now ?? toIdle());
  }
}

function toWaiting({ event, until }: NonNullable<Now['wait']>, at: number): Doing {
  const { reason, provider, failure } = event;
  if (reason === 'queue' || reason === 'budget')
    return { words: reason === 'queue' ? 'waits for its turn' : 'waits for the budget', isWaiting: true };
  const left = until === undefined ? 0 : Math.ceil((until - at) / 1_000);
  const when = left > 0 ? ` in ${left} s` : '';
  const why = failure ? ` (${failure.class})` : '';
  const words = reason === 'fallback' ? `goes on to ${provider}${why}` : `tries again${when}${why}`;
  return {
    words: reason === 'rate_limit' ? `waits for ${provider}${left > 0 ? `, ${left} s` : ''}` : words,
    isWaiting: true,
    isUrgent: true,
  };
}

/** Its own work is done, or has not begun: it is up to those who work on the same request. */
function partnersOf(running: TurnNode['operations'], step: Exclude<TurnNode['step'], 'summary' | undefined>): Doing {
  const [first] = running.filter((operation) => operation.type === 'tool');
  if (!first) return idle;
  const advisors = running.length === 1 ? '1 advisor' : `${running.length} advisors`;
  const words = {
    advisors: `waits for ${advisors}`,
    router: `handed over to ${first.label}`,
    handoff: `handed on to ${first.label}`,
  };
  return { words: words[step], isWaiting: true };
}

function toolsOf(running: TurnNode['operations'], { begun, progress }: Now): Doing {
  const tools = running.filter((operation) => operation.type === 'tool');
  // Calls of agents have a title, also before a session does them.
  const own = tools.filter(({ title }) => title === null);
  const first = own.find(({ op }) => begun.has(op)) ?? own[0];
  if (!first) return tools.length > 0 ? { words: `waits for ${tools.length}`, isWaiting: true } : idle;
  const more = own.length > 1 ? ` +${own.length - 1}` : '';
  const index = first.instance.slice(first.label.length);
  const name = `${first.trace.toolName ?? first.label}${index}${more}`;
  if (!begun.has(first.op)) return { words: `${name} waits for its turn`, isWaiting: true };
  const far = oneLine(progress.get(first.op) ?? '').trim();
  return { words: far === '' ? name : `${name}: ${cut(far, widestProgress)}`, isWaiting: false };
}

const idle: Doing = { words: '', isWaiting: false };

/** Columns: what is longer leaves no room for the rest of a line. */
const widestProgress = 40;

function toIdle(): Now {
  return { begun: new Set(), over: new Set(), progress: new Map(), status: '', questions: 0, isWriting: false };
}
