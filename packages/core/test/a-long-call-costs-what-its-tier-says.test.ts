// The promise: once its input is above a tier, all of a call costs what the tier says; and no promise of money forgets it.

import { asTool, costOf, type Price, type PriceResolver } from '@ai-agent/core';
import { fakePorts, type Script } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const price: Price = {
  input: 1,
  output: 10,
  cacheRead: 0.1,
  cacheWrite: 1.25,
  // Not in order: the highest that is reached counts.
  above: [
    { inputTokens: 500_000, input: 4, output: 40, cacheRead: 0.4 },
    { inputTokens: 200_000, input: 2, output: 20, cacheRead: 0.2, cacheWrite: 2.5 },
  ],
};

test.each([
  ['below', { inputTokens: 100_000, outputTokens: 1_000 }, 0.1 + 0.01],
  ['at the tier itself', { inputTokens: 200_000, outputTokens: 1_000 }, 0.2 + 0.01],
  ['above, of all tokens', { inputTokens: 200_001, outputTokens: 1_000 }, 0.400002 + 0.02],
  [
    'above, with what a cache gave and took',
    { inputTokens: 300_000, outputTokens: 1_000, cacheReadTokens: 200_000, cacheWriteTokens: 50_000 },
    0.1 + 0.04 + 0.125 + 0.02,
  ],
  [
    'a cache alone lifts it, and what the tier does not say is as its input',
    { inputTokens: 600_000, outputTokens: 0, cacheReadTokens: 500_000, cacheWriteTokens: 50_000 },
    0.2 + 0.2 + 0.2,
  ],
])('%s', (_, usage, costUsd) => {
  expect(costOf(price, usage)).toBeCloseTo(costUsd, 9);
});

const withPrice = (given: unknown, script: Script, options: object = {}) => {
  const prices = (() => given) as PriceResolver;
  return walk(agent('lead', script), 'go', { ports: fakePorts({ prices }), ...options });
};

describe('a tier is read with distrust', () => {
  test.each<[string, unknown, string]>([
    ['no list', { inputTokens: 1 }, 'above is an object and must be a list of prices with inputTokens'],
    ['no object', ['dear'], 'above[0] is "dear" and must be an object'],
    ['no threshold', [{ input: 1, output: 1 }], 'above[0].inputTokens is undefined and must be a whole number from 0'],
    ['a debt', [{ inputTokens: 1, input: -1, output: 1 }], 'above[0].input is -1 and must be a number from 0'],
    ['no output', [{ inputTokens: 1, input: 1 }], 'above[0].output is undefined'],
    ['a key that nobody knows', [{ inputTokens: 1, input: 1, output: 1, start: 2 }], 'above[0].start is not known'],
  ])('%s', async (_, above, words) => {
    const { outcome } = await withPrice({ input: 1, output: 1, above }, ['ok']);
    expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'config', code: 'agent-invalid' } });
    expect(outcome.status === 'failed' && outcome.failure.message).toContain(`prices of scripted/model: ${words}`);
  });
});

test('a call is booked at the price of its tier', async () => {
  const { outcome } = await withPrice(price, [{ text: 'ok', usage: { inputTokens: 300_000, outputTokens: 100 } }]);
  expect(outcome.usage.costUsd).toBeCloseTo(0.6 + 0.002, 9);
});

describe('money stays within its budget', () => {
  /** Counts as we do, uses all it may, and goes on as long as it may. */
  const spender = (words: number, more: object = {}) => {
    const script: Script = ({ settings, tools, system, messages }) => {
      const bytes = Buffer.byteLength(system + JSON.stringify(messages) + JSON.stringify(tools));
      const inputTokens = Math.ceil(bytes / 3.5);
      const usage = { inputTokens, outputTokens: settings.maxOutputTokens ?? 0, ...more };
      return {
        text: 'ok',
        usage: { ...usage, ...('cacheWriteTokens' in more ? { cacheWriteTokens: inputTokens } : {}) },
      };
    };
    return agent('lead', script, { instructions: 'word '.repeat(words), settings: { maxOutputTokens: 4_000 } });
  };
  const askWith = async (given: Price, costUsd: number, more: object = {}) => {
    const lead = spender(7_000, more);
    const ports = fakePorts({ prices: () => given });
    const { outcome } = await walk(lead, 'go', { ports, budget: { costUsd } });
    return { outcome, asked: lead.model.requests[0]?.settings.maxOutputTokens };
  };
  // About ten thousand tokens of prompt.
  const above = [{ inputTokens: 5_000, input: 10, output: 100 }];

  test('a reply is cut to what is left at the price of its tier', async () => {
    const flat = await askWith({ input: 1, output: 10 }, 0.4);
    const tiered = await askWith({ input: 1, output: 10, above }, 0.4);
    expect(flat.asked).toBe(4_000);
    expect(tiered.asked).toBeLessThan(4_000);
    expect(tiered.outcome.status).toBe('completed');
    expect(tiered.outcome.usage.costUsd).toBeLessThanOrEqual(0.4);
  });

  test('a call that only the tier makes too dear is not made', async () => {
    const { outcome, asked } = await askWith({ input: 1, output: 10, above }, 0.09);
    expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'budget-exhausted' } });
    expect(asked).toBeUndefined();
  });

  test('nor one that is dearer because a cache takes it all', async () => {
    const dear: Price = { input: 1, output: 10, cacheWrite: 20 };
    const { outcome } = await askWith(dear, 0.15, { cacheWriteTokens: 0 });
    expect(outcome.usage.costUsd).toBeLessThanOrEqual(0.15);
  });

  test('two calls at once are promised what both will cost', async () => {
    const child = (name: string) => ({ ...spender(7_000), name });
    const calls = ['a', 'b'].map((name) => ({ name: `agent__${name}`, input: { text: 'go', reason: 'r' } }));
    const lead = agent('lead', ({ messages }) => (messages.length > 1 ? 'done' : { calls }), {
      tools: [asTool(child('a')), asTool(child('b'))],
    });
    const costUsd = 0.9;
    const ports = fakePorts({ prices: () => ({ input: 1, output: 10, above }) });
    const { outcome } = await walk(lead, 'go', { ports, budget: { costUsd } });
    expect(outcome.usage.modelCalls).toBeGreaterThan(1);
    expect(outcome.usage.costUsd).toBeLessThanOrEqual(costUsd);
  });
});
