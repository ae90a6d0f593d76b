// What a model costs, and what a call came to. A price nobody knows stays unknown.

import type { Usage } from './model.ts';

/** US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** @default as input */
  readonly cacheRead?: number;
  /** @default as input */
  readonly cacheWrite?: number;
}

/** The price of a model; `reported` when its provider says the cost of each call; undefined when nobody knows. */
export type PriceResolver = (
  provider: string,
  model: string,
) => Price | 'reported' | undefined | Promise<Price | 'reported' | undefined>;

/** Undefined when the price or the tokens are unknown. */
export function costOf(price: Price | 'reported' | undefined, usage: Usage): number | undefined {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  if (!price || price === 'reported' || inputTokens === undefined || outputTokens === undefined) return undefined;
  // All input tokens include what a cache gave or took.
  const plain = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const { input, output, cacheRead = input, cacheWrite = input } = price;
  return (
    (plain * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + outputTokens * output) / 1_000_000
  );
}
