// What a last word takes, as the design says it: all of the conversation once more, and a short reply.

import type { Budget, Need, NewAccount, Spent } from '@ai-agent/core';

/** What one session may use, and what it used. */
export interface Book {
  readonly id: string;
  readonly account: NewAccount;
  readonly spent: { -readonly [K in keyof Spent]: number };
  contextTokens: number;
  isOpen: boolean;
  /** Calls that were under way when the last one was granted, that one included. */
  atLastGrant: ReadonlySet<string>;
}

const most = 1_024;
const share = 0.1;

export function lastWord({ account, contextTokens }: Book, budget: Budget, amount: 'tokens' | 'costUsd'): number {
  const limit = budget[amount] ?? Number.POSITIVE_INFINITY;
  if (amount === 'tokens') return contextTokens + shortReply(limit);
  const { input, output } = typeof account.price === 'object' ? account.price : { input: 0, output: 0 };
  return (contextTokens * input) / 1e6 + Math.min((most * output) / 1e6, limit * share);
}

/** The least that a call takes. */
export function leastReply(need: Need, budget: Budget, amount: 'tokens' | 'costUsd'): number {
  const least = Math.min(budget.tokens === undefined ? 16 : shortReply(budget.tokens), need.outputTokens);
  if (amount === 'tokens') return need.inputTokens + least;
  const { input, output } = typeof need.price === 'object' ? need.price : { input: 0, output: 0 };
  return (need.inputTokens * input + least * output) / 1e6;
}

function shortReply(limit: number): number {
  return Math.max(1, Math.min(most, Math.floor(limit * share)));
}
