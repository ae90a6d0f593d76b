// A session while it runs here: told to whoever follows, written down, and ended from outside.

import {
  AgentError,
  type AgentEvent,
  type Budget,
  type Fact,
  type Failure,
  incompleteCountOf,
  narrower,
  type Outcome,
  type Recording,
  type SessionHead,
  SessionRecord,
  type SessionRun,
  type SessionStatus,
  toFailure,
  type Waits,
  Written,
  waitsOf,
  withoutEnd,
} from '@ai-agent/core';
import { GoingOn, type SignOf } from './going-on.ts';

/** A fact has a number, counted from one over the life of the session; a hint has none. */
export type Follower = (event: AgentEvent, number: number | undefined) => void;

export interface Ended {
  /** What came of it, as clients are told. */
  readonly outcome: Outcome;
  /** The same as its facts have it. */
  readonly told: Outcome;
  /** Its question is still open: it could not be gone on with. */
  readonly asks?: Waits | undefined;
}

/** What a run may use at most, whatever its request allows it. */
export interface Bounds {
  readonly agent: Budget | undefined;
  readonly key: Budget | undefined;
}

export class LiveSession {
  readonly #record: SessionRecord;
  readonly #followers = new Set<Follower>();
  readonly #onKept = new Set<() => void>();
  readonly #onOver = new Set<() => void>();
  readonly #cancelled = new AbortController();
  /** What was streamed of the answer and is in no fact. */
  readonly #draft = new Written();
  readonly #goingOn = new GoingOn();
  #run: SessionRun | undefined;
  #bounds: Bounds = { agent: undefined, key: undefined };
  /** What was left of the allowance of its key, where that counts. */
  #left: Budget | undefined;
  #isOver = false;
  #isCalledOff = false;
  /** Why it was ended from outside, where its last fact cannot say so. */
  #cut: AgentError | undefined;

  /** Facts that were told before it went on, as its head counts them, are in the store alone. */
  constructor(head: SessionHead, recording: Recording) {
    this.#record = new SessionRecord(head, recording);
    this.#record.onKept(() => {
      for (const tell of [...this.#onKept]) attempt(tell);
    });
  }

  get head(): SessionHead {
    return this.#record.head;
  }

  /** How many facts were told in all. */
  get count(): number {
    return this.#record.count;
  }

  /** How many of them were told before it went on. */
  get before(): number {
    return this.#record.before;
  }

  /** How many of them the store has for good. */
  get kept(): number {
    return this.#record.kept;
  }

  /** Whether the store has heard of it. */
  get isKnown(): boolean {
    return this.#record.isKnown;
  }

  /** Whether the store fails to keep what is told now. */
  get isFailing(): boolean {
    return this.#record.isFailing;
  }

  /** How many listen. */
  get followers(): number {
    return this.#followers.size;
  }

  /** Whether the store has all of it, and it lives no more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Aborts when it is cancelled: before it runs, while it waits for a place. */
  get signal(): AbortSignal {
    return this.#cancelled.signal;
  }

  /** What goes on at this moment, for who comes in the middle. */
  get signs(): readonly SignOf[] {
    return this.#goingOn.signs;
  }

  /** A fact that was told since it went on, by its number: whatever the store is doing. */
  fact(number: number): Fact | undefined {
    return this.#record.fact(number);
  }

  /** Those told since it went on. */
  facts(): readonly Fact[] {
    return this.#record.facts();
  }

  get bounds(): Bounds {
    return this.#bounds;
  }

  /** It is there now, and waits for a place. */
  open(bounds: Bounds): void {
    this.#bounds = bounds;
    this.#record.put(this.head);
  }

  /** The store learns of it with its first fact. */
  begin(run: SessionRun, left?: Budget): void {
    this.#run = run;
    this.#left = left;
    this.#record.change({ ...this.head, status: 'running' });
  }

  /** Told in order, at once. */
  readonly tell = (event: AgentEvent): void => {
    this.#draft.see(event);
    this.#goingOn.see(event);
    const number = event.kind === 'fact' ? this.#record.tell(event) : undefined;
    for (const follower of this.#followers) {
      // One who looks on must not hurt what is looked at.
      try {
        follower(event, number);
      } catch {}
    }
  };

