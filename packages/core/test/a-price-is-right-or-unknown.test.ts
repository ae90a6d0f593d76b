// What a prices port gives is read with distrust: it is a price, or unknown, or a failure that names it. Never NaN.

import { ask, type Price, type PriceResolver } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';

const askWith = (given: () => unknown, budget = {}) => {
  const model = scriptedModel(['ok'], { provider: 'house', model: 'm' });
  const prices = given as unknown as PriceResolver;
  return ask({ name: 'a', instructions: 'x', model }, 'go', { ports: fakePorts({ prices }), budget });
};

test.each<[string, unknown, string]>([
  ['a text', 'cheap', 'the price is "cheap" and must be an object with input and output'],
  ['a number', 3, 'the price is 3'],
  ['null', null, 'the price is null'],
  ['nothing for the output', { input: 1 }, 'output is undefined and must be a number from 0'],
  ['numbers in words', { input: '1', output: 2 }, 'input is "1" and must be a number from 0'],
  ['a debt', { input: -1, output: 2 }, 'input is -1'],
  ['no number', { input: 1, output: Number.NaN }, 'output is NaN'],
  ['a cache that is wrong', { input: 1, output: 1, cacheRead: 'x' }, 'cacheRead is "x"'],
  ['a key that nobody knows', { input: 1, output: 1, cached: 1 }, 'cached is not known; known are input, output'],
])('%s, whether money is counted or not', async (_, price, words) => {
  for (const budget of [{}, { costUsd: 1 }]) {
    const outcome = await askWith(() => price, budget);
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'config', code: 'agent-invalid' } });
    const { message, remedy } = outcome.status === 'failed' ? outcome.failure : { message: '', remedy: '' };
    expect(message).toContain(`prices of house/m: ${words}`);
    expect(remedy).toContain('prices port');
  }
});

test.each<[string, Price | 'reported' | undefined, number]>([
  ['a price', { input: 100_000, output: 0 }, 1],
  ['a price for caches too', { input: 100_000, output: 0, cacheRead: 1, cacheWrite: 1 }, 1],
  ['what nobody knows', undefined, 0],
  ['what the provider says', 'reported', 0],
])('%s is taken', async (_, price, costUsd) => {
  const outcome = await askWith(() => price);
  expect(outcome).toMatchObject({ status: 'completed', usage: { costUsd } });
});

test('a port that throws says why when money is counted, and leaves the price unknown when not', async () => {
  const broken = () => {
    throw new TypeError('no table today');
  };
  const outcome = await askWith(broken, { costUsd: 1 });
  expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'price-unknown', class: 'config' } });
  expect(outcome.status === 'failed' && outcome.failure.message).toContain('no table today');
  expect(await askWith(broken)).toMatchObject({ status: 'completed', usage: { costUsd: 0, unknownCostCalls: 1 } });
});
