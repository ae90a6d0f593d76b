// Prices as `.ai-agent.json` writes them, as the prices that a budget reckons with.

import { isObject, nearest, type Price, type PriceResolver } from '@ai-agent/core';
import { type ConfigProblem, isGiven, type KeyRule, oneOf, text } from './config/config-problem.ts';

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

/** What is to be said of a table of prices: what is no price at all, and what we cannot reckon with. */
export function describePricing(pricing: unknown): readonly ConfigProblem[] {
  return inTable(pricing, [], (models, provider) =>
    inTable(models, [provider], (entry, model) => inEntry(entry, [provider, model])),
  );
}

function inTable(
  table: unknown,
  path: readonly string[],
  inValue: (value: unknown, key: string) => readonly ConfigProblem[],
): readonly ConfigProblem[] {
  if (!isGiven(table)) return [];
  if (!isObject(table)) return [toProblem(path, { problem: 'is not an object' })];
  return Object.entries(table).flatMap(([key, value]) => inValue(value, key));
}

function inEntry(entry: unknown, path: readonly string[]): readonly ConfigProblem[] {
  const known = Object.keys(rules);
  const unknown = inTable(entry, path, (_, key) => {
    if (known.includes(key)) return [];
    const meant = nearest(key, known);
    const hint = meant === undefined ? `there are ${known.join(', ')}` : `the nearest is ${meant}`;
    return [toProblem([...path, key], { problem: `is not known; ${hint}`, severity: 'warning', code: 'key-unknown' })];
  });
  if (!isObject(entry)) return unknown;
  return [...unknown, ...problemsOf(entry).map(({ key, ...found }) => toProblem([...path, key], found))];
}

const amount: KeyRule = { allowed: 'a number from 0', fits: (value) => Number.isFinite(value) && Number(value) >= 0 };
const rules: Readonly<Record<string, KeyRule>> = {
  unit: oneOf('per_1m', 'per_1k'),
  currency: text,
  prompt: amount,
  completion: amount,
  cacheRead: amount,
  cacheWrite: amount,
};

type Found = Partial<Pick<ConfigProblem, 'severity' | 'code'>> & { readonly problem: string };

/** Why an entry is no price: by key. */
function problemsOf(entry: Readonly<Record<string, unknown>>): readonly (Found & { readonly key: string })[] {
  return Object.entries(rules).flatMap(([key, { allowed, fits }]) => {
    const value = entry[key];
    if (isGiven(value) && !fits(value)) return [{ key, problem: `is not ${allowed}` }];
    const problem = gapIn(key, value);
    return problem === undefined ? [] : [{ key, problem: `${problem}: the price is unknown`, severity: 'warning' }];
  });
}

function gapIn(key: string, value: unknown): string | undefined {
  if (key === 'currency') return isGiven(value) && !/^usd$/i.test(String(value)) ? 'is not USD' : undefined;
  return (key === 'prompt' || key === 'completion') && !isGiven(value) ? 'is missing' : undefined;
}

function toProblem(
  path: readonly string[],
  { problem, severity = 'error', code = 'key-invalid' }: Found,
): ConfigProblem {
  return { severity, path, code, message: `${['pricing', ...path].join('.')} ${problem}.` };
}
