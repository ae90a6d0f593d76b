// The promise: all runs of a key together use what it may in an hour, a day or a month, then it waits; others do not.

import { asTool, type Price } from '@ai-agent/core';
import type { ScriptedModel, Step } from '@ai-agent/core/testing';
import { expect, test, vi } from 'vitest';
import { agentOf, as, governed, heldAgent } from './support/governed.ts';

const used = { usage: { inputTokens: 3_000, outputTokens: 1_000 } };
const spender = () => agentOf('echo', () => ({ text: 'Done.', ...used }));

test.each(['hour', 'day', 'month'] as const)(
  'per %s: spent, refused until its end, and then good again',
  async (per) => {
    const allowance = { tokens: 30_000, per };
    const { ask, clock } = governed({ agents: [spender()], keys: { desk: { allowance }, other: {} } });
    for (let run = 1; run <= 7; run++) expect((await ask('desk')).status).toBe(200);
    expect((await ask('desk')).status).toBe(200);
    const refused = await ask('desk');
    // It is half past eleven on the last evening of January.
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1800']);
    expect(await refused.json()).toMatchObject({
      error: { class: 'quota', code: 'allowance-spent', retryable: true, retryAfterMs: 1_800_000 },
    });
    expect((await ask('other')).status).toBe(200);
    clock.advance(1_799_000);
    expect((await ask('desk')).status).toBe(429);
    clock.advance(1_000);
    expect((await ask('desk')).status).toBe(200);
  },
);

test('a wall clock that was a year ahead and is set right does not keep a spent allowance spent', async () => {
  const allowance = { tokens: 4_000, per: 'hour' } as const;
  const { ask, clock } = governed({ agents: [spender()], keys: { desk: { allowance } } });
  const right = clock.now();
  clock.setWallClock(right + 365 * 24 * 3_600_000);
  clock.advance(3_600_000);
  expect((await ask('desk')).status).toBe(200);
  expect((await ask('desk')).status).toBe(429);
  clock.setWallClock(right);
  expect((await ask('desk')).status).toBe(200);
});

test('a run has no more than what is left', async () => {
  const allowance = { tokens: 5_000, per: 'day' } as const;
  const agent = agentOf('echo', () => ({ text: 'Done.', ...used }));
  const { ask } = governed({ agents: [agent], keys: { desk: { allowance } } });
  await ask('desk');
  const model = agent.model as ScriptedModel;
  expect(model.requests[0]?.settings.maxOutputTokens).toBeLessThan(5_000);
  await ask('desk');
  expect(model.requests[1]?.settings.maxOutputTokens).toBeLessThan(1_000);
});

test.each(['text/plain', 'text/event-stream'])('too little to begin with is as good as spent (%s)', async (accept) => {
  const keys = {
    desk: { allowance: { tokens: 4_030, per: 'hour' as const } },
    little: { allowance: { tokens: 4_030, per: 'hour' as const }, budget: { tokens: 20 } },
  };
  const { app, hall } = governed({ agents: [spender()], keys });
  const ask = (key: string) => app.request(`/v1/echo?q=${'hello+'.repeat(200)}`, as(key, { accept }));
  expect(await (await ask('desk')).text()).toContain('Done.');
  const refused = await ask('desk');
  const told = await refused.text();
  expect(told).toMatch(/"class":"quota","code":"allowance-spent".*"retryAfterMs":1800000/);
  if (accept === 'text/plain') expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1800']);
  // Its own budget is too small, whatever is left.
  expect(await (await ask('little')).text()).toContain('"code":"budget-exhausted"');
  await vi.waitFor(() => expect(hall.running).toBe(0));
});

