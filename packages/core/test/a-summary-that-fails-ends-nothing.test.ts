// A summary that fails ends nothing: the session wraps up as it would without one, and none is asked for again and again.

import type { Middleware } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { askedOf, lookingFor, looks, silent, summing, talk, window } from './support/long-talks.ts';
import { agent, walk } from './support/walk.ts';

const limits = { ...window, maxTurns: 100, maxRetries: 1 };

describe('the session wraps up when the model', () => {
  test.each([
    ['fails', { fail: { code: 'model-failed' } }],
    ['refuses the key', { fail: { code: 'model-auth' } }],
    ['says nothing', { text: ' ', usage: silent }],
    ['has its words filtered', { text: 'half a', finishReason: 'content-filter' }],
    ['calls something instead', { calls: [{ name: 'look' }] }],
  ] as const)('%s', async (_, step) => {
    const one = agent(
      'lead',
      summing(lookingFor(12), () => step),
      { tools: [looks()], limits },
    );
    const { outcome, events } = await walk(one);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens', text: 'what I have' });
    expect(askedOf(one).summaries).toHaveLength(1);
    expect(events.some((event) => event.type === 'turn-end' && event.summedUp)).toBe(false);
  });
});

test('before the first turn the conversation is sent as it is', async () => {
  const one = agent(
    'lead',
    summing(['fine'], () => ({ fail: { code: 'model-failed' } })),
    { limits },
  );
  const { outcome } = await walk(one, 'and now?', { history: talk(11, 400) });
  expect(outcome).toMatchObject({ status: 'completed', text: 'fine' });
  expect(askedOf(one).turns[0]?.messages).toHaveLength(23);
});

test('one that was cut off is used as far as it goes', async () => {
  const cut = { text: 'the half of it', finishReason: 'length', usage: silent } as const;
  const one = agent(
    'lead',
    summing(lookingFor(8), () => cut),
    { tools: [looks()], limits },
  );
  expect((await walk(one)).outcome).toMatchObject({ status: 'completed' });
  expect(JSON.stringify(askedOf(one).turns.at(-1)?.messages)).toContain('the half of it');
});

test('where even a summary leaves no room, none is asked for', async () => {
  const one = agent('lead', lookingFor(12), { tools: [looks()], limits, instructions: 'word '.repeat(3_400) });
  const { outcome, events } = await walk(one);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens' });
  expect(events.some((event) => event.type === 'turn-start' && event.step)).toBe(false);
});

test('a conversation that is full again at once is not summed up for ever', async () => {
  const flood = ({ tools }: { tools: readonly unknown[] }) =>
    tools.length === 0
      ? { text: 'what I have', usage: silent }
      : { calls: Array.from({ length: 8 }, () => ({ name: 'look' })), usage: silent };
  const one = agent(
    'lead',
    summing(flood, () => 'so far'),
    { tools: [looks(1_200)], limits },
  );
  const { outcome, events } = await walk(one);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'contextWindowTokens', text: 'what I have' });
  expect(events.filter((event) => event.type === 'turn-start' && event.step)).toHaveLength(3);
  expect(askedOf(one).turns).toHaveLength(5);
});

test('a layer may forbid it', async () => {
  const never: Middleware = { name: 'never', decide: { turn: (plan) => ({ ...plan, sumsUp: false }) } };
  const one = agent('lead', lookingFor(5), { tools: [looks()], limits, middleware: [never] });
  await walk(one);
  expect(askedOf(one).summaries).toHaveLength(0);
});

test('a layer may ask for it, and nothing comes of it where little was said', async () => {
  const always: Middleware = { name: 'always', decide: { turn: (plan) => ({ ...plan, sumsUp: true }) } };
  const one = agent(
    'lead',
    summing(lookingFor(3), () => 'so far'),
    { tools: [looks()], limits, middleware: [always] },
  );
  const { outcome } = await walk(one);
  expect(outcome.status).toBe('completed');
  expect(askedOf(one).summaries.length).toBeLessThanOrEqual(1);
});

test('the last words of a run that breaks off after one are those before it', async () => {
  const script = summing(
    (request, turn) =>
      turn > 8
        ? { fail: { code: 'model-auth' } }
        : (lookingFor(12) as never as (r: unknown, t: number) => string)(request, turn),
    () => 'so far',
  );
  const one = agent('lead', script, { tools: [looks(3_000)], limits });
  const { outcome } = await walk(one);
  expect(outcome.text).toMatch(/^look \d$/);
});
