// The promise: prices of a configuration come to dollars per million tokens, and what is no such price is unknown, and said.

import { costOf, type Price } from '@ai-agent/core';
import { describePricing, type Pricing, priceBook } from '@ai-agent/models';
import { expect, test } from 'vitest';

const priceOf = (entry: unknown) => priceBook({ openai: { 'gpt/5': entry } } as Pricing)('openai', 'gpt/5');

test.each([
  [
    { prompt: 2.5, completion: 10 },
    { input: 2.5, output: 10 },
  ],
  [
    { unit: 'per_1m', currency: 'USD', prompt: 2.5, completion: 10 },
    { input: 2.5, output: 10 },
  ],
  [
    { unit: 'per_1k', currency: 'usd', prompt: 0.00015, completion: 0.0006 },
    { input: 0.15, output: 0.6 },
  ],
  [
    { unit: null, prompt: 0, completion: 0, cacheRead: null },
    { input: 0, output: 0 },
  ],
  [
    { unit: 'per_1k', prompt: 0.003, completion: 0.015, cacheRead: 0.0003, cacheWrite: 0.00375 },
    { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  ],
])('%j is a price', (entry, price) => {
  expect(priceOf(entry)).toEqual(price);
  expect(describePricing({ openai: { m: entry } })).toEqual([]);
});

test('a call costs what the file says', () => {
  const price = priceOf({ unit: 'per_1k', prompt: 0.001, completion: 0.002, cacheRead: 0.0001 }) as Price;
  expect(costOf(price, { inputTokens: 2000, cacheReadTokens: 1000, outputTokens: 500 })).toBeCloseTo(0.0021, 12);
});

test.each([
  ['nobody', 'gpt/5'],
  ['openai', 'other'],
  ['constructor', 'name'],
  ['openai', 'constructor'],
])('the price of %s/%s is unknown', (provider, model) => {
  expect(priceBook({ openai: { 'gpt/5': { prompt: 1, completion: 1 } } })(provider, model)).toBeUndefined();
});

test.each([
  [{ currency: 'EUR', prompt: 1, completion: 1 }, 'warning', 'currency', 'is not USD: the price is unknown'],
  [{ prompt: 1 }, 'warning', 'completion', 'is missing: the price is unknown'],
  [{ prompt: null, completion: 1 }, 'warning', 'prompt', 'is missing: the price is unknown'],
  [{ unit: 'per_token', prompt: 1, completion: 1 }, 'error', 'unit', 'is not per_1m or per_1k'],
  [{ currency: 7, prompt: 1, completion: 1 }, 'error', 'currency', 'is not a text'],
  [{ prompt: '1', completion: 1 }, 'error', 'prompt', 'is not a number from 0'],
  [{ prompt: 1, completion: -1 }, 'error', 'completion', 'is not a number from 0'],
  [{ prompt: 1, completion: 1, cacheRead: Number.NaN }, 'error', 'cacheRead', 'is not a number from 0'],
])('%j is none: the price is unknown, and it is said', (entry, severity, key, words) => {
  expect(priceOf(entry)).toBeUndefined();
  expect(describePricing({ openai: { 'gpt/5': entry } })).toEqual([
    { severity, path: ['openai', 'gpt/5', key], code: 'key-invalid', message: `pricing.openai.gpt/5.${key} ${words}.` },
  ]);
});

test.each([
  [7, []],
  [{ openai: 7 }, ['openai']],
  [{ openai: { m: 7 } }, ['openai', 'm']],
])('%j is no table of prices', (pricing, path) => {
  expect(priceBook(pricing as unknown as Pricing)('openai', 'm')).toBeUndefined();
  expect(describePricing(pricing)).toMatchObject([{ severity: 'error', path, code: 'key-invalid' }]);
});

test('null is nothing to speak of', () => {
  for (const pricing of [undefined, null, {}, { openai: null }, { openai: { m: null } }])
    expect(describePricing(pricing)).toEqual([]);
});

test('a key that nobody knows is said, and the price counts', () => {
  const entry = { prompt: 1, completion: 1, cacheread: 1 };
  expect(priceOf(entry)).toEqual({ input: 1, output: 1 });
  expect(describePricing({ openai: { m: entry } })).toEqual([
    {
      severity: 'warning',
      path: ['openai', 'm', 'cacheread'],
      code: 'key-unknown',
      message: 'pricing.openai.m.cacheread is not known; the nearest is cacheRead.',
    },
  ]);
});
