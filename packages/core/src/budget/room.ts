// How much a model may answer in one call: as much as fits under every budget above it, last words held back.

import type { Need } from '../budget-port.ts';
import { wrapUp } from '../defaults.ts';
import { dearestFor } from '../price.ts';
import { type Account, replyTokens, spokenCost, spokenTokens } from './account.ts';

/** How much output fits, or which limit leaves too little, or neither: then what others hold may come free. */
export interface Room {
  readonly outputTokens?: number;
  /** Without output, the limit that leaves too little; with it, the one that leaves less than was asked for. */
  readonly limit?: string;
  /** Without output: how much input would have fitted. */
  readonly inputTokens?: number;
  readonly left?: number;
}

export function roomFor(need: Need, account: Account, isNewTurn: boolean): Room {
  const shares: Share[] = [];
  for (const owner of account.limited) {
    const path = account.upTo(owner);
    if (isNewTurn && owner.left('turns', need.isLast ? path.slice(1) : path) < 1) return { limit: 'turns' };
    shares.push(...amounts.flatMap((amount) => shareOf(need, owner, amount, path.slice(1)) ?? []));
  }
  const short = shares.find(({ later, least }) => later < least);
  if (short) return { limit: short.amount, left: short.left, ...inputFor(need, short) };
  if (shares.some((share) => isWorthWaiting(need, share))) return {};
  const rooms = shares.map((share) => ({ limit: share.amount, outputTokens: outputOf(need, share) }));
  const { outputTokens, ...limit } = rooms.reduce(smaller, { outputTokens: need.outputTokens });
  return { outputTokens: Math.floor(outputTokens), ...limit };
}

type Output = { readonly outputTokens: number; readonly limit?: string };

function smaller(one: Output, other: Output): Output {
  return other.outputTokens < one.outputTokens ? other : one;
}

/** While nothing confirms the estimate of the input, a last reply gets half of what is left: the input may be larger. */
function outputOf({ isLast, isFirstEstimate }: Need, { now, least }: Share): number {
  return isLast && isFirstEstimate ? Math.max(Math.min(now, least), now / 2) : now;
}

const amounts = ['tokens', 'costUsd'] as const;

/** What one budget leaves for a call: how much output now, and how much once everybody else has settled. */
interface Share {
  readonly amount: (typeof amounts)[number];
  readonly left: number;
  readonly now: number;
  readonly later: number;
  /** The least reply that is worth asking for. */
  readonly least: number;
}

function shareOf(need: Need, owner: Account, amount: Share['amount'], heldFor: readonly Account[]): Share | undefined {
  const limit = owner.budget[amount];
  if (limit === undefined) return undefined;
  const left = owner.left(amount, heldFor);
  const outputFor = amount === 'tokens' ? tokensFor : moneyFor;
  return {
    amount,
    left,
    least: Math.min(need.outputTokens, leastFor(need, amount, limit)),
    now: outputFor(need, limit, left - owner.promised[amount]),
    later: outputFor(need, limit, left),
  };
}

/** Before its last word a session is asked for no less than a whole one. */
function leastFor({ isLast }: Need, amount: Share['amount'], limit: number): number {
  if (amount === 'costUsd') return wrapUp.leastTokens;
  return isLast ? Math.min(wrapUp.leastTokens, replyTokens(limit)) : replyTokens(limit);
}

/** Enough for all of it once others have settled, or not even the least before: then waiting is better than less. */
function isWorthWaiting({ outputTokens }: Need, { now, later, least }: Share): boolean {
  return now < outputTokens && later > now && (later >= outputTokens || now < least);
}

/** What is said before a last word is paid for twice: now, and as a part of that one's input. */
function tokensFor({ inputTokens, isLast }: Need, limit: number, left: number): number {
  return (isLast ? left : (left - spokenTokens(limit)) / 2) - inputTokens;
}

function moneyFor({ inputTokens, outputTokens, isLast, price }: Need, limit: number, left: number): number {
  // A last word reads all of this reply again, and may cost what longer calls do.
  const readAgain = isLast ? 0 : inputTokens + outputTokens;
  const room = left - (isLast ? 0 : spokenCost(limit, price, readAgain));
  if (typeof price !== 'object') return room > 0 ? Number.POSITIVE_INFINITY : -1;
  const now = dearestFor(price, inputTokens);
  const again = isLast ? 0 : dearestFor(price, readAgain + wrapUp.toldTokens).input;
  const forOutput = room * 1e6 - inputTokens * (now.input + again);
  if (forOutput < 0) return -1;
  const perToken = now.output + again;
  return perToken === 0 ? Number.POSITIVE_INFINITY : forOutput / perToken;
}

/** How much input would leave room for the least reply of a last word. */
function inputFor({ price, inputTokens }: Need, { amount, left, least }: Share): Pick<Room, 'inputTokens'> {
  if (amount === 'tokens') return { inputTokens: Math.floor(left - least) };
  if (typeof price !== 'object') return {};
  const { input, output } = dearestFor(price, inputTokens);
  return input === 0 ? {} : { inputTokens: Math.floor((left * 1e6 - least * output) / input) };
}
