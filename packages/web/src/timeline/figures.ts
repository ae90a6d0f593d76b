// What a row used: tokens, how many of them came from a cache, and money. What nobody knows is kept apart from zero.

import { addTotals, noTotals, shortCost, shortCount, type Totals } from '@ai-agent/core';

export interface Figures {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly costUsd: number;
  /** Model calls whose tokens, and whose price, nobody knows. */
  readonly unknownUsageCalls: number;
  readonly unknownCostCalls: number;
}

/** In place of a figure that comes only when a model call has ended. */
export const notYet = '…';

/** A model call that was cut off with its process: one request was sent, and its usage is unknown. */
export const unknownCall: Figures = { ...noTotals, unknownUsageCalls: 1, unknownCostCalls: 1 };

/** Of a session and everything below it; nothing where no model was asked. */
export function figuresOfTotals(totals: Totals | undefined): Figures | undefined {
  return totals && totals.modelCalls > 0 ? totals : undefined;
}

export function sumFigures(parts: readonly (Figures | undefined)[]): Figures | undefined {
  const known = parts.filter((part) => part !== undefined);
  if (known.length === 0) return undefined;
  return known.reduce<Totals>((sum, part) => addTotals(sum, { ...noTotals, ...part }), noTotals);
}

/** `4.1k`; `?` where nothing is known, and `4.1k+?` where some of it is unknown. */
export function tokensIn(figures: Figures): string {
  return countIn(figures.inputTokens + figures.outputTokens, figures);
}

/** Of one side of it: the same. */
export function countIn(count: number, { unknownUsageCalls }: Pick<Figures, 'unknownUsageCalls'>): string {
  if (unknownUsageCalls === 0) return shortCount(count);
  return count === 0 ? '?' : `${shortCount(count)}+?`;
}

/** How much of what was read came from a cache. Nothing where nobody says what was read. */
export function cacheShareIn({ inputTokens, cacheReadTokens }: Figures): string | undefined {
  return inputTokens === 0 ? undefined : `${Math.round((100 * cacheReadTokens) / inputTokens)}%`;
}

export function figuresInWords(figures: Figures | undefined): readonly string[] {
  if (!figures) return [];
  const tokens = tokensIn(figures);
  const share = cacheShareIn(figures);
  return [
    tokens === '?' ? 'tokens unknown' : `${tokens} tokens`,
    shortCost(figures),
    ...(share === undefined ? [] : [`${share} from cache`]),
  ];
}
