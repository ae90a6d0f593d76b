// Providers count each model by itself: what one of them refuses keeps nobody from asking another, with the same key.

import { AgentError, type Entrant, type Leave } from '@ai-agent/core';
import { FakeClock } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { Account, type AccountLimits } from '../src/lanes/account.ts';
import { completion } from './support/answering.ts';
import { refuse } from './support/busy-provider.ts';
import { serve } from './support/raw-server.ts';
import { crowd, modelsOf, providerAt, session, sleep } from './support/sessions.ts';

type Refusal = readonly [headers: Readonly<Record<string, string>>, how?: { status?: number; body?: object }];

/** Refuses one model, always, and answers for the others. */
async function refusing(model: string, [headers, how]: Refusal) {
  const asked: string[] = [];
  const { baseUrl } = await serve((_, response, body) => {
    const request = JSON.parse(body) as { readonly model: string };
    asked.push(request.model);
    if (request.model === model) refuse(response, headers, how);
    else response.end(completion);
  });
  return { asked, models: modelsOf({ mine: providerAt(baseUrl) }) };
}

const inTenHours = () => `${Date.now() + 36_000_000}`;

describe('over real sockets', () => {
  test.each<readonly [string, Refusal]>([
    ['for 45 s', [{ 'retry-after': '45' }]],
    ['for an hour', [{ 'retry-after': '3600' }]],
    ['with an overload for an hour', [{ 'retry-after': '3600' }, { status: 503, body: {} }]],
    ['until its day is over', [{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inTenHours() }]],
    ['with nothing left', [{ 'x-ratelimit-remaining-requests': '0', 'x-ratelimit-reset-requests': '50s' }]],
  ])('the next of the list is asked at once when the first is refused %s', async (_, refusal) => {
    const { asked, models } = await refusing('big', refusal);
    const begun = performance.now();
    const limits = { maxRetries: 1 };
    const outcomes = await Promise.all(
      crowd(5, models, ['mine/big', 'mine/small'], { agent: { limits } }).map(({ outcome }) => outcome),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(Array(5).fill('completed'));
    expect((await session(models, 'mine/small').outcome).status).toBe('completed');
    expect(asked.filter((model) => model === 'small')).toHaveLength(6);
    expect(performance.now() - begun).toBeLessThan(4_000);
  });

  test('who waits for a model that is paused keeps nobody from another', async () => {
    const { asked, models } = await refusing('big', [{ 'retry-after': '30' }]);
    const first = session(models, 'mine/big');
    while (asked.length === 0) await sleep(5);
    await sleep(50);
    const waiting = crowd(5, models, 'mine/big');
    const begun = performance.now();
    const outcomes = await Promise.all(crowd(20, models, 'mine/small').map(({ outcome }) => outcome));
    expect(outcomes.every(({ status }) => status === 'completed')).toBe(true);
    expect(performance.now() - begun).toBeLessThan(2_000);
    expect(asked.filter((model) => model === 'big')).toHaveLength(1);
    for (const run of [first, ...waiting]) run.cancel();
    await Promise.all([first, ...waiting].map(({ outcome }) => outcome));
  });
});

describe('of one account', () => {
  const entrant = (owner: string, tokens = 10): Entrant => ({
    owner,
    tokens,
    inputTokens: tokens,
    signal: new AbortController().signal,
  });
  const tick = () => new Promise<void>((resolve) => setImmediate(resolve));
  const refusal = (retryAfterMs: number) => new AgentError('model-rate-limit', 'Slow down', { retryAfterMs });

  function accountOf(limits: AccountLimits = {}) {
    const clock = new FakeClock(0);
    const account = new Account({ provider: 'mine', clock, now: () => clock.now() });
    account.tighten(limits);
    const inside: { readonly who: string; readonly leave: Leave }[] = [];
    const enter = (model: string, owner: string) =>
      void (async () =>
        inside.push({ who: `${owner} ${model}`, leave: await account.lane(model).enter(entrant(owner)) }))();
    const who = () => inside.map((one) => one.who);
    return { clock, account, inside, enter, who };
  }

  test('one without limits is entered without a promise, whoever waits for another', () => {
    const { account, enter } = accountOf();
    account.lane('a').failed(refusal(30_000));
    for (let i = 0; i < 5; i++) enter('a', 'x');
    for (let i = 0; i < 3; i++) expect(account.lane('b').enter(entrant('y'))).toBeTypeOf('function');
    expect([account.holders, account.waiting]).toEqual([3, 5]);
  });

  test('those behind who want another model go on, within what the configuration allows', async () => {
    const { clock, account, enter, inside, who } = accountOf({ maxParallel: 2 });
    account.lane('a').failed(refusal(30_000));
    for (const model of ['a', 'a', 'b', 'b', 'b']) enter(model, 'x');
    await tick();
    expect(who()).toEqual(['x b', 'x b']);
    inside[0]?.leave();
    await tick();
    expect(who()).toEqual(['x b', 'x b', 'x b']);
    for (const { leave } of inside.slice(1)) leave();
    clock.advance(30_000);
    await tick();
    expect(who().at(-1)).toBe('x a');
    expect(clock.timers).toBe(1);
  });

  test('owners take turns over all models', async () => {
    const { account, enter, inside, who } = accountOf({ maxParallel: 1 });
    account.lane('a').failed(refusal(50_000));
    for (let i = 0; i < 4; i++) enter('a', 'paused');
    for (let i = 0; i < 4; i++) enter(i % 2 ? 'b' : 'c', 'large');
    enter('b', 'small');
    for (let i = 0; i < 5; i++) {
      await tick();
      inside[i]?.leave();
    }
    expect(who()).toEqual(['large c', 'large b', 'small b', 'large c', 'large b']);
    expect(account.waiting).toBe(4);
  });

  test('all share its rate', async () => {
    const { clock, enter, inside } = accountOf({ requestsPerMinute: 2 });
    for (const model of ['a', 'b', 'c', 'd']) enter(model, model);
    const counts = [];
    for (let i = 0; i < 4; i++) {
      await tick();
      counts.push(inside.length);
      clock.advance(30_000);
    }
    expect(counts).toEqual([1, 2, 3, 4]);
  });

  test('nobody overtakes who waits for what all share', async () => {
    const { clock, account } = accountOf({ tokensPerMinute: 1_000 });
    const [a, b] = [account.lane('a'), account.lane('b')];
    (a.enter(entrant('x', 200)) as Leave)();
    const order: string[] = [];
    for (const [name, lane, tokens] of [
      ['large', a, 900],
      ['small', b, 1],
    ] as const)
      void Promise.resolve(lane.enter(entrant(name, tokens))).then(() => order.push(name));
    await tick();
    expect(order).toEqual([]);
    for (let i = 0; i < 3; i++) {
      clock.advance(60_000);
      await tick();
    }
    expect(order).toEqual(['large', 'small']);
  });

  test('a refusal halves how many of its model are under way, not of others', async () => {
    const { clock, account, enter, inside, who } = accountOf();
    for (let i = 0; i < 8; i++) enter('a', `${i}`);
    await tick();
    account.lane('a').failed(refusal(1_000));
    for (const { leave } of inside.splice(0)) leave();
    for (let i = 0; i < 20; i++) for (const model of ['a', 'b']) enter(model, `${i}`);
    clock.advance(20_000);
    await tick();
    expect([account.lane('a').holders, account.lane('b').holders]).toEqual([4, 20]);
    expect(who()).toHaveLength(24);
  });

  test('those of a model that is paused for long are told so, also behind others who wait', async () => {
    const { account, enter, inside, who } = accountOf({ maxParallel: 1 });
    enter('a', 'x');
    await tick();
    enter('b', 'x');
    const told = expect(account.lane('a').enter(entrant('x'))).rejects.toMatchObject({ code: 'model-rate-limit' });
    account.lane('a').failed(refusal(600_000));
    await told;
    inside[0]?.leave();
    await tick();
    expect(who()).toEqual(['x a', 'x b']);
  });

  test('many who wait for a paused model cost those of another nothing', () => {
    const { account, enter } = accountOf();
    account.lane('a').failed(refusal(50_000));
    for (let i = 0; i < 20_000; i++) enter('a', `${i}`);
    const lane = account.lane('b');
    const begun = performance.now();
    for (let i = 0; i < 20_000; i++) (lane.enter(entrant('y')) as Leave)();
    expect(performance.now() - begun).toBeLessThan(500);
  });
});