  /** Hears what is told from now on, and what else there is to hear. Returns how to stop listening. */
  follow(follower: Follower, { onKept, onOver }: Following = {}): () => void {
    this.#followers.add(follower);
    if (onKept) this.#onKept.add(onKept);
    if (onOver) this.#onOver.add(onOver);
    return () => {
      this.#followers.delete(follower);
      if (onKept) this.#onKept.delete(onKept);
      if (onOver) this.#onOver.delete(onOver);
    };
  }

  /** Whether whoever it belongs to has ended it. */
  get isCalledOff(): boolean {
    return this.#isCalledOff;
  }

  /** A limit that ends it, once it runs; before that it never will. @default 'stop' */
  stop(limit?: string): void {
    if (this.#run) this.#run.stop(limit);
    else this.cancel('It was stopped before it began.');
  }

  /** Stops one session below it alone. Whether that runs. */
  stopBelow(sessionId: string): boolean {
    return this.#run?.stopBelow(sessionId) ?? false;
  }

  /** Its request allows it this from now on, also when it goes on; what bounds it besides stays. */
  raise(budget: Budget): void {
    this.#run?.raise(narrower(narrower(budget, this.#left), this.#bounds.key));
    this.#record.put({ ...this.head, budget });
  }

  cancel(reason: string): void {
    this.#isCalledOff = true;
    this.abandon(reason);
  }

  /** Ends it because nobody waits for it, or because nobody can: a question that it was to go on from stays open. */
  abandon(reason: string | AgentError): void {
    if (this.#cancelled.signal.aborted) return;
    const isOurs = typeof reason !== 'string';
    if (isOurs) this.#cut = reason;
    this.#run?.cancel(isOurs ? reason.message : reason);
    this.#cancelled.abort(isOurs ? reason : new AgentError('cancelled', reason));
  }

  /** What came of it as it is told outside: with what was written of an answer that never came, and who ended it. */
  complete(outcome: Outcome): Outcome {
    const told = this.#draft.addTo(outcome);
    if (!this.#cut || told.status !== 'cancelled') return told;
    return { ...told, failure: toFailure(this.#cut) };
  }

  /** What became of it. What its facts do not say stays with its head. */
  end({ outcome, told, asks }: Ended): void {
    const { status, endedAt, text } = outcome;
    const isRenamed = 'limit' in outcome && 'limit' in told && outcome.limit !== told.limit;
    this.#end({
      status,
      endedAt,
      ...('resume' in outcome ? waitsOf(outcome) : asks),
      ...(text === told.text ? {} : { draft: text }),
      ...(isRenamed ? { limit: outcome.limit } : {}),
      ...incompleteCountOf(outcome),
    });
  }

  /** It never began. */
  fail(status: SessionStatus, endedAt: number, failure: Failure): void {
    this.#end({ status, endedAt, failure });
  }

  #end(end: Partial<SessionHead>): void {
    this.#run = undefined;
    this.#record.put({ ...withoutEnd(this.head), ...end, facts: this.count });
  }

  /** It is what it was before: it was to go on, and could not even begin. */
  restore(before: SessionHead): void {
    this.#record.put(before);
  }

  /** Whether the store has everything at this moment, or has failed. */
  get isWritten(): boolean {
    return this.#record.isWritten;
  }

  /** The store has everything that was told until now, or has failed. */
  async whenSoFar(): Promise<void> {
    await this.#record.whenSoFar();
  }

  /** The store has everything, or has failed. */
  async whenWritten(): Promise<void> {
    await this.#record.whenWritten();
  }

  async whenOver(): Promise<void> {
    if (!this.#isOver) await new Promise<void>((resolve) => this.#onOver.add(resolve));
  }

  /** Tells whoever follows that nothing more will come: the store has everything, and the session can be gone on with. */
  over(): void {
    this.#isOver = true;
    this.#followers.clear();
    for (const tell of [...this.#onOver]) attempt(tell);
    this.#onOver.clear();
    this.#onKept.clear();
  }
}

/** What whoever follows may want to know beside the events. */
export interface Following {
  /** The store has more for good, or has failed. */
  readonly onKept?: (() => void) | undefined;
  /** Nothing more will come. */
  readonly onOver?: (() => void) | undefined;
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}
