// What each agent used of the whole, the most first; those behind the first few are one.

import { addTotals, noTotals, shortCost, type Totals } from '@ai-agent/core';
import { tokensIn } from './figures.ts';

export interface Share {
  readonly name: string;
  /** Of the largest, from 0 to 1. */
  readonly share: number;
  /** With `+?` where some of it is unknown. */
  readonly amount: string;
}

const mostShown = 6;

/** In money; in tokens where no money is known at all. */
export function toShares(byName: Readonly<Record<string, Totals>>): readonly Share[] {
  const all = Object.entries(byName).filter(([, { modelCalls }]) => modelCalls > 0);
  const isMoney = all.some(([, { costUsd }]) => costUsd > 0);
  const sizeOf = (totals: Totals) => (isMoney ? totals.costUsd : totals.inputTokens + totals.outputTokens);
  const sorted = all.sort(([, a], [, b]) => sizeOf(b) - sizeOf(a));
  const shown = sorted.length > mostShown + 1 ? withOthers(sorted) : sorted;
  const largest = Math.max(...shown.map(([, totals]) => sizeOf(totals)), Number.MIN_VALUE);
  return shown.map(([name, totals]) => ({
    name,
    share: sizeOf(totals) / largest,
    amount: isMoney ? shortCost(totals, 'unknown') : `${tokensIn(totals)} tokens`,
  }));
}

function withOthers(sorted: readonly (readonly [string, Totals])[]): readonly (readonly [string, Totals])[] {
  const rest = sorted.slice(mostShown);
  const sum = rest.reduce((all, [, totals]) => addTotals(all, totals), noTotals);
  return [...sorted.slice(0, mostShown), [`${rest.length} others`, sum]];
}
