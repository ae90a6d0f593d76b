// What a call takes, and what a last word takes, as the design says it. The same for grants and for refusals.

import type { Need, NewAccount, Spent } from '@ai-agent/core';

export const amounts = ['tokens', 'costUsd'] as const;
export type Amount = (typeof amounts)[number];
export type Amounts = Readonly<Record<Amount, number>>;

/** What one session may use, and what it used. */
export interface Book {
  readonly id: string;
  readonly account: NewAccount;
  readonly spent: { -readonly [K in keyof Spent]: number };
  contextTokens: number;
  /** What each session below said last, until this one has read it. */
  readonly unread: Map<string, number>;
  /** Calls that were under way when the last one was granted, that one included. */
  atLastGrant: ReadonlySet<string>;
}

const mostReply = 1_024;
const share = 0.1;
const told = 64;
const leastReply = 16;
const longestMs = 30_000;

/** Tokens, or what they cost. Of a price that nobody knows before, nothing can be said. */
function worth(amount: Amount, price: Need['price'], inputTokens: number, outputTokens: number): number {
  if (amount === 'tokens') return inputTokens + outputTokens;
  return typeof price === 'object' ? (inputTokens * price.input + outputTokens * price.output) / 1e6 : 0;
}

/** All of the conversation once more with what it has not read, what is told, and a reply. */
export function lastWord({ account: { price }, contextTokens, unread }: Book, limit: number, amount: Amount): number {
  const inputTokens = [...unread.values()].reduce((sum, tokens) => sum + tokens, contextTokens);
  return worth(amount, price, inputTokens, 0) + spoken(limit, amount, price);
}

export function callItself({ inputTokens, price }: Need, outputTokens: number, amount: Amount): number {
  return worth(amount, price, inputTokens, outputTokens);
}

/** What a call may use at most. */
export function promisedTo(need: Need, outputTokens: number): Amounts {
  return { tokens: callItself(need, outputTokens, 'tokens'), costUsd: callItself(need, outputTokens, 'costUsd') };
}

/** Unless it is the last, a call is followed by one that has all of it as input. */
export function ownLastWord(
  { inputTokens, isLast, price }: Need,
  outputTokens: number,
  limit: number,
  amount: Amount,
): number {
  return isLast ? 0 : worth(amount, price, inputTokens + outputTokens, 0) + spoken(limit, amount, price);
}

/** The least reply that is worth asking for. */
export function least({ isLast, outputTokens }: Need, limit: number, amount: Amount): number {
  const wanted =
    amount === 'costUsd' ? leastReply : isLast ? Math.min(leastReply, shortReply(limit)) : shortReply(limit);
  return Math.min(wanted, outputTokens);
}

/** Whether all the time that is left is needed for the last words from this session up to the owner, or there is none. */
export function isTimeUp({ id, account }: Book, { timeMs: usedMs }: Spent, sessionId?: string): boolean {
  const { timeMs } = account.budget;
  if (timeMs === undefined) return false;
  const levels = sessionId === undefined ? 0 : sessionId.slice(id.length).split('~').length;
  return usedMs >= timeMs - Math.min(longestMs, timeMs * share) * levels - 1e-6;
}

function spoken(limit: number, amount: Amount, price: Need['price']): number {
  if (amount === 'tokens') return Math.max(told, shortReply(limit)) + shortReply(limit);
  if (typeof price !== 'object') return limit * share;
  return (told * price.input) / 1e6 + Math.min((mostReply * price.output) / 1e6, limit * share);
}

function shortReply(limit: number): number {
  return Math.max(1, Math.min(mostReply, Math.floor(limit * share)));
}
