// What hints say while a run is at work: texts that are being written, when calls really begin and end. Facts replace all of it.

import type { AgentEvent } from '@ai-agent/core';

type Hint = Extract<AgentEvent, { kind: 'hint' }>;

export interface Work {
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly isOk?: boolean;
}

interface Draft {
  /** All of it, for who comes in the middle. */
  readonly isSoFar?: true;
  /** Who writes it: one after the other may answer for the same session. */
  readonly session: string;
  readonly turn: number;
  readonly attempt: number;
  readonly text: string;
}

/** A call stands still, and why. */
export interface Wait {
  readonly reason: string;
  readonly provider: string;
  readonly model: string;
  readonly failure?: { readonly message: string };
}

export class LiveSigns {
  readonly #texts = new Map<string, Draft>();
  readonly #thoughts = new Map<string, Draft>();
  readonly #works = new Map<string, Work>();
  readonly #progress = new Map<string, string>();
  readonly #waits = new Map<string, Wait>();
  readonly #tasks = new Map<string, string>();
  #since = Number.POSITIVE_INFINITY;

  /** What is being written as the answer of this session, by itself or by whoever answers for it; what a stop has left of it stays until other words come. */
  textOf(answers: string): string {
    return this.#texts.get(answers)?.text ?? '';
  }

  /** What is being written in one of its turns. */
  textOfTurn(session: string, turn: number): string {
    const draft = this.#texts.get(session);
    return draft?.session === session && draft.turn === turn ? draft.text : '';
  }

  thoughtOf(session: string): string {
    return this.#thoughts.get(session)?.text ?? '';
  }

  /** Since when a call is at work, and until when: before its fact says so. */
  workOf(session: string, op: string): Work | undefined {
    return this.#works.get(`${session} ${op}`);
  }

  /** Whether a call that was asked for then still waits for its turn: who came later has not heard of all that began. */
  isWaiting(session: string, op: string, requestedAt: number): boolean {
    return requestedAt >= this.#since && !this.#works.has(`${session} ${op}`);
  }

  progressOf(session: string, op: string): string | undefined {
    return this.#progress.get(`${session} ${op}`);
  }

  waitOf(session: string, turn: number): Wait | undefined {
    return this.#waits.get(`${session} ${turn}`);
  }

  /** What its model says it is doing. */
  taskOf(session: string): string | undefined {
    return this.#tasks.get(session);
  }

  hear(event: AgentEvent): void {
    if (event.kind === 'hint') this.#hint(event);
    else if (event.type === 'model-end') this.#forget(event.trace.selfId, event.reply !== undefined);
    else if (event.type === 'session-end') this.#forget(event.trace.selfId, event.ending.text !== '');
  }

  #hint(hint: Hint): void {
    const { selfId } = hint.trace;
    if (hint.type === 'text-delta') add(this.#texts, hint.answers, { ...hint, session: selfId });
    if (hint.type === 'reasoning-delta') add(this.#thoughts, selfId, { ...hint, session: selfId });
    if (hint.type === 'operation-start') this.#begin(`${selfId} ${hint.op}`, hint.at);
    if (hint.type === 'operation-end') this.#end(`${selfId} ${hint.op}`, hint);
    if (hint.type === 'tool-progress') this.#progress.set(`${selfId} ${hint.op}`, hint.text);
    if (hint.type === 'task-status') this.#tasks.set(selfId, hint.now);
    if (hint.type === 'model-send') this.#waits.delete(`${selfId} ${hint.turn}`);
    if (hint.type !== 'model-wait') return;
    const { reason, provider, model, failure } = hint;
    this.#waits.set(`${selfId} ${hint.turn}`, { reason, provider, model, ...(failure ? { failure } : {}) });
  }

  #begin(key: string, startedAt: number): void {
    this.#works.set(key, { startedAt });
    // The progress text described the wait.
    this.#progress.delete(key);
    this.#since = Math.min(this.#since, startedAt);
  }

  #end(key: string, { at: endedAt, isOk }: Extract<Hint, { type: 'operation-end' }>): void {
    const startedAt = this.#works.get(key)?.startedAt ?? endedAt;
    this.#works.set(key, { startedAt, endedAt, isOk });
  }

  /** Its fact has the whole of it, where it came to something. */
  #forget(session: string, isSaid: boolean): void {
    if (isSaid) this.#texts.delete(session);
    this.#thoughts.delete(session);
    for (const key of this.#waits.keys()) if (key.startsWith(`${session} `)) this.#waits.delete(key);
  }
}

/** Another session, turn or attempt begins the text again; what is told as all of it so far takes its place. */
function add(drafts: Map<string, Draft>, key: string, { session, turn, attempt, text, isSoFar }: Draft): void {
  const before = drafts.get(key);
  const isSame = before?.session === session && before.turn === turn && before.attempt === attempt;
  const isNext = isSame && !isSoFar;
  drafts.set(key, { session, turn, attempt, text: isNext ? before.text + text : text });
}

/** Of an operation: signs are told by turn. */
export function turnOf(op: string): number {
  return Number(/^turn\.(\d+)/.exec(op)?.[1] ?? 0);
}
