// A 429 is told to one and meant for all: nobody asks again before the wait is over, and then not everybody at once.

import { AgentError, type Entrant, type Leave } from '@ai-agent/core';
import { FakeClock } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { Account } from '../src/lanes/account.ts';
import { busyProvider, refuse } from './support/busy-provider.ts';
import { crowd, modelsOf, providerAt, session, sleep } from './support/sessions.ts';

describe('sessions of one process', () => {
  const refusals: Readonly<Record<string, Parameters<typeof refuse>[1] | readonly [status: number, object]>> = {
    'Retry-After': { 'retry-after': '1' },
    'retry-after-ms': { 'retry-after-ms': '1000' },
    'a word in the body': [429, { error: { message: 'Please try again in 1s.', type: 'rate_limit_error' } }],
    'a field of the body': [429, { error: { code: 429, details: [{ retryDelay: '1.0s' }] } }],
    nothing: {},
    'an overload with a wait': [529, { error: { message: 'Overloaded', retry_after: 1 } }],
  };

  test('all wait when one is refused, however it is said', async () => {
    const wrong = await Promise.all(
      Object.entries(refusals).map(async ([name, refusal]) => {
        const provider = await busyProvider((count, response) => {
          if (count > 1) return undefined;
          if (!Array.isArray(refusal)) return refuse(response, refusal as Record<string, string>);
          return refuse(response, {}, { status: refusal[0], body: refusal[1] });
        });
        const models = modelsOf({ mine: providerAt(provider.baseUrl) });
        const first = session(models, 'mine/a');
        while (provider.arrivals.length === 0) await sleep(5);
        await sleep(100);
        const others = crowd(6, models, 'mine/a');
        const outcomes = await Promise.all([first, ...others].map(({ outcome }) => outcome));
        const [, second = 0] = provider.arrivals.map(({ at }) => at);
        const isRight = outcomes.every(({ status }) => status === 'completed') && provider.arrivals.length === 8;
        return isRight && second > 980 && second < 4_000 ? [] : [`${name}: ${second} ms`];
      }),
    );
    expect(wrong.flat()).toEqual([]);
  });

  test('an overload without a wait makes nobody else wait', async () => {
    const provider = await busyProvider((count, response) =>
      count === 1 ? refuse(response, {}, { status: 529, body: {} }) : undefined,
    );
    const models = modelsOf({ mine: providerAt(provider.baseUrl) });
    const first = session(models, 'mine/a');
    while (provider.arrivals.length === 0) await sleep(5);
    await sleep(50);
    await session(models, 'mine/a').outcome;
    expect(provider.arrivals[1]?.at).toBeLessThan(450);
    await first.outcome;
  });

  test('the one who was refused waits once, not twice', async () => {
    const provider = await busyProvider((count, response) =>
      count <= 2 ? refuse(response, { 'retry-after': '1' }) : undefined,
    );
    const { outcome } = session(modelsOf({ mine: providerAt(provider.baseUrl) }), 'mine/a');
    expect((await outcome).status).toBe('completed');
    const [, second = 0, third = 0] = provider.arrivals.map(({ at }) => at);
    expect(second).toBeLessThan(1_900);
    expect(third - second).toBeGreaterThan(980);
    // Its own pause before the third is at most two seconds.
    expect(third - second).toBeLessThan(2_900);
  });

  test('another key is not disturbed', async () => {
    const provider = await busyProvider((_, response, { headers }) =>
      headers.authorization === 'Bearer key-one-0123456789' ? refuse(response, { 'retry-after': '20' }) : undefined,
    );
    const models = modelsOf({
      one: providerAt(provider.baseUrl, { apiKey: 'key-one-0123456789' }),
      two: providerAt(provider.baseUrl, { apiKey: 'key-two-0123456789' }),
    });
    const refused = session(models, 'one/a');
    while (provider.arrivals.length === 0) await sleep(5);
    const outcomes = await Promise.all(crowd(5, models, 'two/a').map(({ outcome }) => outcome));
    expect(outcomes.every(({ status }) => status === 'completed')).toBe(true);
    expect(provider.arrivals.every(({ at }) => at < 5_000)).toBe(true);
    refused.cancel();
    expect((await refused.outcome).status).toBe('cancelled');
  });

  test('a dead provider costs each call maxRetries requests and no more', async () => {
    const provider = await busyProvider((_, response) => refuse(response, { 'retry-after-ms': '50' }));
    const models = modelsOf({ mine: providerAt(provider.baseUrl) });
    const runs = crowd(4, models, 'mine/a', { agent: { limits: { maxRetries: 2 } } });
    const outcomes = await Promise.all(runs.map(({ outcome }) => outcome));
    for (const outcome of outcomes)
      expect(outcome).toMatchObject({ status: 'failed', failure: { class: 'rate_limit' } });
    expect(provider.arrivals).toHaveLength(8);
  });
});

