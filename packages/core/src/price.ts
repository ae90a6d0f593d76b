// What a model costs, and what a call came to. A price nobody knows stays unknown.

import { checkKeys, isWholeFrom, type Owner, wrongField } from './complaint.ts';
import { isObject } from './json.ts';
import type { Usage } from './usage.ts';

/** US dollars per million tokens. */
export interface Price extends Rates {
  /** What all of a call costs once its input is long. @default the same however long it is */
  readonly above?: readonly PriceTier[];
}

interface Rates {
  readonly input: number;
  readonly output: number;
  /** @default as input */
  readonly cacheRead?: number;
  /** @default as input */
  readonly cacheWrite?: number;
}

/** The highest that a call reaches is that of the whole call, not only of what is above it. */
export interface PriceTier extends Rates {
  /** A call with more input than this, caches included, costs so much. From 0. */
  readonly inputTokens: number;
}

/** The price of a model; `reported` when its provider says the cost of each call; undefined when nobody knows. */
export type PriceResolver = (
  provider: string,
  model: string,
) => Price | 'reported' | undefined | Promise<Price | 'reported' | undefined>;

const rateKeys: readonly (keyof Rates)[] = ['input', 'output', 'cacheRead', 'cacheWrite'];

/** What a `prices` port or a model gave. Throws `agent-invalid`: a wrong price would make every sum wrong after it. */
export function readPrice(given: unknown, model: string): Price | 'reported' | undefined {
  if (given === undefined || given === 'reported') return given;
  const owner = { name: `prices of ${model}`, remedy: 'Correct what the prices port gives for this model.' };
  if (!isObject(given))
    throw wrongField(owner, 'the price', given, 'an object with input and output, "reported" or undefined');
  checkKeys(owner, given, [...rateKeys, 'above']);
  checkRates(owner, given, '');
  const { above = [] } = given;
  if (!Array.isArray(above)) throw wrongField(owner, 'above', above, 'a list of prices with inputTokens');
  for (const [i, tier] of above.entries()) checkTier(owner, tier, `above[${i}]`);
  return given as unknown as Price;
}

function checkTier(owner: Owner, tier: unknown, field: string): void {
  if (!isObject(tier)) throw wrongField(owner, field, tier, 'an object with inputTokens, input and output');
  checkKeys(owner, tier, [...rateKeys, 'inputTokens'], `${field}.`);
  if (!isWholeFrom(0, tier.inputTokens))
    throw wrongField(owner, `${field}.inputTokens`, tier.inputTokens, 'a whole number from 0');
  checkRates(owner, tier, `${field}.`);
}

function checkRates(owner: Owner, given: Readonly<Record<string, unknown>>, prefix: string): void {
  for (const key of rateKeys) {
    const value = given[key];
    const isLeftOut = value === undefined && key !== 'input' && key !== 'output';
    if (!isLeftOut && !(typeof value === 'number' && Number.isFinite(value) && value >= 0))
      throw wrongField(owner, prefix + key, value, 'a number from 0, in US dollars per million tokens');
  }
}

/** Undefined when the price or the tokens are unknown. */
export function costOf(price: Price | 'reported' | undefined, usage: Usage): number | undefined {
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  if (!price || price === 'reported' || inputTokens === undefined || outputTokens === undefined) return undefined;
  // All input tokens include what a cache gave or took.
  const plain = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const { input, output, cacheRead = input, cacheWrite = input } = ratesFor(price, inputTokens);
  return (
    (plain * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + outputTokens * output) / 1_000_000
  );
}

function ratesFor(price: Price, inputTokens: number): Rates {
  let [rates, from]: [Rates, number] = [price, -1];
  for (const tier of price.above ?? []) {
    if (inputTokens > tier.inputTokens && tier.inputTokens > from) [rates, from] = [tier, tier.inputTokens];
  }
  return rates;
}

/** The most that a call with so many tokens may cost; nothing where the price is unknown or only reported afterwards. */
export function dearestCost(
  price: Price | 'reported' | null | undefined,
  { inputTokens, outputTokens }: { readonly inputTokens: number; readonly outputTokens: number },
): number {
  if (typeof price !== 'object' || price === null) return 0;
  const { input, output } = dearestFor(price, inputTokens);
  return (inputTokens * input + outputTokens * output) / 1e6;
}

/** The most that a token of a call with so much input may cost, whatever a cache does: for promises, which must hold. */
export function dearestFor(price: Price, inputTokens: number): Pick<Price, 'input' | 'output'> {
  if (!price.above && price.cacheRead === undefined && price.cacheWrite === undefined) return price;
  const reached = [price, ...(price.above ?? []).filter((tier) => inputTokens > tier.inputTokens)];
  return {
    input: Math.max(...reached.flatMap(({ input, cacheRead = 0, cacheWrite = 0 }) => [input, cacheRead, cacheWrite])),
    output: Math.max(...reached.map(({ output }) => output)),
  };
}
