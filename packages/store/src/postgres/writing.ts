// What those who write into the tables are given.

import type { ClientBase } from 'pg';
import type { Ask, HeadRow } from '../ask.ts';
import type { Numbers } from './numbers.ts';
import type { Tables } from './tables.ts';

/** One transaction. */
export interface Writing {
  readonly client: ClientBase;
  readonly tables: Tables;
  /** Who writes. */
  readonly writer: string;
  readonly numbers: Numbers;
  readonly now: () => number;
  /** Sessions that were taken in it. */
  readonly taken: Taken[];
}

/** A row as it was before somebody went on with its session. */
export interface Taken {
  readonly id: string;
  readonly status: string;
  readonly ended_at: number | null;
  readonly resumptions: number;
  readonly writer: string;
  readonly head: string;
}

export type Put = { readonly do: 'put'; readonly head: HeadRow };
export type Claim = { readonly do: 'claim'; readonly head: HeadRow };
export type Append = Extract<Ask, { readonly do: 'append' }>;
/** What is written one by one. */
export type Single = Claim | Extract<Ask, { readonly do: 'delete' | 'put-pause' | 'delete-pause' }> | OfNote;
export type OfNote = Extract<Ask, { readonly do: 'put-note' | 'claim-note' | 'delete-note' }>;
export type Write = Put | Append | Single;

/** What is told by who is late. */
export function takenOver(id: string): string {
  return `The session ${id} is written by another process since: nothing was changed.`;
}

/** What is told by who comes before its session, or after it was deleted. */
export function unknown(id: string): string {
  return `There is no session ${id}, or not any more: nothing was kept of it.`;
}
