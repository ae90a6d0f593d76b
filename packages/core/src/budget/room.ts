// How much of a call fits into what a tree's budgets leave.

import type { Need } from '../budget-port.ts';
import { wrapUp } from '../defaults.ts';
import { costOf } from '../price.ts';
import { type Account, replyTokens } from './account.ts';

/** How much output fits, or which limit leaves too little, or neither: then what others hold may come free. */
export interface Room {
  readonly outputTokens?: number;
  readonly limit?: string;
  /** With a limit: how much input would fit beside the least reply. */
  readonly inputTokens?: number;
}

/** A call that is tried again takes no second turn. */
export function roomFor(need: Need, account: Account, isNewTurn: boolean): Room {
  let fits = need.outputTokens;
  let isWorthWaiting = false;
  for (const owner of account.limited) {
    const path = account.upTo(owner);
    // Its own last word is what it is about to say.
    const heldFor = need.isLast ? path.slice(1) : path;
    if (isNewTurn && owner.left('turns', heldFor) < 1) return { limit: 'turns' };
    for (const amount of ['tokens', 'costUsd'] as const) {
      const { now, later } = outputUnder(need, owner, amount, heldFor);
      const least = leastReply(need, owner);
      if (later < least) return { limit: amount, ...inputFor(need, amount, owner.left(amount, heldFor)) };
      // Enough for all of it once others have settled, or not even the least before: then waiting is better than less.
      isWorthWaiting ||= now < need.outputTokens && later > now && (later >= need.outputTokens || now < least);
      fits = Math.min(fits, now);
    }
  }
  return isWorthWaiting ? {} : { outputTokens: Math.floor(fits) };
}

/** How much output fits now, and once everybody else has settled. */
function outputUnder(need: Need, owner: Account, amount: 'tokens' | 'costUsd', heldFor: readonly Account[]) {
  const left = owner.left(amount, heldFor);
  return { now: outputFor(need, amount, left - owner.promised[amount]), later: outputFor(need, amount, left) };
}

function outputFor(need: Need, amount: 'tokens' | 'costUsd', left: number): number {
  if (left === Number.POSITIVE_INFINITY) return left;
  if (amount === 'tokens') return left - need.inputTokens;
  if (typeof need.price !== 'object') return left > 0 ? Number.POSITIVE_INFINITY : -1;
  const forOutput = left - (need.inputTokens * need.price.input) / 1e6;
  if (forOutput < 0) return -1;
  return need.price.output === 0 ? Number.POSITIVE_INFINITY : (forOutput * 1e6) / need.price.output;
}

/** The other way round: how much input leaves room for the least reply. */
function inputFor(need: Need, amount: 'tokens' | 'costUsd', left: number): Pick<Room, 'inputTokens'> {
  const least = Math.min(wrapUp.least, need.outputTokens);
  if (amount === 'tokens') return { inputTokens: Math.floor(left - least) };
  if (typeof need.price !== 'object' || need.price.input === 0) return {};
  return { inputTokens: Math.floor((left * 1e6 - least * need.price.output) / need.price.input) };
}

function leastReply(need: Need, { budget }: Account): number {
  const least = need.isLast || budget.tokens === undefined ? wrapUp.least : replyTokens(budget.tokens);
  return Math.min(least, need.outputTokens);
}

export function priceOf({ inputTokens, price }: Need, outputTokens: number): number {
  return typeof price === 'object' ? (costOf(price, { inputTokens, outputTokens }) ?? 0) : 0;
}
