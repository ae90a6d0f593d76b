// Who waits on the way to a provider, is called in, refused or cancelled at any step: nothing is left behind, nobody forgotten.

import { AgentError, type Entrant, isAgentError, type Leave } from '@ai-agent/core';
import { FakeClock } from '@ai-agent/core/testing';
import { createModels } from '@ai-agent/models';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { Account, type AccountLimits } from '../src/lanes/account.ts';
import type { ModelLane } from '../src/lanes/lane.ts';
import { Lanes } from '../src/lanes/lanes.ts';
import { Throttle } from '../src/lanes/throttle.ts';

const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
const refusal = (retryAfterMs?: number) =>
  new AgentError('model-rate-limit', 'Slow down', retryAfterMs === undefined ? {} : { retryAfterMs });
const answer = (headers: Readonly<Record<string, string>> = {}, ok = true) => ({ ok, headers: new Headers(headers) });

function laneOf(limits: AccountLimits = {}) {
  const clock = new FakeClock(0);
  const account = new Account({ provider: 'mine', clock, now: () => clock.now() });
  account.tighten(limits);
  const [lane, other] = [account.lane('a'), account.lane('b')];
  const expectEmpty = () => {
    expect([account.holders, account.waiting, clock.timers]).toEqual([0, 0, 0]);
    for (const one of [lane, other]) expect([one.holders, one.waiting]).toEqual([0, 0]);
  };
  return { clock, account, lane, other, expectEmpty };
}

type Laid = ReturnType<typeof laneOf>;

function entrant(owner = 'a', signal = new AbortController().signal, tokens = 10): Entrant {
  return { owner, tokens, inputTokens: tokens, signal };
}

/** In the order in which they were let in. */
function enterAll(lane: ModelLane, owners: readonly string[]) {
  const inside: { readonly owner: string; readonly leave: Leave }[] = [];
  for (const owner of owners) void (async () => inside.push({ owner, leave: await lane.enter(entrant(owner)) }))();
  return inside;
}

describe('without limits', () => {
  test('nobody waits, not even for a promise, and nothing is kept', () => {
    const { lane, expectEmpty } = laneOf();
    const leaves = Array.from({ length: 100 }, () => lane.enter(entrant()));
    expect(leaves.every((leave) => typeof leave === 'function')).toBe(true);
    expect(lane.holders).toBe(100);
    for (const leave of leaves) (leave as Leave)();
    expectEmpty();
    expect(lane.isIdle).toBe(true);
  });

  test('so it is again when all that was learned is over', async () => {
    const { lane, clock } = laneOf();
    (lane.enter(entrant()) as Leave)();
    lane.hear(answer({ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '2s' }), lane.send());
    lane.failed(refusal());
    expect(lane.isIdle).toBe(false);
    clock.advance(120_000);
    expect(typeof lane.enter(entrant())).toBe('function');
    expect(typeof lane.enter(entrant())).toBe('function');
  });
});

test('a throttle is off again a minute after its pause', () => {
  const throttle = new Throttle();
  throttle.refused(0, 8, 1_000);
  expect([throttle.waitMs(60_999, 0), throttle.isOff]).toEqual([0, false]);
  expect([throttle.waitMs(61_000, 8), throttle.isOff]).toEqual([0, true]);
});

describe('owners', () => {
  test('take turns: one with many does not keep out one with few', async () => {
    const { lane } = laneOf({ maxParallel: 1 });
    const inside = enterAll(lane, [...Array(50).fill('large'), 'small', 'tiny']);
    for (let i = 0; i < 52; i++) {
      await tick();
      inside[i]?.leave();
    }
    expect(inside.slice(0, 4).map(({ owner }) => owner)).toEqual(['large', 'large', 'small', 'tiny']);
    expect(inside).toHaveLength(52);
  });
});

