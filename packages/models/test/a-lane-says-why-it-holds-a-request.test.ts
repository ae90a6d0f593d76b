// The promise: whoever has to wait on the way to a provider is told why, and how long where that is known; who may go on is told nothing.
import type { Entrant, Leave } from '@ai-agent/core';
import { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { Account, type AccountLimits } from '../src/lanes/account.ts';

type Told = Parameters<NonNullable<Entrant['onWait']>>;

/** The way to one model, where everybody says what it is told. */
function lane(limits: AccountLimits = {}) {
  const clock = new FakeClock();
  const account = new Account({ provider: 'p', clock, now: () => undefined });
  account.tighten(limits);
  const told: Told[] = [];
  const entrant = (): Entrant => ({
    owner: 'tree',
    tokens: 100,
    inputTokens: 60,
    signal: new AbortController().signal,
    onWait: (...wait) => told.push(wait),
  });
  const one = account.lane('m');
  return { clock, one, told, enter: () => one.enter(entrant()) };
}

test('nothing where nothing is in the way', () => {
  const { enter, told } = lane({ maxParallel: 2 });
  enter();
  enter();
  expect(told).toEqual([]);
});

test('that others are first', async () => {
  const { enter, told } = lane({ maxParallel: 1 });
  const leave = enter() as Leave;
  const waiting = enter();
  expect(told).toEqual([['queue']]);
  leave();
  expect(await waiting).toBeTypeOf('function');
});

test('how long a rate of the configuration keeps it', async () => {
  const { enter, told, clock } = lane({ requestsPerMinute: 1 });
  (enter() as Leave)();
  const waiting = enter();
  expect(told).toEqual([['rate_limit', 60_000]]);
  clock.advance(60_000);
  expect(await waiting).toBeTypeOf('function');
});

test('how long the provider wants no requests', async () => {
  const { one, enter, told, clock } = lane();
  (enter() as Leave)();
  one.failed({ code: 'model-rate-limit', retryAfterMs: 20_000 });
  const waiting = enter();
  expect(told).toEqual([['rate_limit', expect.any(Number)]]);
  expect(told[0]?.[1]).toBeGreaterThanOrEqual(20_000);
  clock.advance(told[0]?.[1] ?? 0);
  expect(await waiting).toBeTypeOf('function');
});

test('nothing to who is turned back: that one learns it from the error', async () => {
  const { one, enter, told } = lane();
  one.failed({ code: 'model-rate-limit', retryAfterMs: 600_000 });
  await expect(enter()).rejects.toMatchObject({ code: 'model-rate-limit' });
  expect(told).toEqual([]);
});
