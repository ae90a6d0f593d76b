// The port to where sessions are kept: the facts that were told of each, and a head that says whose it is and how it stands.

import type { Budget } from './budget.ts';
import type { ClientCall } from './client-calls.ts';
import { AgentError, type Failure } from './errors.ts';
import type { Fact } from './events.ts';
import type { Json } from './json.ts';
import type { OutputContract } from './model.ts';
import type { PauseStore } from './pauses.ts';
import type { Question } from './question.ts';
import type { Totals } from './totals.ts';

export const sessionStatuses = [
  'queued',
  'running',
  'completed',
  'partial',
  'needs_user_input',
  'needs_client_tools',
  'failed',
  'cancelled',
  // The process that ran it is gone: a store says so, no session does.
  'interrupted',
] as const;

export type SessionStatus = (typeof sessionStatuses)[number];

/** Plain data. */
export interface SessionHead {
  /** Stays the same when the session goes on. */
  readonly id: string;
  /** What its agent is called outside. */
  readonly agent: string;
  /** The name of the key that started it; null where there was none. */
  readonly owner: string | null;
  /** For whom that key has asked, where it said so: it belongs to both. @default to the key alone */
  readonly user?: string;
  /** The headend it came through. */
  readonly headend: string;
  /** The file of its agent, where whoever goes on with it has to load that again. */
  readonly source?: string;
  /** Whether it was started to belong to no connection; whoever answers it may wait all the same. */
  readonly isDetached: boolean;
  readonly status: SessionStatus;
  readonly createdAt: number;
  /** Missing until it has ended. */
  readonly endedAt?: number;
  /** What was asked first, in a line. Missing until it has begun. */
  readonly title?: string;
  /** The session that it was begun from in the middle, and where. */
  readonly retryOf?: { readonly session: string; readonly round: number; readonly turn: number };
  /** What all of its rounds have used, as far as they have ended. */
  readonly usage?: Totals;
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
  /** The number of children whose work is missing from its last answer. @default 0 */
  readonly incompleteCount?: number;
  /** Why it never began, or was not gone on with; what ran to its end tells that in its last fact. */
  readonly failure?: Failure;
  /** How many facts were told of it when it ended; before its first end 0. */
  readonly facts: number;
  /** How many of them were told before its last round. @default none */
  readonly earlierFacts?: number;
  /** How often it was gone on with: after a question, after calls of a client, or with a further message. */
  readonly resumptions: number;
}

/** Which sessions are looked for. What is left out may be anything. */
export interface SessionQuery {
  /** Of this key; null for those without. */
  readonly owner?: string | null;
  /** Of this user; null for those that belong to a key alone. */
  readonly user?: string | null;
  readonly agent?: string;
  readonly headend?: string;
  readonly statuses?: readonly SessionStatus[];
  /** Created at this moment or later. */
  readonly since?: number;
  /** Created before this moment. */
  readonly until?: number;
  /** Whose id begins with this. Letters, digits, `_` and `-` alone. */
  readonly prefix?: string;
  /** Older than this session: where an earlier page has ended. */
  readonly before?: string;
  /** At least 1. @default all */
  readonly limit?: number;
}

/** Whoever implements it may take time; what it gives is data that nobody changes. */
export interface SessionStore {
  /** A new session, or one whose head has changed. */
  put(head: SessionHead): void | Promise<void>;
  /**
   * Goes on with a session: keeps the head of its next round, where none is under way and nobody else has begun the same one.
   * Whether that was so.
   */
  claim(head: SessionHead): boolean | Promise<boolean>;
  /**
   * Facts of it, in the order told; they are numbered from one over the life of the session. Settles when they are kept for
   * good. One that fails has taken none of them, and is given them again with the next. Fails where it knows no such session.
   */
  append(id: string, facts: readonly Fact[]): void | Promise<void>;
  get(id: string): SessionHead | undefined | Promise<SessionHead | undefined>;
  /** Those behind the first `after`, in their order. At most `limit` of them. @default all */
  facts(id: string, after: number, limit?: number): readonly Fact[] | Promise<readonly Fact[]>;
  /** The newest first; those of one moment too, by when they were put first. */
  list(query: SessionQuery): readonly SessionHead[] | Promise<readonly SessionHead[]>;
  /** With all that is kept of it; one that runs is left alone. Whether it is gone now, and was there. */
  delete(id: string): boolean | Promise<boolean>;
  /**
   * Whether it has all that it was given, also what it failed to keep for good, and sees to that by itself: then it is given facts
   * whatever became of their head. @default false
   */
  readonly hasCopy?: boolean;
  /** Sessions that wait for an answer. @default they are kept elsewhere, if at all */
  readonly pauses?: PauseStore;
  /** What else has to outlive a process. @default it does not */
  readonly notes?: NoteStore;
}

/** Small things under a name, for a while. */
export interface NoteStore {
  /** In the place of what it was, until this moment. */
  put(name: string, value: Json, untilMs: number): void | Promise<void>;
  /**
   * Puts it where there is none, or where the time of the one that is there is over. Whether it was put: of all who claim it at
   * once, in however many processes, one is told so.
   */
  claim(name: string, value: Json, untilMs: number): boolean | Promise<boolean>;
  /** Nothing when its time is over. */
  get(name: string): Json | undefined | Promise<Json | undefined>;
  /** Of those that begin so and whose time is not over, by `compareNames`. At most `limit`, which is at least 1. */
  names(prefix: string, limit: number): readonly string[] | Promise<readonly string[]>;
  delete(name: string): void | Promise<void>;
}

/** How many are wanted at most, of sessions or of names. Throws `store-failed` for what is no such number. */
export function limitOf({ limit = Number.MAX_SAFE_INTEGER }: Pick<SessionQuery, 'limit'>): number {
  if (Number.isSafeInteger(limit) && limit >= 1) return limit;
  throw new AgentError('store-failed', `What is kept is listed with a limit of at least 1, not ${limit}.`, {
    remedy: 'Leave the limit out, or give a whole number.',
  });
}

/** The order of names: by code points, as databases have it. By `<`, which goes by UTF-16, an emoji comes before `ｚ`. */
export function compareNames(one: string, other: string): number {
  for (let at = 0; at < one.length && at < other.length; at++) {
    const difference = rankOf(one.charCodeAt(at)) - rankOf(other.charCodeAt(at));
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}

/** Halves of a pair come behind whatever needs none. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

/** Whether it has to be waited for: a store may have promises of its own kind. */
export function takesTime<T>(given: T | PromiseLike<T>): given is PromiseLike<T> {
  return typeof (given as Partial<PromiseLike<T>> | null | undefined)?.then === 'function';
}

/** Whether a session with this head is under way somewhere, or waits for its place. */
export function isUnderWay({ status }: Pick<SessionHead, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

type EndOfHead = 'endedAt' | 'question' | 'calls' | 'resume' | 'draft' | 'limit' | 'incompleteCount' | 'failure';

/** A head as it is while nothing has come of its session. */
export function withoutEnd(head: SessionHead): Omit<SessionHead, EndOfHead> {
  const { endedAt: _endedAt, question: _question, calls: _calls, resume: _resume, ...open } = head;
  const { draft: _draft, limit: _limit, failure: _failure, incompleteCount: _count, ...rest } = open;
  return rest;
}
