// A provider that wants to be left alone for long is left alone: the next model is asked, or the call fails clearly, at once.

import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { createModels } from '@ai-agent/models';
import { describe, expect, test } from 'vitest';
import { busyProvider, refuse } from './support/busy-provider.ts';
import { crowd, modelsOf, providerAt, realClock, session, sleep } from './support/sessions.ts';

async function pausedFor(seconds: number, more: { readonly clock?: FakeClock } = {}) {
  const paused = await busyProvider((count, response) =>
    count === 1 ? refuse(response, { 'retry-after': `${seconds}` }) : undefined,
  );
  const other = await busyProvider();
  const models = modelsOf(
    { paused: providerAt(paused.baseUrl), other: providerAt(other.baseUrl, { apiKey: 'other-key-0123456789' }) },
    more.clock ? { clock: more.clock, now: () => more.clock?.now() ?? 0 } : {},
  );
  return { paused, other, models };
}

/** Sockets take real time; the clock only moves when they are quiet. */
async function inQuietTime<T>(clock: FakeClock, work: Promise<T>): Promise<T> {
  const begun = clock.now();
  let isDone = false;
  void work.then(() => {
    isDone = true;
  });
  while (!isDone && clock.now() - begun < 700_000) {
    await sleep(40);
    if (!isDone && clock.nextAt !== undefined) clock.advance(Math.min(5_000, clock.nextAt - clock.now()) || 1);
  }
  return work;
}

describe('for an hour', () => {
  test('the others go to the next model without a request, and say why', async () => {
    const { paused, other, models } = await pausedFor(3_600);
    const begun = performance.now();
    const first = await session(models, ['paused/a', 'other/b']).outcome;
    expect(first.status).toBe('completed');
    const outcomes = await Promise.all(crowd(5, models, ['paused/a', 'other/b']).map(({ outcome }) => outcome));
    for (const outcome of outcomes) {
      expect(outcome.status).toBe('completed');
      expect(outcome.ledger.entries).toMatchObject([
        { status: 'refused' },
        { provider: 'other', model: 'b', status: 'ok' },
      ]);
    }
    expect(performance.now() - begun).toBeLessThan(5_000);
    expect([paused.arrivals.length, other.arrivals.length]).toEqual([1, 6]);
  });

  test('without a next model it fails at once, naming the provider and the wait', async () => {
    const { paused, models } = await pausedFor(3_600);
    await session(models, ['paused/a', 'other/b']).outcome;
    const begun = performance.now();
    const outcome = await session(models, 'paused/a').outcome;
    expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'model-rate-limit', class: 'rate_limit' } });
    const { message = '', retryAfterMs = 0 } = outcome.status === 'failed' ? outcome.failure : {};
    expect(message).toMatch(/provider paused .* another 3\d\d\d s/);
    expect(retryAfterMs).toBeGreaterThan(3_590_000);
    expect(performance.now() - begun).toBeLessThan(4_000);
    expect(paused.arrivals).toHaveLength(1);
  });

  test('those who wait already are told at once, too', async () => {
    const paused = await busyProvider((count, response) => {
      if (count > 1) return undefined;
      setTimeout(() => refuse(response, { 'retry-after': '600' }), 100);
      return true;
    });
    const other = await busyProvider();
    const models = modelsOf({
      paused: providerAt(paused.baseUrl, { maxParallel: 1 }),
      other: providerAt(other.baseUrl, { apiKey: 'other-key-0123456789' }),
    });
    const outcomes = await Promise.all(crowd(4, models, ['paused/a', 'other/b']).map(({ outcome }) => outcome));
    expect(outcomes.every(({ status }) => status === 'completed')).toBe(true);
    expect([paused.arrivals.length, other.arrivals.length]).toEqual([1, 4]);
  });

  test('also when only its headers say that nothing is left', async () => {
    const paused = await busyProvider((_, response) => {
      response.setHeader('x-ratelimit-remaining-requests', '0').setHeader('x-ratelimit-reset-requests', '20m0s');
    });
    const other = await busyProvider();
    const models = modelsOf({ paused: providerAt(paused.baseUrl), other: providerAt(other.baseUrl) });
    for (let i = 0; i < 3; i++)
      expect((await session(models, ['paused/a', 'other/b']).outcome).status).toBe('completed');
    expect([paused.arrivals.length, other.arrivals.length]).toEqual([1, 2]);
  });
});

test('for two minutes: with no other model a call waits them out, once', async () => {
  const clock = new FakeClock();
  const { paused, models } = await pausedFor(120, { clock });
  const begun = clock.now();
  const runs = crowd(3, models, 'paused/a', { ports: fakePorts({ clock, models }) });
  const outcomes = Promise.all(runs.map(({ outcome }) => outcome));
  await inQuietTime(clock, outcomes);
  expect((await outcomes).map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
  expect(clock.now() - begun).toBeGreaterThanOrEqual(120_000);
  expect(clock.now() - begun).toBeLessThan(130_000);
  expect(paused.arrivals.length).toBeGreaterThanOrEqual(4);
});

describe('for a minute and a half, with no other model', () => {
  async function afterARefusal(limits: { readonly maxRetries: number; readonly llmTimeoutMs?: number }) {
    const clock = new FakeClock();
    const { paused, models } = await pausedFor(90, { clock });
    const ports = fakePorts({ clock, models });
    const first = session(models, 'paused/a', 'go', { ports, agent: { limits: { maxRetries: 1 } } });
    expect((await first.outcome).status).toBe('failed');
    const begun = clock.now();
    const agent = { limits, budget: { timeMs: 20_000 } };
    const outcome = await inQuietTime(clock, session(models, 'paused/a', 'go', { ports, agent }).outcome);
    return { outcome, tookMs: clock.now() - begun, requests: paused.arrivals.length };
  }

  test('one who never asked waits it out, with its only request still to come and none of its time used', async () => {
    const { outcome, tookMs, requests } = await afterARefusal({ maxRetries: 1 });
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(outcome.ledger.entries).toMatchObject([{ status: 'ok' }]);
    expect(tookMs).toBeGreaterThanOrEqual(90_000);
    // On a busy machine the clock moves a little while the last request is under way.
    expect(tookMs).toBeLessThan(100_000);
    expect(requests).toBe(2);
  });

  test('one whose calls may not take as long is told at once', async () => {
    const { outcome, tookMs, requests } = await afterARefusal({ maxRetries: 2, llmTimeoutMs: 5_000 });
    expect(outcome).toMatchObject({ status: 'failed', failure: { code: 'model-rate-limit' } });
    expect([tookMs, requests]).toEqual([0, 1]);
  });
});

test('a clock for waiting is not asked for the date: without one a wait until a date is no wait for years', async () => {
  const provider = await busyProvider((count, response) =>
    count === 1 ? refuse(response, { 'retry-after': new Date(Date.now() + 2_000).toUTCString() }) : undefined,
  );
  const clock = { ...realClock, now: () => performance.now() };
  const models = createModels({ providers: { mine: providerAt(provider.baseUrl) }, clock });
  expect((await session(models.resolve, 'mine/a').outcome).status).toBe('completed');
  await models.close();
});
