// The account of one session: what it may use with everything below it, what it used, and what is promised.

import { type Budget, nothingSpent, type Spent } from '../budget.ts';
import type { NewAccount } from '../budget-port.ts';
import { wrapUp } from '../defaults.ts';
import { dearestFor, type Price } from '../price.ts';
import type { WorkTime } from './work-time.ts';

/** What a call under way may come to. */
export interface Promised {
  readonly tokens: number;
  readonly costUsd: number;
}

export class Account {
  readonly id: string;
  readonly parent: Account | undefined;
  readonly level: number;
  budget: Budget;
  readonly price: Price | 'reported' | undefined;
  readonly halt: NewAccount['halt'];
  /** This one and those above it that have a budget, nearest first. */
  readonly limited: readonly Account[];
  /** Which amounts any of them bounds: the others need no counting. */
  readonly bounds: Readonly<Partial<Record<keyof Budget, true>>>;
  /** Made when something is used: most accounts have no budget and are never charged. */
  #spent: { -readonly [K in keyof Spent]: number } | undefined;
  readonly promised = { tokens: 0, costUsd: 0 };
  /** How many calls that is promised to. */
  #calls = 0;
  contextTokens: number;
  /** What sessions below have said and this one has not read: it will be part of its next request. */
  #unread: Map<string, number> | undefined;
  time: WorkTime | undefined;
  /** Whether it says no more: others answer in its place. */
  isSilent = false;

  constructor(opened: NewAccount, parent: Account | undefined) {
    this.id = opened.sessionId;
    this.parent = parent;
    this.level = parent ? parent.level + 1 : 0;
    this.budget = opened.budget;
    this.price = opened.price;
    this.halt = opened.halt;
    this.contextTokens = opened.contextTokens;
    this.limited = Object.keys(opened.budget).length > 0 ? [this, ...(parent?.limited ?? [])] : (parent?.limited ?? []);
    this.bounds = boundsOf(opened.budget, parent?.bounds);
    if (opened.spent) this.#spent = { ...opened.spent };
  }

  /** Whether model calls have to be reserved. */
  get isMetered(): boolean {
    const { tokens, costUsd, turns } = this.bounds;
    return (tokens ?? costUsd ?? turns) === true;
  }

  /** More of what it bounds. What is not bounded stays so, and nothing is lowered. */
  raise(more: Budget): void {
    const raised = { ...this.budget } as Record<keyof Budget, number | undefined>;
    for (const [amount, value] of Object.entries(more) as [keyof Budget, number][]) {
      const limit = raised[amount];
      if (limit !== undefined) raised[amount] = Math.max(limit, value);
    }
    this.budget = raised as Budget;
  }

  get spent(): Spent {
    return this.#spent ?? nothingSpent;
  }

  charge(used: Partial<Spent>): void {
    this.#spent ??= { ...nothingSpent };
    for (const [key, value] of Object.entries(used) as [keyof Spent, number][]) this.#spent[key] += value;
  }

  promise({ tokens, costUsd }: Promised): void {
    this.#calls++;
    this.promised.tokens += tokens;
    this.promised.costUsd += costUsd;
  }

  release({ tokens, costUsd }: Promised): void {
    this.#calls--;
    this.promised.tokens -= tokens;
    // Fractions do not always come to nothing again, and the rest of them would be waited for in vain.
    this.promised.costUsd = this.#calls === 0 ? 0 : this.promised.costUsd - costUsd;
  }

  /** A call of this session settled: what it said is what its caller will read, if it was the last thing it said. */
  said(inputTokens: number, outputTokens: number): void {
    this.contextTokens = inputTokens + outputTokens;
    this.#unread = undefined;
    if (!this.parent) return;
    this.parent.#unread ??= new Map();
    this.parent.#unread.set(this.id, outputTokens);
  }

  /** What is left of an amount, without what is held back for last words of the given sessions. */
  left(amount: 'tokens' | 'costUsd' | 'turns', heldFor: readonly Account[]): number {
    const limit = this.budget[amount];
    if (limit === undefined) return Number.POSITIVE_INFINITY;
    let left = limit - this.spent[amount];
    for (const account of heldFor) left -= account.#lastWord(amount, limit);
    return left;
  }

  /** What a last word of this session takes: all of its conversation once more, what is told before it, and a reply. */
  #lastWord(amount: 'tokens' | 'costUsd' | 'turns', limit: number): number {
    if (this.isSilent) return 0;
    if (amount === 'turns') return 1;
    let inputTokens = this.contextTokens;
    for (const tokens of this.#unread?.values() ?? []) inputTokens += tokens;
    if (amount === 'tokens') return inputTokens + spokenTokens(limit);
    if (typeof this.price !== 'object') return spokenCost(limit, this.price, inputTokens);
    const { input } = dearestFor(this.price, inputTokens + wrapUp.toldTokens);
    return (inputTokens * input) / 1e6 + spokenCost(limit, this.price, inputTokens);
  }

  /** From this session up to the one that owns a budget, both included. */
  upTo(owner: Account): readonly Account[] {
    const path: Account[] = [];
    for (let at: Account | undefined = this; at; at = at.parent) {
      path.push(at);
      if (at === owner) break;
    }
    return path;
  }
}

const none: Account['bounds'] = {};

function boundsOf(budget: Budget, above: Account['bounds'] = none): Account['bounds'] {
  const own = Object.keys(budget);
  return own.length === 0 ? above : { ...above, ...Object.fromEntries(own.map((key) => [key, true])) };
}

/** What a last word takes beside its conversation: what is told before it, and a reply. */
export function spokenTokens(limit: number): number {
  return replyTokens(limit) + Math.max(wrapUp.toldTokens, replyTokens(limit));
}

/** The same in money, after a conversation of this length. Of a price that is only reported afterwards, a share is all that can be held back. */
export function spokenCost(limit: number, price: Price | 'reported' | undefined, inputTokens: number): number {
  const share = limit * wrapUp.share;
  if (typeof price !== 'object') return share;
  const { input, output } = dearestFor(price, inputTokens + wrapUp.toldTokens);
  return (wrapUp.toldTokens * input) / 1e6 + Math.min((wrapUp.tokens * output) / 1e6, share);
}

/** The least reply that is worth asking for, under a limit of this many tokens. */
export function replyTokens(limit: number): number {
  return Math.max(1, Math.min(wrapUp.tokens, Math.floor(limit * wrapUp.share)));
}
