// A store that is open: sessions, those that wait, and notes, until it is closed.

import type { NoteStore, PauseStore, SessionStore } from '@ai-agent/core';

export interface Store extends SessionStore {
  readonly pauses: PauseStore;
  readonly notes: NoteStore;
  /** Where it is, for people: a path, or an address without its password. */
  readonly place: string;
  /** What is under way is kept first; whatever comes after it is refused. */
  close(): Promise<void>;
}

export interface StoreOptions {
  /** What is kept, and for how long. */
  readonly retention?: Retention;
  /** Told what went wrong beside what was asked for: old sessions that could not be deleted, a process that could not be seen. @default nobody */
  readonly onBug?: (error: unknown) => void;
  /** Told after a look at what is kept that has deleted some of it. @default nobody */
  readonly onTended?: (deleted: Deleted) => void;
  /** Called with a sentence when deleting by age waits. @default the reason is not reported */
  readonly onWarning?: (sentence: string) => void;
  /** The wall clock, for tests. @default the time of this machine */
  readonly now?: () => number;
}

/** How many sessions went, and why. */
export interface Deleted {
  /** They had ended too long ago. */
  readonly byAge: number;
  /** All of it was too much, and they were the oldest. */
  readonly bySize: number;
}

export interface Retention {
  /** Sessions that ended longer ago are deleted. In milliseconds, more than 0. @default 30 days */
  readonly maxAgeMs?: number;
  /** What all of it may come to: when it is more, the oldest that have ended are deleted, and notes beyond half of it. In bytes, at least 1 MiB. @default 1 GiB */
  readonly maxBytes?: number;
}

export const defaultRetention = { maxAgeMs: 30 * 24 * 60 * 60_000, maxBytes: 1024 ** 3 } as const;