describe('a cancelled wait', () => {
  test('ends at once with its reason, and the others go on', async () => {
    const { lane, clock, expectEmpty } = laneOf({ maxParallel: 1 });
    const leave = lane.enter(entrant()) as Leave;
    const controller = new AbortController();
    const waiting = lane.enter(entrant('a', controller.signal)) as Promise<Leave>;
    const next = lane.enter(entrant('a')) as Promise<Leave>;
    expect(lane.waiting).toBe(2);
    const reason = new AgentError('cancelled', 'enough');
    controller.abort(reason);
    expect(lane.waiting).toBe(1);
    await expect(waiting).rejects.toBe(reason);
    leave();
    (await next)();
    expect(clock.timers).toBe(0);
    expectEmpty();
  });

  test('takes its timer along', async () => {
    const { lane, clock, expectEmpty } = laneOf();
    lane.failed(refusal(5_000));
    const controller = new AbortController();
    const waiting = lane.enter(entrant('a', controller.signal)) as Promise<Leave>;
    expect(clock.timers).toBe(1);
    controller.abort('enough');
    expectEmpty();
    await expect(waiting).rejects.toBe('enough');
    await expect(lane.enter(entrant('a', controller.signal))).rejects.toBe('enough');
    expectEmpty();
  });

  test('of the first lets in the second, whom the first kept waiting', async () => {
    const { lane } = laneOf();
    lane.hear(answer({ 'x-ratelimit-remaining-tokens': '100', 'x-ratelimit-reset-tokens': '30s' }), lane.send());
    const controller = new AbortController();
    const large = lane.enter(entrant('a', controller.signal, 500)) as Promise<Leave>;
    const small = lane.enter(entrant('b', undefined, 50)) as Promise<Leave>;
    controller.abort('enough');
    await expect(large).rejects.toBe('enough');
    (await small)();
    expect([lane.holders, lane.waiting]).toEqual([0, 0]);
  });
});

const steps = fc.array(
  fc.record({
    comesAt: fc.nat(5_000),
    worksFor: fc.nat(3_000),
    cancelledAt: fc.option(fc.nat(12_000)),
    owner: fc.constantFrom('a', 'b', 'c'),
    tokens: fc.integer({ min: 0, max: 400 }),
    model: fc.constantFrom('a', 'b'),
    says: fc.constantFrom('well', 'well', 'well', 'refused', 'refused-for-2s', 'refused-for-2m', 'overloaded', 'left'),
  }),
  { minLength: 2, maxLength: 14, size: 'max' },
);

function say(lane: ModelLane, says: string, order: number): void {
  if (says === 'refused') lane.failed(refusal());
  else if (says === 'refused-for-2s') lane.failed(refusal(2_000));
  else if (says === 'refused-for-2m') lane.failed(refusal(120_000));
  else if (says === 'overloaded') lane.failed(new AgentError('model-unavailable', 'Busy', { retryAfterMs: 700 }));
  else if (says === 'left')
    lane.hear(answer({ 'x-ratelimit-remaining-requests': '1', 'x-ratelimit-reset-requests': '1.5s' }), order);
  else lane.hear(answer(), order);
}

type Step = typeof steps extends fc.Arbitrary<(infer S)[]> ? S : never;

async function act(
  { owner, tokens, worksFor, says, model }: Step,
  signal: AbortSignal,
  { account, clock }: Laid,
): Promise<void> {
  const lane = account.lane(model);
  try {
    const leave = await lane.enter(entrant(owner, signal, tokens));
    const order = lane.send();
    await new Promise<void>((resolve) => clock.after(worksFor, resolve));
    say(lane, says, order);
    leave(says === 'well' ? Math.floor(tokens / 2) : undefined);
  } catch (error) {
    if (error !== 'cancelled') expect(isAgentError(error) && error.code).toBe('model-rate-limit');
  }
}

/** Lets time pass until it is done and nothing is left on the clock. */
async function passing(clock: FakeClock, isDone: () => boolean): Promise<void> {
  for (let guard = 0; guard < 2_000 && (!isDone() || clock.timers > 0); guard++) {
    for (let i = 0; i < 3; i++) await tick();
    if (clock.nextAt !== undefined) clock.advance(clock.nextAt - clock.now());
  }
}

test('whatever happens, everybody gets in, is refused or gives up, and never too many at once', () =>
  fc.assert(
    fc.asyncProperty(steps, fc.option(fc.integer({ min: 1, max: 3 })), async (list, maxParallel) => {
      const bounds = maxParallel === null ? {} : { maxParallel };
      const laid = laneOf({ ...bounds, requestsPerMinute: 60, tokensPerMinute: 4_000 });
      const { account, clock } = laid;
      let ended = 0;
      for (const step of list) {
        const controller = new AbortController();
        clock.after(step.comesAt, () => void act(step, controller.signal, laid).then(() => ended++));
        if (step.cancelledAt !== null) clock.after(step.cancelledAt, () => controller.abort('cancelled'));
      }
      await passing(clock, () => {
        expect(account.holders).toBeLessThanOrEqual(maxParallel ?? Number.POSITIVE_INFINITY);
        return ended === list.length;
      });
      expect(ended).toBe(list.length);
      laid.expectEmpty();
      clock.advance(600_000);
      expect(account.isIdle).toBe(true);
    }),
    { seed: 11, numRuns: Number(process.env.RUNS ?? 200) },
  ));

