// The port through which sessions ask for their share of what the tree may use.

import type { Scope } from './abort.ts';
import type { Budget, Spent } from './budget.ts';
import type { Fact } from './events.ts';
import type { Price } from './price.ts';

/** Shared amounts of one tree. In memory here; an engine with several machines hands in its own. */
export interface BudgetPort {
  /** A session has opened. Told again on replay, before its first operation. */
  open(account: NewAccount): void;
  close(sessionId: string): void;
  /** Asks for one model call; waits while others that settle may leave enough. Undefined when nothing bounds it. */
  reserve(need: Need, scope: Scope): Grant | Promise<Grant> | undefined;
  /** What the call came to; without an argument, nothing. */
  settle(key: string, used?: Used): void;
  /** Takes one of each: a tool call, a session; or none, and answers with the limit that forbids it. */
  take(sessionId: string, key: string, amounts: readonly ('toolCalls' | 'descendants')[]): string | undefined;
  /** Work begins; returns how to say that it ended. Undefined when nobody counts time. */
  begin(sessionId: string, key: string): (() => void) | undefined;
  spentBy(sessionId: string): Spent;
  /** How many sessions there may still be below this one. @default as many as are asked for */
  descendantsLeft?(sessionId: string): number;
  /** More of the amounts that bound a session: what is not bounded stays so, and nothing is lowered. @default a run cannot be given more */
  raise?(sessionId: string, budget: Budget): void;
  /** Facts of calls that were made elsewhere, or before a restart, count too; each once. */
  add(fact: Fact): void;
}

export interface NewAccount {
  readonly sessionId: string;
  readonly parentId: string | null;
  readonly budget: Budget;
  /** What the session that this one goes on from had used. */
  readonly spent?: Spent;
  readonly price?: Price | 'reported';
  /** What its next request will have as input, as far as known. */
  readonly contextTokens: number;
  /** Ends the work of the session: with a last word left to say, or without. */
  halt(limit: string, options: { readonly isFinal: boolean }): void;
}

export interface Need {
  readonly sessionId: string;
  /** Session and operation: the same for every attempt of one model call. */
  readonly key: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly price?: Price | 'reported' | undefined;
  /** The session's last word: it may use what was held back for it. */
  readonly isLast: boolean;
  /** True while no reply has shown how the provider counts, so `inputTokens` may be too low. @default false */
  readonly isFirstEstimate?: boolean;
}

export type Grant =
  /** `limit`: the amount that leaves less output than was asked for. */
  | { readonly isGranted: true; readonly outputTokens: number; readonly limit?: string }
  /** `inputTokens`: how much input would do, when the input is what is too much; `left`: of the amount, last words held back. */
  | { readonly isGranted: false; readonly limit: string; readonly inputTokens?: number; readonly left?: number };

export interface Used {
  /** Zero for a failed request, which adds nothing to the conversation: all that it used is then in `outputTokens`. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}