test('sub-agents count too, each call once', async () => {
  const child = { ...agentOf('child', () => ({ text: 'Found.', ...used })), description: 'd' };
  const script = (_: unknown, call: number): Step =>
    call % 2 === 1
      ? { calls: [{ name: 'agent__child', input: { text: 'go', reason: 'r' } }], ...used }
      : { text: 'Done.', ...used };
  const lead = { ...agentOf('lead', script), tools: [asTool(child)] };
  // A run takes 12,000: two turns of the lead and one of the child.
  const { ask } = governed({ agents: [lead], keys: { desk: { allowance: { tokens: 46_000, per: 'day' } } } });
  expect((await ask('desk', 'lead')).status).toBe(200);
  expect((await ask('desk', 'lead')).status).toBe(200);
  const third = await ask('desk', 'lead');
  expect([third.status, third.headers.get('x-ai-agent-status')]).toEqual([200, 'completed']);
  expect((await ask('desk', 'lead')).headers.get('x-ai-agent-status')).not.toBe('completed');
});

test('when it is spent, what runs is stopped and keeps its work; runs of others go on', async () => {
  const working: (() => void)[] = [];
  const tool = {
    name: 'dig',
    description: 'd',
    inputSchema: { type: 'object' },
    execute: (_: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<string>((resolve, reject) => {
        working.push(() => resolve('Gold.'));
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  const digging = () => {
    const script = (_: unknown, call: number): Step =>
      call === 1 ? { text: 'I dig.', calls: [{ name: 'dig' }], ...used } : { text: 'As far as I came.', ...used };
    return agentOf('digger', script);
  };
  const agents = [{ ...digging(), tools: [tool] }, spender(), { ...digging(), name: 'digger2', tools: [tool] }];
  const keys = { desk: { allowance: { tokens: 30_000, per: 'day' as const } }, other: {} };
  const { ask } = governed({ agents, keys });
  const own = ask('desk', 'digger');
  const others = ask('other', 'digger2');
  await vi.waitFor(() => expect(working).toHaveLength(2));
  for (let run = 1; run <= 7; run++) await ask('desk');
  const stopped = await own;
  expect([stopped.status, stopped.headers.get('x-ai-agent-status')]).toEqual([200, 'partial']);
  expect(stopped.headers.get('x-ai-agent-limit')).toBe('allowance');
  expect(await stopped.text()).toBe('As far as I came.');
  for (const finish of working) finish();
  expect((await others).headers.get('x-ai-agent-status')).toBe('completed');
});

test('a run that what is left was too little for says so; one with a narrower bound of its own names that', async () => {
  const tool = { name: 'dig', description: 'd', inputSchema: { type: 'object' }, execute: () => 'Sand.' };
  const script = (): Step => ({ text: 'I dig.', calls: [{ name: 'dig' }], ...used });
  const agents = [{ ...agentOf('digger', script), tools: [tool] }];
  const allowance = { tokens: 20_000, per: 'day' as const };
  const { app, ask } = governed({
    agents,
    keys: { desk: { allowance }, little: { allowance, budget: { tokens: 19_000 } } },
  });
  const limits = [];
  for (const key of ['desk', 'little']) {
    const { headers } = await ask(key, 'digger');
    const session = await app.request(`/v1/sessions/${headers.get('x-ai-agent-session')}`, as(key));
    const { status, limit } = (await session.json()) as Record<string, unknown>;
    limits.push([headers.get('x-ai-agent-status'), headers.get('x-ai-agent-limit'), status, limit]);
  }
  expect(limits).toEqual([
    ['partial', 'allowance', 'partial', 'allowance'],
    ['partial', 'tokens', 'partial', 'tokens'],
  ]);
});

test('a run that waited for its place while the rest was spent does not begin', async () => {
  const { agent, started, release } = heldAgent('slow');
  const keys = { desk: { allowance: { tokens: 9_000, per: 'hour' as const }, concurrency: 1 } };
  const spent = { ...agent, model: withUsage(agent.model as never, { inputTokens: 9_000, outputTokens: 1_000 }) };
  const { ask } = governed({ agents: [spent], keys });
  const [first, second] = [ask('desk', 'slow'), ask('desk', 'slow')];
  await vi.waitFor(() => expect(started()).toBe(1));
  release();
  expect((await first).status).toBe(200);
  expect((await second).status).toBe(429);
  expect(started()).toBe(0);
});

test('what nobody reported is estimated, and what was cut off counts', async () => {
  const { agent, started } = heldAgent('slow');
  const silent = agentOf('silent', () => ({ text: 'x'.repeat(7_000), usage: {} }));
  const keys = {
    a: { allowance: { tokens: 20_000, per: 'day' as const } },
    b: { allowance: { tokens: 18_000, per: 'day' as const } },
  };
  const { app } = governed({ agents: [agent, silent], keys });
  const post = (key: string, name: string, signal?: AbortSignal) =>
    app.request(`/v1/${name}`, {
      ...as(key, { 'content-type': 'text/plain' }),
      method: 'POST',
      body: 'y'.repeat(21_000),
      ...(signal ? { signal } : {}),
    });
  expect((await post('a', 'silent')).status).toBe(200);
  expect((await post('a', 'silent')).status).toBe(200);
  expect((await post('a', 'silent')).status).not.toBe(200);
  const gone = new AbortController();
  const asked = [1, 2, 3].map(async () => post('b', 'slow', gone.signal));
  await vi.waitFor(() => expect(started()).toBe(3));
  gone.abort();
  await Promise.allSettled(asked);
  await vi.waitFor(async () => expect((await post('b', 'silent')).status).toBe(429));
});

test('in money: what each call cost; a model whose price nobody knows is not for such a key', async () => {
  const price: Price = { input: 1_000, output: 1_000 };
  const prices = (_: string, model: string) => (model === 'known' ? price : undefined);
  const priced = (name: string, model: string) => {
    const agent = agentOf(name, () => ({ text: 'Done.', ...used }));
    return { ...agent, model: { ...(agent.model as object), model } } as never as typeof agent;
  };
  const agents = [priced('known', 'known'), priced('unknown', 'unknown')];
  const keys = { desk: { allowance: { costUsd: 100, per: 'month' as const } }, other: {} };
  const { ask } = governed({ agents, keys, ports: { prices } });
  const refused = await ask('desk', 'unknown');
  expect([refused.status, ((await refused.json()) as { error: { code: string } }).error.code]).toEqual([
    500,
    'price-unknown',
  ]);
  expect((await ask('other', 'unknown')).status).toBe(200);
  let runs = 0;
  while ((await ask('desk', 'known')).status === 200) runs++;
  // Each costs four dollars.
  expect(runs).toBeGreaterThan(18);
  expect(runs).toBeLessThanOrEqual(25);
});

type Model = { call: (...args: unknown[]) => Promise<object> };

function withUsage(model: Model, usage: object): never {
  return { ...model, call: async (...args: unknown[]) => ({ ...(await model.call(...args)), usage }) } as never;
}

test('a session that goes on after a question may use what is left, whatever it used before', async () => {
  const script = (_: unknown, call: number): Step =>
    call === 1 ? { calls: [{ name: 'ask_user', input: { question: 'Which?' } }], ...used } : { text: 'Done.', ...used };
  const { ask, app } = governed({
    agents: [{ ...agentOf('asks', script), ask: 'caller' }],
    keys: { desk: { allowance: { tokens: 7_500, per: 'day' } } },
  });
  const asked = await ask('desk', 'asks');
  expect(asked.headers.get('x-ai-agent-status')).toBe('needs_user_input');
  const address = `/v1/sessions/${asked.headers.get('x-ai-agent-session')}/answer`;
  const headers = { ...as('desk').headers, 'content-type': 'application/json' };
  const answered = await app.request(address, { method: 'POST', headers, body: '{"answer":"This one."}' });
  expect([answered.status, answered.headers.get('x-ai-agent-status')]).toEqual([200, 'completed']);
  expect((await ask('desk', 'asks')).status).toBe(429);
});
