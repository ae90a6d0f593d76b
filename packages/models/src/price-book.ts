// Prices as `.ai-agent.json` writes them, as the prices that a budget reckons with.

import { isObject, nearest, type Price, type PriceResolver } from '@ai-agent/core';
import { type ConfigProblem, isGiven, type KeyRule, oneOf, text } from './config-problem.ts';

/** `pricing.<provider>.<model>`; null is as good as left out. */
export interface PricingEntry {
  /** @default 'per_1m' */
  readonly unit?: 'per_1k' | 'per_1m' | null;
  /** Only US dollars are understood. @default 'USD' */
  readonly currency?: string | null;
  readonly prompt?: number | null;
  readonly completion?: number | null;
  /** @default as prompt */
  readonly cacheRead?: number | null;
  /** @default as prompt */
  readonly cacheWrite?: number | null;
}

export type Pricing = Readonly<Record<string, Readonly<Record<string, PricingEntry>>>>;

/** For the `prices` port. What is missing or cannot be understood is unknown: never free, and never a guess. */
export function priceBook(pricing: Pricing): PriceResolver {
  return (provider, model) => {
    const entry = heldIn(heldIn(pricing, provider), model);
    return isObject(entry) && problemsOf(entry).length === 0 ? toPrice(entry) : undefined;
  };
}

function heldIn(table: unknown, key: string): unknown {
  return isObject(table) && Object.hasOwn(table, key) ? table[key] : undefined;
}

function toPrice({ unit, prompt, completion, cacheRead, cacheWrite }: PricingEntry): Price {
  const factor = unit === 'per_1k' ? 1000 : 1;
  // Thousandths of a cent are written as they are meant, not as the next binary fraction of them.
  const ofMillion = (amount: number) => Number((amount * factor).toPrecision(12));
  return {
    input: ofMillion(prompt ?? 0),
    output: ofMillion(completion ?? 0),
    ...(isGiven(cacheRead) ? { cacheRead: ofMillion(cacheRead as number) } : {}),
    ...(isGiven(cacheWrite) ? { cacheWrite: ofMillion(cacheWrite as number) } : {}),
  };
}

/** What is to be said of a table of prices. Nothing of it is an error: a model works without its price. */
export function describePricing(pricing: unknown): readonly ConfigProblem[] {
  if (!isGiven(pricing)) return [];
  if (!isObject(pricing)) return [warning([], 'is not an object')];
  return Object.entries(pricing).flatMap(([provider, models]) => {
    if (!isGiven(models)) return [];
    if (!isObject(models)) return [warning([provider], 'is not an object')];
    return Object.entries(models).flatMap(([model, entry]) => inEntry(entry, [provider, model]));
  });
}

function inEntry(entry: unknown, path: readonly string[]): ConfigProblem[] {
  if (!isGiven(entry)) return [];
  if (!isObject(entry)) return [warning(path, 'is not an object')];
  const unknown = Object.keys(entry).filter((key) => !Object.hasOwn(rules, key));
  return [
    ...problemsOf(entry).map(([key, problem]) => warning([...path, key], `${problem}; the price is unknown`)),
    ...unknown.map((key): ConfigProblem => {
      const meant = nearest(key, Object.keys(rules));
      const hint = meant === undefined ? `there are ${Object.keys(rules).join(', ')}` : `the nearest is ${meant}`;
      return { ...warning([...path, key], `is not known; ${hint}`), code: 'key-unknown' };
    }),
  ];
}

const amount: KeyRule = { allowed: 'a number from 0', fits: (value) => Number.isFinite(value) && Number(value) >= 0 };
const rules: Readonly<Record<string, KeyRule>> = {
  unit: oneOf('per_1m', 'per_1k'),
  currency: {
    allowed: 'USD, which alone is understood',
    fits: (value) => text.fits(value) && /^usd$/i.test(String(value)),
  },
  prompt: amount,
  completion: amount,
  cacheRead: amount,
  cacheWrite: amount,
};

/** Why an entry is no price: by key. */
function problemsOf(entry: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  return Object.entries(rules).flatMap(([key, { allowed, fits }]) => {
    const value = entry[key];
    if (!isGiven(value)) return key === 'prompt' || key === 'completion' ? [[key, 'is missing'] as const] : [];
    return fits(value) ? [] : [[key, `is not ${allowed}`] as const];
  });
}

function warning(path: readonly string[], problem: string): ConfigProblem {
  const message = `${['pricing', ...path].join('.')} ${problem}.`;
  return { severity: 'warning', path, code: 'key-invalid', message };
}
