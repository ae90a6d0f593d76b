// A session while it runs here: told to whoever follows, kept in the store, and ended from outside.

import { AgentError, type AgentEvent, type Fact, type Outcome, type SessionRun } from '@ai-agent/core';
import type { SessionHead, SessionStatus, SessionStore } from './session-store.ts';

/** A fact has a number, counted from one over the life of the session; a hint has none. */
export type Follower = (event: AgentEvent, number: number | undefined) => void;

export class LiveSession {
  readonly #store: SessionStore;
  readonly #followers = new Set<Follower>();
  readonly #cancelled = new AbortController();
  #head: SessionHead;
  #run: SessionRun | undefined;
  #count: number;
  #written: Promise<unknown> = Promise.resolve();
  #pending = 0;

  /** `count` facts of it are kept already. */
  constructor(head: SessionHead, store: SessionStore, count: number) {
    this.#head = head;
    this.#store = store;
    this.#count = count;
  }

  get head(): SessionHead {
    return this.#head;
  }

  /** Aborts when it is cancelled: before it runs, while it waits for a place. */
  get signal(): AbortSignal {
    return this.#cancelled.signal;
  }

  /** It is there now, and waits for a place. */
  open(): void {
    this.#put(this.#head);
  }

  begin(run: SessionRun): void {
    this.#run = run;
    this.#put({ ...this.#head, status: 'running' });
  }

  /** Told in order, at once: the store first. */
  readonly tell = (event: AgentEvent): void => {
    const number = event.kind === 'fact' ? this.#keep(event) : undefined;
    for (const follower of this.#followers) {
      // One who looks on must not hurt what is looked at.
      try {
        follower(event, number);
      } catch {}
    }
  };

  /** Hears what is told from now on. Returns how to stop listening. */
  follow(follower: Follower): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** The limit that ends it. @default 'stop' */
  stop(limit?: string): void {
    if (this.#run) this.#run.stop(limit);
    else this.cancel('It was stopped before it began.');
  }

  cancel(reason: string): void {
    this.#run?.cancel(reason);
    this.#cancelled.abort(new AgentError('cancelled', reason));
  }

  /** What became of it; the store has everything when this settles. */
  async end(status: SessionStatus, endedAt: number, outcome?: Outcome): Promise<void> {
    const { question: _question, resume: _resume, ...head } = this.#head;
    const asks = outcome?.status === 'needs_user_input' ? { question: outcome.question, resume: outcome.resume } : {};
    this.#put({ ...head, status, endedAt, ...asks });
    await this.#written;
    this.#followers.clear();
  }

  #keep(fact: Fact): number {
    this.#write(() => this.#store.append(this.#head.id, [fact]));
    this.#count++;
    return this.#count;
  }

  #put(head: SessionHead): void {
    this.#head = head;
    this.#write(() => this.#store.put(head));
  }

  /** One after the other, as they were told. A store that fails costs what it would have kept, never the run. */
  #write(work: () => void | Promise<void>): void {
    const done = this.#pending ? this.#written.then(work) : attempt(work);
    if (!(done instanceof Promise)) return;
    this.#pending++;
    this.#written = done.catch(() => {}).finally(() => this.#pending--);
  }
}

function attempt(work: () => void | Promise<void>): void | Promise<void> {
  try {
    return work();
  } catch {}
}
