// What a model costs, and what a call came to. A price nobody knows stays unknown.

import { checkKeys, wrongField } from './complaint.ts';
import { isObject } from './json.ts';
import type { Usage } from './usage.ts';

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

const priceKeys: readonly (keyof Price)[] = ['input', 'output', 'cacheRead', 'cacheWrite'];

/** What a `prices` port gave. Throws `agent-invalid`: a wrong price would make every sum wrong after it. */
export function readPrice(given: unknown, model: string): Price | 'reported' | undefined {
  if (given === undefined || given === 'reported') return given;
  const owner = { name: `prices of ${model}`, remedy: 'Correct what the prices port gives for this model.' };
  if (!isObject(given))
    throw wrongField(owner, 'the price', given, 'an object with input and output, "reported" or undefined');
  checkKeys(owner, given, priceKeys);
  for (const key of priceKeys) {
    const value = given[key];
    const isLeftOut = value === undefined && key !== 'input' && key !== 'output';
    if (!isLeftOut && !(typeof value === 'number' && Number.isFinite(value) && value >= 0))
      throw wrongField(owner, key, value, 'a number from 0, in US dollars per million tokens');
  }
  return given as unknown as Price;
}

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
