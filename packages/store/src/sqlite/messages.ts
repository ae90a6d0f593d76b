// What the thread that has the file is told, and tells.

import type { Answer, Ask, StoreFailure } from '../ask.ts';
import type { Deleted, Retention } from '../store.ts';
import type { Writer } from '../writer.ts';

/** What it is started with. */
export interface WorkerStart {
  readonly path: string;
  readonly writer: Writer;
  readonly retention: Required<Retention>;
  /** Offset of the caller's clock from this machine's clock. */
  readonly aheadMs: number;
}

export type ToWorker =
  | { readonly type: 'batch'; readonly batch: number; readonly asks: readonly Ask[]; readonly aheadMs: number }
  | { readonly type: 'close' };

export type FromWorker =
  /** With the last batch that this writer has kept before, if it has: the thread before this one may have ended in the middle. */
  | { readonly type: 'open'; readonly batch: number; readonly answers: readonly Answer[] }
  | { readonly type: 'not-open'; readonly failure: StoreFailure }
  | { readonly type: 'answers'; readonly batch: number; readonly answers: readonly Answer[] }
  /** Something beside what was asked went wrong. */
  | { readonly type: 'bug'; readonly failure: StoreFailure }
  /** Why old sessions are not deleted. */
  | { readonly type: 'warning'; readonly sentence: string }
  /** What was kept for too long, or was too much, is gone. */
  | { readonly type: 'tended'; readonly deleted: Deleted };
