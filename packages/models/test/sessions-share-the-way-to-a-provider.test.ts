// All sessions of a process that ask with one key: so many at once, so many a minute, and the owners of requests take turns.

import { asTool, type ModelResolver } from '@ai-agent/core';
import { createModels, describeProvider, type ProviderConfig } from '@ai-agent/models';
import { describe, expect, test } from 'vitest';
import { busyProvider } from './support/busy-provider.ts';
import { variable } from './support/calling.ts';
import { crowd, modelsOf, providerAt, session, sleep } from './support/sessions.ts';

async function expectEmpty(models: ModelResolver): Promise<void> {
  const { lane } = await models('mine/a', { env: {} });
  expect(lane).toMatchObject({ holders: 0, waiting: 0 });
}

describe('maxParallel', () => {
  test('bounds what is under way, whatever the model, and everybody is served', async () => {
    const provider = await busyProvider(undefined, 20);
    const models = modelsOf({
      mine: providerAt(provider.baseUrl, { maxParallel: 3 }),
      same: providerAt(provider.baseUrl),
    });
    const runs = ['mine/a', 'mine/b', 'same/c'].flatMap((model) => crowd(8, models, model));
    const outcomes = await Promise.all(runs.map(({ outcome }) => outcome));
    expect(outcomes.every(({ status }) => status === 'completed')).toBe(true);
    expect([provider.arrivals.length, provider.mostAtOnce]).toEqual([24, 3]);
    await expectEmpty(models);
  });

  test('of one key does not bound another', async () => {
    const provider = await busyProvider(undefined, 100);
    const models = modelsOf({ mine: providerAt(provider.baseUrl, { apiKey: variable('KEY'), maxParallel: 2 }) });
    const runs = ['key-one-0123456789', 'key-two-0123456789'].flatMap((KEY) =>
      crowd(4, models, 'mine/a', { envOverlay: { KEY } }),
    );
    await Promise.all(runs.map(({ outcome }) => outcome));
    expect(provider.mostAtOnce).toBe(4);
  });

  test('counts a stream until it has ended', async () => {
    const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }] })}\n\n`;
    const provider = await busyProvider((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(event);
      setTimeout(() => response.end('data: [DONE]\n\n'), 60);
      return true;
    });
    const models = modelsOf({ mine: providerAt(provider.baseUrl, { maxParallel: 1 }) });
    const runs = crowd(3, models, 'mine/a', { onEvent: () => {} });
    await Promise.all(runs.map(({ outcome }) => outcome));
    expect([provider.arrivals.length, provider.mostAtOnce]).toEqual([3, 1]);
  });
});

test('requestsPerMinute: a burst, then at a pace', async () => {
  const provider = await busyProvider();
  const models = modelsOf({ mine: providerAt(provider.baseUrl, { requestsPerMinute: 240 }) });
  await Promise.all(crowd(64, models, 'mine/a').map(({ outcome }) => outcome));
  const at = provider.arrivals.map((arrival) => arrival.at);
  // A quarter of a minute's worth is sixty; each of the others is sent a quarter of a second later, however late the first ones arrive.
  expect(at[63]).toBeGreaterThan(700);
  expect(at[63]).toBeLessThan(10_000);
});

test('a tree with fifty calls does not starve a session with one', async () => {
  const calls = Array.from({ length: 50 }, (_, i) => ({
    id: `c${i}`,
    type: 'function',
    function: { name: 'agent__child', arguments: JSON.stringify({ text: `part ${i}`, reason: 'r' }) },
  }));
  const spread = JSON.stringify({
    choices: [
      { index: 0, message: { role: 'assistant', content: null, tool_calls: calls }, finish_reason: 'tool_calls' },
    ],
  });
  const provider = await busyProvider((_, response, { prompt }) => {
    if (prompt !== 'spread') return undefined;
    response.end(spread);
    return true;
  }, 20);
  const models = modelsOf({ mine: providerAt(provider.baseUrl, { maxParallel: 2 }) });
  const child = { name: 'child', description: 'does a part', instructions: 'You do a part.', model: 'mine/a' };
  const limits = { maxToolCallsPerTurn: 50, maxParallel: 50 };
  const large = session(models, 'mine/a', 'spread', { agent: { tools: [asTool(child)], limits } });
  while (provider.arrivals.length < 4) await sleep(5);
  const asked = provider.arrivals.length;
  expect((await session(models, 'mine/a', 'small').outcome).status).toBe('completed');
  const place = provider.arrivals.findIndex(({ prompt }) => prompt === 'small');
  expect(place).toBeGreaterThanOrEqual(asked);
  expect(place - asked).toBeLessThan(6);
  expect(provider.arrivals.length).toBeLessThan(40);
  expect((await large.outcome).status).toBe('completed');
  expect(provider.arrivals).toHaveLength(53);
});

test('who is cancelled in the queue leaves it at once, and asks nobody', async () => {
  const provider = await busyProvider(undefined, 300);
  const models = modelsOf({ mine: providerAt(provider.baseUrl, { maxParallel: 1 }) });
  const [first, second, third] = ['one', 'two', 'three'].map((prompt) => session(models, 'mine/a', prompt));
  while (provider.arrivals.length === 0) await sleep(5);
  const begun = performance.now();
  second?.cancel();
  expect((await second?.outcome)?.status).toBe('cancelled');
  expect(performance.now() - begun).toBeLessThan(150);
  await Promise.all([first?.outcome, third?.outcome]);
  expect(provider.arrivals.map(({ prompt }) => prompt)).toEqual(['one', 'three']);
  await expectEmpty(models);
});

describe('a configuration', () => {
  test.each([
    ['maxParallel', 0, 'a whole number from 1'],
    ['maxParallel', 1.5, 'a whole number from 1'],
    ['requestsPerMinute', 0, 'a number above 0'],
    ['requestsPerMinute', '60', 'a number above 0'],
    ['tokensPerMinute', -1, 'a number above 0'],
  ])('with %s %j is refused', (key, value, allowed) => {
    const config = { ...providerAt('http://localhost/v1'), [key]: value } as ProviderConfig;
    expect(describeProvider('mine', config)).toMatchObject([
      { severity: 'error', path: [key], message: `Provider mine: its ${key} is not ${allowed}.` },
    ]);
    expect(() => createModels({ providers: { mine: config } })).toThrow(key);
  });

  test('with what they take, or null, is right', () => {
    const limits = { maxParallel: 4, requestsPerMinute: 0.5, tokensPerMinute: 30_000 };
    expect(describeProvider('mine', providerAt('http://localhost/v1', limits))).toEqual([]);
    expect(describeProvider('mine', { ...providerAt('http://localhost/v1'), maxParallel: null })).toEqual([]);
  });
});
