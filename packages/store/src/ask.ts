// What a store is asked, as plain data: it crosses to a thread, or becomes statements of a database. Whatever is kept is JSON in a text.

import type { SessionQuery } from '@ai-agent/core';

/** A head as it is kept, with what it is found by beside it. */
export interface HeadRow {
  readonly id: string;
  readonly owner: string | null;
  readonly user: string | null;
  readonly agent: string;
  readonly headend: string;
  readonly status: string;
  readonly createdAt: number;
  readonly endedAt: number | null;
  readonly resumptions: number;
  readonly json: string;
}

/** With how many are wanted. */
export type FullQuery = SessionQuery & { readonly limit: number };

export type Ask =
  | { readonly do: 'put' | 'claim'; readonly head: HeadRow }
  | { readonly do: 'append'; readonly id: string; readonly facts: readonly string[] }
  | { readonly do: 'delete'; readonly id: string }
  | { readonly do: 'put-pause'; readonly handle: string; readonly json: string }
  | { readonly do: 'delete-pause'; readonly handle: string }
  | { readonly do: 'put-note' | 'claim-note'; readonly name: string; readonly json: string; readonly untilMs: number }
  | { readonly do: 'delete-note'; readonly name: string }
  | { readonly do: 'get'; readonly id: string }
  | { readonly do: 'facts'; readonly id: string; readonly after: number; readonly limit: number }
  | { readonly do: 'list'; readonly query: FullQuery }
  | { readonly do: 'get-pause'; readonly handle: string }
  | { readonly do: 'get-note'; readonly name: string }
  | { readonly do: 'list-notes'; readonly prefix: string; readonly limit: number };

export type Read = Extract<Ask, { readonly do: 'get' | 'facts' | 'list' | 'get-pause' | 'get-note' | 'list-notes' }>;

/** As many facts as fit into an answer; whether there were no more at that moment. */
export interface FactsPage {
  readonly facts: readonly string[];
  readonly isLast: boolean;
}

/** What an answer with facts comes to, about, in characters: a store has other things to do in between. At least one is in it. */
export const pageOfFacts = 4 * 1024 * 1024;

/** `null` where there is nothing to say: a head, a pause or a note is its JSON, a list the JSON of each, or of notes their names. */
export type Value = null | boolean | string | readonly string[] | FactsPage;

export type Answer = { readonly value: Value } | { readonly failure: StoreFailure };

export type StoreCode =
  | 'store-failed'
  | 'store-unreachable'
  | 'store-full'
  | 'store-read-only'
  | 'store-newer'
  | 'store-damaged';

export interface StoreFailure {
  readonly code: StoreCode;
  readonly message: string;
  /** @default that of the code */
  readonly remedy?: string;
  /** The same may succeed later. @default as the code says */
  readonly isPassing?: boolean;
}

const reads: ReadonlySet<Ask['do']> = new Set(['get', 'facts', 'list', 'get-pause', 'get-note', 'list-notes']);

export function isRead(ask: Ask): ask is Read {
  return reads.has(ask.do);
}
