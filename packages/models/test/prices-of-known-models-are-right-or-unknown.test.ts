// The promise: a model at a public address costs what its provider says, to the cent and on the day; what is not known there
// stays unknown, and nobody is asked for it.

import { costOf, type Model } from '@ai-agent/core';
import { createModels, type ProviderConfig } from '@ai-agent/models';
import { describe, expect, onTestFinished, test } from 'vitest';

const autumn = Date.parse('2026-11-15T12:00:00Z');

async function open(ref: string, { config, now = autumn }: { config?: object; now?: number | (() => number) } = {}) {
  const [provider = ''] = ref.split('/');
  const providers = { [provider]: (config ?? {}) as ProviderConfig };
  const models = createModels({ providers, now: typeof now === 'number' ? () => now : now });
  onTestFinished(() => models.close());
  return models.resolve(ref, { env: {} });
}

const centsOf = ({ price }: Model, usage: Parameters<typeof costOf>[1]) => (costOf(price, usage) ?? Number.NaN) * 100;

describe('to the cent', () => {
  const usage = { inputTokens: 100_000, cacheReadTokens: 60_000, cacheWriteTokens: 20_000, outputTokens: 10_000 };

  test.each([
    ['anthropic/claude-sonnet-5', 20_000 * 2 + 60_000 * 0.2 + 20_000 * 2.5 + 10_000 * 10],
    ['anthropic/claude-opus-4-1-20250805', 20_000 * 15 + 60_000 * 1.5 + 20_000 * 18.75 + 10_000 * 75],
    ['google/gemini-2.5-pro', 40_000 * 1.25 + 60_000 * 0.125 + 10_000 * 10],
    ['openai/gpt-5.4', 40_000 * 2.5 + 60_000 * 0.25 + 10_000 * 15],
    ['openrouter/anthropic/claude-sonnet-5', 20_000 * 2 + 60_000 * 0.2 + 20_000 * 2.5 + 10_000 * 10],
  ])('%s, with what a cache gave and took', async (ref, millionths) => {
    expect(centsOf(await open(ref), usage)).toBeCloseTo(millionths / 10_000, 6);
  });

  test('above a tier, all of the call', async () => {
    const model = await open('openai/gpt-5.4');
    const long = { inputTokens: 300_000, cacheReadTokens: 100_000, outputTokens: 10_000 };
    expect(centsOf(model, long)).toBeCloseTo((200_000 * 5 + 100_000 * 0.5 + 10_000 * 22.5) / 10_000, 6);
    const [below, above] = [271_999, 272_000].map((inputTokens) => centsOf(model, { inputTokens, outputTokens: 0 }));
    expect(below).toBeCloseTo((271_999 * 2.5) / 10_000, 6);
    expect(above).toBeCloseTo((272_000 * 5) / 10_000, 6);
  });

  test('on the day, and a model that stays open goes with the time', async () => {
    let now = Date.parse('2026-09-01T00:00:00Z');
    const model = await open('google/gemini-3.8-flash', { now: () => now });
    const before = model.price;
    expect(before).toBeDefined();
    const prices = new Set<string>();
    for (const month of ['2026-01', '2026-06', '2026-10', '2027-02']) {
      now = Date.parse(`${month}-15T12:00:00Z`);
      prices.add(JSON.stringify(model.price));
    }
    expect(prices.size).toBeGreaterThan(1);
  });
});

describe('by whatever name', () => {
  test.each([
    ['openai/gpt-5.4-2026-03-05', 'openai/gpt-5.4'],
    ['anthropic/claude-sonnet-5-20260101', 'anthropic/claude-sonnet-5'],
    ['anthropic/claude-3-5-sonnet-latest', 'anthropic/claude-3-5-sonnet-20241022'],
    ['anthropic/claude-sonnet-4-20250514', 'anthropic/claude-sonnet-4'],
    ['google/models/gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['google/gemini-2.5-pro-preview-05-06', 'google/gemini-2.5-pro'],
    ['google/gemini-2.0-flash-001', 'google/gemini-2.0-flash'],
  ])('%s is %s', async (alias, name) => {
    const { price } = await open(name);
    expect(price).toBeDefined();
    expect((await open(alias)).price).toEqual(price);
  });

  test('the provider is known by its address, not by what it is called', async () => {
    const baseUrl = 'https://api.anthropic.com/v1';
    const mine = await open('mine/claude-sonnet-5', { config: { type: 'anthropic', baseUrl } });
    expect(mine.price).toEqual((await open('anthropic/claude-sonnet-5')).price);
  });
});

describe('unknown', () => {
  test.each([
    ['a model that nobody has heard of', 'openai/gpt-99'],
    ['a variant of a known one', 'openai/gpt-5.4-foo'],
    ['the next version of a known one', 'anthropic/claude-sonnet-5-1'],
    ['a smaller one whose name begins the same', 'google/gemini-3.8-flash-lite'],
    ['what is not charged by token', 'openai/whisper-1'],
    ['what gives no tokens', 'openai/text-embedding-3-small'],
  ])('%s', async (_, ref) => {
    expect((await open(ref)).price).toBeUndefined();
  });

  test.each([
    ['a shortcut that may cost anything', 'openrouter/anthropic/claude-sonnet-4.5:nitro'],
    ['one that is said to be free', 'openrouter/deepseek/deepseek-r1:free'],
    ['one that is free, and nobody knows', 'openrouter/foo/bar:free'],
    ['a router', 'openrouter/openrouter/auto'],
  ])('until its provider says so: %s', async (_, ref) => {
    expect((await open(ref)).price).toBe('reported');
  });

  test.each([
    ['charged by the request too', 'sonar-pro'],
    ['thoughts at a price of their own', 'sonar-deep-research'],
  ])('%s', async (_, name) => {
    const config = { type: 'openai-compatible', baseUrl: 'https://api.perplexity.ai' };
    const model = await open(`mine/${name}`, { config });
    expect(model.price).toBeUndefined();
    expect(model.contextWindowTokens).toBeGreaterThan(100_000);
  });

  test.each([
    ['an address that only begins like theirs', 'https://api.openai.com.example.net/v1', 'gpt-5.4'],
    ['an address that nobody knows', 'https://llm.example.com/v1', 'gpt-5.4'],
    ['the same in plain text', 'http://api.openai.com/v1', 'gpt-5.4'],
    ['this machine', 'http://localhost:8000/v1', 'gpt-5.4'],
    ['this network', 'https://10.0.0.7/v1', 'gpt-5.4'],
    ['a host of the house', 'https://gpu/v1', 'gpt-5.4'],
    ['a name of the house', 'https://api.openai.com.internal/v1', 'gpt-5.4'],
  ])('%s', async (_, baseUrl, name) => {
    const model = await open(`mine/${name}`, { config: { type: 'openai-compatible', baseUrl } });
    expect(model.price).toBeUndefined();
    expect(model.contextWindowTokens).toBeUndefined();
  });

  test('an Ollama, wherever it is', async () => {
    const config = { type: 'ollama', baseUrl: 'https://api.openai.com/v1' };
    expect((await open('mine/gpt-5.4', { config })).price).toBeUndefined();
  });
});

test('nobody is asked for it', async () => {
  const { fetch } = globalThis;
  onTestFinished(() => {
    globalThis.fetch = fetch;
  });
  const asked: unknown[] = [];
  globalThis.fetch = async (...args) => {
    asked.push(args);
    return new Response('[]');
  };
  const model = await open('openai/gpt-5.4');
  await new Promise((resolve) => setImmediate(resolve));
  expect(model.price).toMatchObject({ input: 2.5 });
  expect(asked).toEqual([]);
});
