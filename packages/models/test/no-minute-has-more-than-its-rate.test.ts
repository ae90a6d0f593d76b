// So many requests or tokens a minute: never more in any minute, spread over it, and none of it wasted.

import type { Entrant, Leave } from '@ai-agent/core';
import { FakeClock } from '@ai-agent/core/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Account, type AccountLimits } from '../src/lanes/account.ts';
import { Meter } from '../src/lanes/meter.ts';

const minute = 60_000;

/** The most that fell into any one minute. */
function mostInAMinute(started: readonly (readonly [at: number, amount: number])[]): number {
  const sums = started.map(([from]) =>
    started.filter(([at]) => at >= from && at < from + minute).reduce((sum, [, amount]) => sum + amount, 0),
  );
  return Math.max(0, ...sums);
}

/** Takes as much as it may, one after the other. */
function run(meter: Meter, amounts: readonly number[], comes: (i: number) => number = () => 0) {
  let now = 0;
  return amounts.map((amount, i) => {
    now = Math.max(now, comes(i));
    now += meter.waitMs(amount, now);
    expect(meter.waitMs(amount, now)).toBe(0);
    meter.count(amount, now);
    return [now, amount] as const;
  });
}

describe('a bound', () => {
  test('holds in any minute, whoever comes when', () => {
    const lists = fc.array(fc.record({ amount: fc.integer({ min: 0, max: 40 }), afterMs: fc.nat(30_000) }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(lists, fc.double({ min: 0.2, max: 50, noNaN: true }), (list, perMinute) => {
        let at = 0;
        const comes = list.map(({ afterMs }) => (at += afterMs));
        const most = Math.max(1, perMinute);
        const started = run(
          new Meter(perMinute),
          list.map(({ amount }) => amount),
          (i) => comes[i] ?? 0,
        ).map(([when, amount]) => [when, Math.min(amount, most)] as const);
        expect(mostInAMinute(started)).toBeLessThanOrEqual(most + 1e-6);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  test('is used up: ten minutes of sixty a minute take nine and some', () => {
    const started = run(new Meter(60), Array(600).fill(1));
    expect(mostInAMinute(started)).toBe(60);
    expect(started.at(-1)?.[0]).toBeLessThan(10 * minute);
    expect(started.at(-1)?.[0]).toBeGreaterThanOrEqual(9 * minute);
  });

  test('is spread: a quarter at once, the rest at a pace', () => {
    const started = run(new Meter(60), Array(60).fill(1)).map(([at]) => at);
    expect(started.filter((at) => at === 0)).toHaveLength(15);
    const gaps = started.slice(16).map((at, i) => at - (started[i + 15] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(1_000);
  });

  test.each([
    [0.5, [0, 120_000, 240_000]],
    [1, [0, 60_000, 120_000]],
    [2, [0, 30_000, 60_000]],
  ])('of %d a minute lets one through in its time', (perMinute, expected) => {
    expect(run(new Meter(perMinute), [1, 1, 1]).map(([at]) => at)).toEqual(expected);
  });

  test('does not keep out for ever what is more than all of it', () => {
    const started = run(new Meter(100), [5_000, 1, 5_000]).map(([at]) => at);
    expect(started[0]).toBe(0);
    expect(started[1]).toBe(minute);
    expect(started[2]).toBeGreaterThan(minute);
    expect(started[2]).toBeLessThanOrEqual(2 * minute);
  });

  test('counts what was really used as soon as that is known', () => {
    const meter = new Meter(1_000);
    const counted = meter.count(1_000, 0);
    expect(meter.waitMs(500, 100)).toBeGreaterThan(40_000);
    meter.correct(counted, 100, 100);
    expect(meter.waitMs(500, 100)).toBe(0);
    meter.correct(counted, 1_200, 200);
    expect(meter.waitMs(500, 200)).toBe(minute - 200);
    expect(meter.waitMs(500, minute)).toBe(0);
    // Too late: it is out of the window already.
    meter.correct(counted, 5_000, minute);
    expect(meter.isIdle(minute)).toBe(true);
    expect(meter.waitMs(1_000, 2 * minute)).toBe(0);
  });

  test('keeps nobody longer than a minute, however much more calls came to than was thought', () => {
    const meter = new Meter(10_000);
    const counted = Array.from({ length: 5 }, () => meter.count(500, 0));
    for (const one of counted) meter.correct(one, 200_000, 1_000);
    expect(meter.waitMs(1_000, 1_000)).toBeLessThanOrEqual(minute);
    expect(meter.waitMs(1_000, 1_000)).toBeGreaterThan(50_000);
    expect(meter.waitMs(1_000, minute + 1_000)).toBe(0);
  });

  test('gives back what a call did not use that took longer than a minute', () => {
    const meter = new Meter(10_000);
    const early = meter.count(10_000, 0);
    const late = meter.count(10_000, 50_000);
    // Two minutes are paid for, of which a quarter of one may be used early.
    expect(meter.waitMs(0, 70_000)).toBeGreaterThan(30_000);
    meter.correct(early, 100, 70_000);
    expect(meter.waitMs(0, 70_000)).toBe(0);
    meter.correct(late, 10_000, 200_000);
    meter.correct(late, 90_000, 200_000);
    expect(meter.waitMs(10_000, 200_000)).toBe(0);
    expect(meter.isIdle(200_000)).toBe(true);
  });
});

describe('a lane', () => {
  async function startsOf(limits: AccountLimits, tokens: readonly number[], used?: number) {
    const clock = new FakeClock(0);
    const account = new Account({ provider: 'mine', clock, now: clock.now.bind(clock) });
    account.tighten(limits);
    const lanes = [account.lane('a'), account.lane('b')] as const;
    const started: [number, number][] = [];
    const all = tokens.map(async (amount, i) => {
      const leave: Leave = await lanes[i % 2 ? 1 : 0].enter(entrant(`${i % 3}`, amount));
      started.push([clock.now(), amount]);
      leave(used);
    });
    while (started.length < tokens.length) {
      for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve));
      if (clock.nextAt !== undefined) clock.advance(clock.nextAt - clock.now());
    }
    await Promise.all(all);
    expect([account.holders, account.waiting, clock.timers]).toEqual([0, 0, 0]);
    return started;
  }

  const entrant = (owner: string, tokens: number): Entrant => ({
    owner,
    tokens,
    inputTokens: tokens,
    signal: new AbortController().signal,
  });

  test('keeps to requestsPerMinute', async () => {
    const started = await startsOf({ requestsPerMinute: 10 }, Array(35).fill(1));
    expect(mostInAMinute(started)).toBe(10);
    expect(started.at(-1)?.[0]).toBeLessThan(4 * minute);
  });

  test('keeps to tokensPerMinute, and takes back what a reply did not use', async () => {
    const asked = Array(12).fill(500);
    const held = await startsOf({ tokensPerMinute: 1_000 }, asked);
    expect(mostInAMinute(held)).toBeLessThanOrEqual(1_000);
    expect(held.at(-1)?.[0]).toBeGreaterThan(4 * minute);
    const used = await startsOf({ tokensPerMinute: 1_000 }, asked.slice(2), 50);
    expect(used.at(-1)?.[0]).toBeLessThan(minute);
  });

  test('keeps to both', async () => {
    const started = await startsOf({ requestsPerMinute: 5, tokensPerMinute: 300 }, Array(10).fill(100));
    expect(mostInAMinute(started)).toBeLessThanOrEqual(300);
    expect(mostInAMinute(started.map(([at]) => [at, 1]))).toBeLessThanOrEqual(5);
  });
});
