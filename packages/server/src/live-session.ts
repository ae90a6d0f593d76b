// A session while it runs here: told to whoever follows, kept in the store, and ended from outside.

import {
  AgentError,
  type AgentEvent,
  type Fact,
  type Failure,
  type Outcome,
  type SessionRun,
  toFailure,
  Written,
} from '@ai-agent/core';
import { type SessionHead, type SessionStatus, type SessionStore, takesTime } from './session-store.ts';

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

export interface Keeping {
  readonly store: SessionStore;
  /** Told once, when the store has failed to keep some of it. */
  readonly onBug: (error: unknown) => void;
}

export class LiveSession {
  readonly #keeping: Keeping;
  readonly #followers = new Set<Follower>();
  readonly #onOver = new Set<() => void>();
  readonly #cancelled = new AbortController();
  readonly #facts: Fact[] = [];
  readonly #before: number;
  /** How many of them the store has taken. */
  #taken = 0;
  /** What was streamed of the answer and is in no fact. */
  readonly #draft = new Written();
  #head: SessionHead;
  #run: SessionRun | undefined;
  /** Settles when the store has everything that it was given, or has failed to take it. */
  #written: Promise<void> | undefined;
  #isOver = false;
  #isCalledOff = false;
  #hasLost = false;
  /** Why it was ended from outside, where its last fact cannot say so. */
  #cut: AgentError | undefined;

  /** Facts that were told before it went on, as its head counts them, are in the store alone. */
  constructor(head: SessionHead, keeping: Keeping) {
    this.#head = head;
    this.#keeping = keeping;
    this.#before = head.facts;
  }

  get head(): SessionHead {
    return this.#head;
  }

  /** How many facts were told in all. */
  get count(): number {
    return this.#before + this.#facts.length;
  }

  /** How many of them were told before it went on. */
  get before(): number {
    return this.#before;
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

  /** A fact that was told since it went on, by its number: whatever the store is doing. */
  fact(number: number): Fact | undefined {
    return this.#facts[number - this.#before - 1];
  }

  /** Those told since it went on. */
  facts(): readonly Fact[] {
    return this.#facts.slice();
  }

  /** It is there now, and waits for a place. */
  open(): void {
    this.#put(this.#head);
  }

  begin(run: SessionRun): void {
    this.#run = run;
    this.#put({ ...this.#head, status: 'running' });
  }

  /** Told in order, at once. */
  readonly tell = (event: AgentEvent): void => {
    let number: number | undefined;
    this.#draft.see(event);
    if (event.kind === 'fact') {
      this.#facts.push(event);
      number = this.count;
      this.#write((store) => this.#append(store));
    }
    for (const follower of this.#followers) {
      // One who looks on must not hurt what is looked at.
      try {
        follower(event, number);
      } catch {}
    }
  };

  /** Hears what is told from now on. Returns how to stop listening. */
  follow(follower: Follower, onOver: () => void = () => {}): () => void {
    this.#followers.add(follower);
    this.#onOver.add(onOver);
    return () => {
      this.#followers.delete(follower);
      this.#onOver.delete(onOver);
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
    });
  }

  /** It never began. */
  fail(status: SessionStatus, endedAt: number, failure: Failure): void {
    this.#end({ status, endedAt, failure });
  }

  #end(end: Pick<SessionHead, 'status' | EndOfHead>): void {
    this.#run = undefined;
    this.#put({ ...withoutEnd(this.#head), ...end, facts: this.count });
  }

  /** It is what it was before: it was to go on, and could not even begin. */
  restore(before: SessionHead): void {
    this.#put(before);
  }

  /** The store has everything, or has failed. */
  async whenWritten(): Promise<void> {
    while (this.#written) await this.#written;
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
  }

  #put(head: SessionHead): void {
    this.#head = head;
    this.#write((store) => this.#append(store));
    this.#write((store) => store.put(head));
  }

  /** Also what it failed to take before: each keeps its number. */
  #append(store: SessionStore): void | Promise<void> {
    const facts = this.#facts.slice(this.#taken);
    if (facts.length === 0) return;
    const take = () => {
      this.#taken += facts.length;
    };
    const doing = store.append(this.#head.id, facts);
    if (takesTime(doing)) return doing.then(take);
    take();
  }

  /** One after the other, as they were told. A store that fails costs what it would have kept, never the run. */
  #write(work: (store: SessionStore) => void | Promise<void>): void {
    const { store } = this.#keeping;
    try {
      const doing = this.#written ? this.#written.then(() => work(store)) : work(store);
      if (takesTime(doing)) this.#wait(doing);
    } catch (error) {
      this.#lose(error);
    }
  }

  #wait(doing: PromiseLike<void>): void {
    const done = Promise.resolve(doing)
      .catch((error: unknown) => this.#lose(error))
      .then(() => {
        if (this.#written === done) this.#written = undefined;
      });
    this.#written = done;
  }

  #lose(error: unknown): void {
    if (this.#hasLost) return;
    this.#hasLost = true;
    this.#keeping.onBug(error);
  }
}

/** What a session waits for, and the handle to go on with. */
export type Waits = Pick<SessionHead, 'question' | 'calls' | 'resume'>;

/** Of whatever has more: of an outcome, or of a head. */
export function waitsOf({ question, calls, resume }: Waits): Waits {
  return {
    ...(question ? { question } : {}),
    ...(calls ? { calls } : {}),
    ...(resume === undefined ? {} : { resume }),
  };
}

type EndOfHead = 'endedAt' | 'question' | 'calls' | 'resume' | 'draft' | 'limit' | 'failure';

/** A head as it is while nothing has come of its session. */
export function withoutEnd(head: SessionHead): Omit<SessionHead, EndOfHead> {
  const { endedAt: _endedAt, question: _question, calls: _calls, resume: _resume, ...open } = head;
  const { draft: _draft, limit: _limit, failure: _failure, ...rest } = open;
  return rest;
}

function attempt(work: () => void): void {
  try {
    work();
  } catch {}
}