describe('after a refusal', () => {
  const refusal = (retryAfterMs?: number) =>
    new AgentError('model-rate-limit', 'Slow down', retryAfterMs === undefined ? {} : { retryAfterMs });
  const well = { ok: true, headers: new Headers() };
  const entrant = (owner: string): Entrant => ({
    owner,
    tokens: 1,
    inputTokens: 1,
    signal: new AbortController().signal,
  });
  const tick = () => new Promise<void>((resolve) => setImmediate(resolve));

  /** A lane with some under way and many that wait. */
  function busyLane(underWay: number, waiting: number) {
    const clock = new FakeClock(0);
    const lane = new Account({ provider: 'mine', clock, now: () => clock.now() }).lane('a');
    const inside: Leave[] = Array.from({ length: underWay }, (_, i) => lane.enter(entrant(`${i}`)) as Leave);
    const started: number[] = [];
    const queue = () => {
      for (let i = 0; i < waiting; i++)
        void (async () => {
          inside.push(await lane.enter(entrant(`w${i}`)));
          started.push(clock.now());
        })();
    };
    const answerOne = () => {
      lane.hear(well, lane.send());
      inside.shift()?.();
    };
    return { clock, lane, inside, started, queue, answerOne };
  }

  test('nobody starts before the wait is over; then one, and with each answer more', async () => {
    const { clock, lane, inside, started, queue, answerOne } = busyLane(1, 20);
    lane.failed(refusal(5_000));
    inside.shift()?.();
    queue();
    clock.advance(4_999);
    await tick();
    expect(started).toEqual([]);
    clock.advance(1);
    await tick();
    expect(started).toEqual([5_000]);
    clock.advance(10);
    answerOne();
    await tick();
    expect(started).toHaveLength(2);
    answerOne();
    await tick();
    expect(started).toHaveLength(4);
    answerOne();
    await tick();
    expect(started).toHaveLength(8);
  });

  test('who is not refused within a second has been let in, however slow its reply: nobody hangs behind it', async () => {
    const { clock, lane, inside, started, queue } = busyLane(40, 20);
    lane.failed(refusal(1_000));
    for (const leave of inside.splice(0)) leave();
    queue();
    clock.advance(1_000);
    await tick();
    expect(started).toHaveLength(1);
    for (const expected of [2, 4, 8, 16, 20]) {
      clock.advance(1_000);
      await tick();
      expect(started).toHaveLength(expected);
    }
  });

  test('half as many are under way, one more with each answer, and all of them again in the end', async () => {
    const { clock, lane, inside, queue, answerOne } = busyLane(8, 100);
    lane.failed(refusal(1_000));
    for (const leave of inside.splice(0)) leave();
    queue();
    clock.advance(10_000);
    await tick();
    expect(lane.holders).toBe(4);
    for (const expected of [5, 6, 7]) {
      answerOne();
      await tick();
      expect(lane.holders).toBe(expected);
    }
    answerOne();
    await tick();
    expect(lane.waiting).toBe(0);
  });

  test('those under way who are refused for the same reason do not count again', async () => {
    const { clock, lane, inside, started, queue } = busyLane(8, 10);
    for (let i = 0; i < 8; i++) lane.failed(refusal());
    for (const leave of inside.splice(0)) leave();
    queue();
    clock.advance(999);
    await tick();
    expect(started).toEqual([]);
    clock.advance(1);
    await tick();
    expect(started).toEqual([1_000]);
    clock.advance(5_000);
    await tick();
    expect(lane.holders).toBe(4);
  });

  /** How long nobody may start after each of so many refusals. */
  async function pausesAfter({ clock, lane }: ReturnType<typeof busyLane>, count: number, saidMs?: number) {
    const pauses: number[] = [];
    for (let i = 0; i < count; i++) {
      lane.failed(refusal(saidMs));
      const from = clock.now();
      const entering = lane.enter(entrant('a')) as Promise<Leave>;
      clock.advance((clock.nextAt ?? from) - from);
      (await entering)();
      pauses.push(clock.now() - from);
    }
    return pauses;
  }

  test('without a word pauses double up to half a minute; what was long enough is halved, and forgotten in a minute', async () => {
    const busy = busyLane(0, 0);
    const { clock, lane } = busy;
    expect(await pausesAfter(busy, 6)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000]);
    lane.hear(well, lane.send());
    expect(await pausesAfter(busy, 3)).toEqual([16_000, 30_000, 30_000]);
    lane.hear(well, lane.send());
    clock.advance(60_000);
    expect(await pausesAfter(busy, 2)).toEqual([1_000, 2_000]);
  });

  test.each([
    [0, [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]],
    [6, [250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000]],
    [1_000, [1_000, 1_000, 1_000, 2_000, 4_000, 8_000, 16_000]],
    [20_000, [20_000, 20_000, 20_000]],
  ])('a wait of %d ms that is too short is not believed again and again', async (saidMs, expected) => {
    expect(await pausesAfter(busyLane(0, 0), expected.length, saidMs)).toEqual(expected);
  });

  test('those of before who are refused after the pause, before anybody has asked again, do not count either', async () => {
    const busy = busyLane(8, 0);
    busy.lane.failed(refusal(6));
    busy.clock.advance(300);
    for (let i = 0; i < 7; i++) busy.lane.failed(refusal(6));
    for (const leave of busy.inside.splice(0)) leave();
    busy.clock.advance(10);
    expect(await pausesAfter(busy, 3, 6)).toEqual([6, 500, 1_000]);
  });

  test('as many as were let in before follow soon, and more only slowly', async () => {
    const { clock, lane, inside, started, queue, answerOne } = busyLane(40, 100);
    for (let i = 0; i < 10; i++) answerOne();
    for (let i = 0; i < 30; i++) lane.failed(refusal(0));
    for (const leave of inside.splice(0)) leave();
    queue();
    clock.advance(250);
    await tick();
    for (let i = 0; i < 5; i++) {
      answerOne();
      await tick();
    }
    expect(started).toHaveLength(10);
    for (const expected of [11, 14, 19]) {
      clock.advance(1_000);
      await tick();
      expect(started).toHaveLength(expected);
    }
  });

  test('how long to wait is a better word than what is left until when', async () => {
    const { clock, lane, inside, started, queue } = busyLane(1, 1);
    const headers = new Headers({ 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '50s' });
    lane.hear({ ok: false, headers }, lane.send());
    lane.failed(refusal(2_000));
    inside.shift()?.();
    queue();
    clock.advance(2_000);
    await tick();
    expect(started).toEqual([2_000]);
  });

  test('another failure changes nothing: nobody waits, not even for a promise', () => {
    const { lane } = busyLane(1, 0);
    for (const code of ['model-unavailable', 'model-network', 'model-timeout', 'model-quota', 'cancelled'] as const)
      lane.failed(new AgentError(code, 'It failed'));
    lane.failed(new AgentError('model-auth', 'It failed', { retryAfterMs: 9_000 }));
    for (let i = 0; i < 5; i++) expect(lane.enter(entrant('a'))).toBeTypeOf('function');
  });

  test('a minute without another one is enough, whatever became of those who started', async () => {
    const { clock, lane, inside, queue } = busyLane(2, 30);
    lane.failed(refusal(1_000));
    queue();
    clock.advance(60_000);
    await tick();
    expect(inside).toHaveLength(2);
    clock.advance(1_000);
    await tick();
    expect(lane.waiting).toBe(0);
  });
});
