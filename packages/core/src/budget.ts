// What a whole tree may use: amounts, and what was used of each.

import { complaint, type Owner, wrongField } from './complaint.ts';
import { isObject } from './json.ts';

/** Shared by a session and everything below it. A session below can only narrow what it was given. */
export interface Budget {
  /** Input and output tokens of all model calls. */
  readonly tokens?: number;
  /** Money; every model needs a known price. */
  readonly costUsd?: number;
  /** Time at work: waiting in a queue or for a person does not count. */
  readonly timeMs?: number;
  /** Model calls. */
  readonly turns?: number;
  /** Tool calls, those of sub-agents included. */
  readonly toolCalls?: number;
  /** Sessions below, however deep. @default 64 for a whole tree */
  readonly descendants?: number;
}

/** What was used of each amount. */
export type Spent = { readonly [K in keyof Budget]-?: number };

export const nothingSpent: Spent = { tokens: 0, costUsd: 0, timeMs: 0, turns: 0, toolCalls: 0, descendants: 0 };

/**
 * Time that the budgets of a session and of its callers had used when a call ended, keyed by the session with the budget.
 * A restart counts on from these numbers, not from timestamps.
 */
export type TimeSpentMs = Readonly<Record<string, number>>;

/** Throws `agent-invalid`. */
export function checkBudget(owner: Owner, budget: unknown): void {
  if (budget === undefined) return;
  if (!isObject(budget)) throw wrongField(owner, 'budget', budget, 'an object of amounts');
  for (const [key, value] of Object.entries(budget)) {
    if (!Object.hasOwn(nothingSpent, key))
      throw complaint(owner, `budget.${key} is not known; known are ${Object.keys(nothingSpent).join(', ')}`);
    const isAmount = typeof value === 'number' && Number.isFinite(value) && value >= 0;
    if (!isAmount || (key !== 'costUsd' && !Number.isInteger(value)))
      throw wrongField(owner, `budget.${key}`, value, `a ${key === 'costUsd' ? '' : 'whole '}number from 0`);
  }
}

/** The tighter of two, amount by amount. */
export function narrower(a: Budget = {}, b: Budget = {}): Budget {
  const both = { ...a } as Record<keyof Budget, number>;
  for (const [key, value] of Object.entries(b) as [keyof Budget, number][])
    both[key] = Math.min(both[key] ?? value, value);
  return both;
}
