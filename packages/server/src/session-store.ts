// Where sessions are kept: the facts that were told of each, and a head that says whose it is and how it stands.

import type { Budget, ClientCall, Fact, Failure, OutputContract, Question } from '@ai-agent/core';

export type SessionStatus =
  | 'queued'
  | 'running'
  | 'completed'
  | 'partial'
  | 'needs_user_input'
  | 'needs_client_tools'
  | 'failed'
  | 'cancelled';

/** Plain data. */
export interface SessionHead {
  /** Stays the same when the session goes on after a question. */
  readonly id: string;
  /** What its agent is called outside. */
  readonly agent: string;
  /** The name of the key that started it; null where there was none. */
  readonly owner: string | null;
  /** The headend it came through. */
  readonly headend: string;
  /** Whether it was started to belong to no connection; whoever answers it may wait all the same. */
  readonly isDetached: boolean;
  readonly status: SessionStatus;
  readonly createdAt: number;
  /** Missing until it has ended. */
  readonly endedAt?: number;
  /** What the request allowed it, and the answer that it wanted: both hold when it goes on. */
  readonly budget?: Budget;
  readonly output?: OutputContract;
  /** What it waits to be told, when it ended with a question; and the handle of that. */
  readonly question?: Question;
  readonly resume?: string;
  /** What whoever asked is to run, when it ended with that; the handle is for the results then. */
  readonly calls?: readonly ClientCall[];
  /** What was written of an answer that never came: it is in no fact. */
  readonly draft?: string;
  /** The limit that ended it, where its last fact names only the amount: `allowance`. */
  readonly limit?: string;
  /** Why it never began, or was not gone on with; what ran to its end tells that in its last fact. */
  readonly failure?: Failure;
  /** How many facts were told of it when it ended; before its first end 0. */
  readonly facts: number;
  /** How often it was gone on with after a question. */
  readonly resumptions: number;
}

/** Whoever implements it may take time; what it gives is data that nobody changes. */
export interface SessionStore {
  /** A new session, or one whose head has changed. */
  put(head: SessionHead): void | Promise<void>;
  /**
   * Facts of it, in the order told; they are numbered from one over the life of the session. One that fails has taken none of
   * them, and is given them again with the next.
   */
  append(id: string, facts: readonly Fact[]): void | Promise<void>;
  get(id: string): SessionHead | undefined | Promise<SessionHead | undefined>;
  /** Those behind the first `after`, in their order. At most `limit` of them. @default all */
  facts(id: string, after: number, limit?: number): readonly Fact[] | Promise<readonly Fact[]>;
  /** Of one owner, the newest first; those of one moment too, by when they were put first. */
  list(owner: string | null, limit: number): readonly SessionHead[] | Promise<readonly SessionHead[]>;
}

/** Whether it has to be waited for: a store may have promises of its own kind. */
export function takesTime<T>(given: T | PromiseLike<T>): given is PromiseLike<T> {
  return typeof (given as Partial<PromiseLike<T>> | null | undefined)?.then === 'function';
}
