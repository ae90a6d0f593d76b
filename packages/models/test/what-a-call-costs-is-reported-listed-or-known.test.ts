// The promise: over real HTTP, a call costs what its provider reports; else by the list of the configuration; else by what
// everybody may know of the model.

import { ask, type Model, type PriceResolver } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { createModels, createTransport, priceBook } from '@ai-agent/models';
import { expect, onTestFinished, test } from 'vitest';
import { serve } from './support/raw-server.ts';

const usage = {
  prompt_tokens: 100_000,
  completion_tokens: 1_000,
  prompt_tokens_details: { cached_tokens: 80_000 },
};

/** A provider at a public address, as far as anybody can tell; what it is sent arrives on this machine. */
async function publicModel(ref: string): Promise<Model> {
  const { baseUrl } = await serve((_, response) => {
    const choice = { index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' };
    response.end(JSON.stringify({ choices: [choice], usage }));
  });
  const real = createTransport();
  const fetch: typeof globalThis.fetch = (input, init) => {
    const url = new URL(String(input));
    expect(url.origin).toBe('https://api.x.ai');
    return real.fetch(baseUrl.replace(/\/v1$/, '') + url.pathname, init);
  };
  const models = createModels({ providers: { xai: {} }, transport: { fetch, close: () => real.close() } });
  onTestFinished(() => real.close());
  return models.resolve(ref, { env: {} });
}

const costBy = async (model: Model, prices?: PriceResolver) => {
  const agent = { name: 'a', instructions: 'x', model, budget: { costUsd: 10 } };
  const outcome = await ask(agent, 'go', { ports: fakePorts(prices ? { prices } : {}) });
  expect(outcome).toMatchObject({ status: 'completed', usage: { unknownCostCalls: 0 } });
  return outcome.usage.costUsd;
};

const listed = priceBook({ xai: { 'grok-4-0709': { prompt: 1, completion: 2, cacheRead: 0.5 } } });

test('known', async () => {
  expect(await costBy(await publicModel('xai/grok-4-0709'))).toBeCloseTo(0.02 * 3 + 0.08 * 0.75 + 0.001 * 15, 9);
});

test('listed', async () => {
  const model = await publicModel('xai/grok-4-0709');
  expect(await costBy(model, listed)).toBeCloseTo(0.02 * 1 + 0.08 * 0.5 + 0.001 * 2, 9);
});

test('reported', async () => {
  const model = await publicModel('xai/grok-4-0709');
  const call: Model['call'] = async (...asked) => ({ ...(await model.call(...asked)), costUsd: 0.125 });
  expect(await costBy({ ...model, call }, listed)).toBe(0.125);
});

test('by nobody: money that is counted is refused before anything is sent', async () => {
  const model = await publicModel('xai/grok-99');
  const agent = { name: 'a', instructions: 'x', model, budget: { costUsd: 10 } };
  const outcome = await ask(agent, 'go', { ports: fakePorts({ prices: listed }) });
  expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'price-unknown' }, usage: { modelCalls: 0 } });
});