describe('accounts', () => {
  const asked = (apiKey: string, more = {}) => ({
    name: 'mine',
    baseUrl: 'https://host.test/v1',
    apiKey,
    headers: {} as Record<string, string>,
    ...more,
  });

  test('are one for each address, without its query, and key', () => {
    const lanes = new Lanes();
    const account = lanes.of(asked('k1'), {});
    const same = [asked('k1'), asked('k1', { name: 'other' }), asked('k1', { headers: { 'x-title': 'me' } })];
    for (const one of [...same, asked('k1', { baseUrl: 'https://host.test/v1?api-version=2' })])
      expect(lanes.of(one, {})).toBe(account);
    const others = [
      asked('k2'),
      asked('k1', { baseUrl: 'https://host.test/v2' }),
      asked('k1', { baseUrl: 'https://host.test/v1?api-key=mine' }),
    ];
    expect(new Set([account, ...others.map((one) => lanes.of(one, {}))]).size).toBe(4);
  });

  test.each([
    'authorization',
    'x-authorization',
    'cf-aig-authorization',
    'helicone-auth',
    'x-tenant',
    'x-consumer-username',
    'openai-project',
    'api-key',
  ])('are as many as there are values of %s', (name) => {
    const lanes = new Lanes();
    const of = (value: string) => lanes.of(asked('', { headers: { [name]: value } }), {});
    expect(of('tenant-1')).toBe(of('tenant-1'));
    expect(of('tenant-1')).not.toBe(of('tenant-2'));
  });

  test('of one key are one, whatever type speaks to them', async () => {
    const apiKey = 'key-0123456789abcdef';
    const models = createModels({
      providers: {
        one: { type: 'openai', apiKey },
        two: { type: 'openai-compatible', baseUrl: 'https://api.openai.com/v1/', apiKey },
      },
    });
    const [one, two] = await Promise.all(['one/m', 'two/m'].map((ref) => models.resolve(ref, { env: {} })));
    expect(one?.lane).toBeDefined();
    expect(one?.lane).toBe(two?.lane);
    await models.close();
  });

  test('show no key to whoever prints them', async () => {
    const { inspect } = await import('node:util');
    const lanes = new Lanes();
    const account = lanes.of(asked('secret-key-0123'), {});
    for (const thing of [lanes, account, account.lane('a')]) {
      expect(inspect(thing, { depth: 20, showHidden: true })).not.toContain('secret-key');
      expect(JSON.stringify(thing)).not.toContain('secret-key');
    }
  });

  test('and their lanes do not pile up: those that are idle are let go, those in use stay', async () => {
    const { setFlagsFromString } = await import('node:v8');
    const { runInNewContext } = await import('node:vm');
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    const lanes = new Lanes();
    const kept = lanes.of(asked('kept'), {});
    const keptLane = kept.lane('kept');
    lanes.of(asked('busy'), {}).lane('a').enter(entrant());
    lanes.of(asked('paused'), {}).lane('a').failed(refusal(50_000));
    for (let round = 0; round < 8; round++) {
      for (let i = 0; i < 1_500; i++) {
        lanes.of(asked(`${round}-${i}`), {});
        kept.lane(`${round}-${i}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 1));
      collectGarbage();
    }
    expect(lanes.size).toBeLessThan(8_000);
    expect(kept.lanes).toBeLessThan(8_000);
    expect(lanes.of(asked('kept'), {})).toBe(kept);
    expect(kept.lane('kept')).toBe(keptLane);
    expect(lanes.of(asked('busy'), {}).holders).toBe(1);
    expect(lanes.of(asked('paused'), {}).lane('a').isIdle).toBe(false);
  });

  test('of several configurations take the tightest', async () => {
    const lanes = new Lanes();
    const account = lanes.of(asked('k'), { maxParallel: 3 });
    lanes.of(asked('k'), { maxParallel: 2 });
    lanes.of(asked('k'), {});
    const inside = enterAll(account.lane('a'), Array(5).fill('a'));
    await tick();
    expect([inside.length, account.waiting]).toEqual([2, 3]);
  });

  test('that wait for years do not wake up all the time', async () => {
    const lane = new Lanes().of(asked('k'), { requestsPerMinute: 0.000_02 }).lane('a');
    const timers: number[] = [];
    const { setTimeout: setReal } = globalThis;
    const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((wake: () => void, ms: number) => {
      timers.push(ms);
      return setReal(wake, ms);
    }) as typeof setTimeout);
    const controller = new AbortController();
    await lane.enter(entrant());
    const waiting = lane.enter(entrant('a', controller.signal)) as Promise<Leave>;
    await new Promise((resolve) => setReal(resolve, 50));
    spy.mockRestore();
    controller.abort('enough');
    await expect(waiting).rejects.toBe('enough');
    expect(timers).toEqual([2 ** 31 - 1]);
  });
});
