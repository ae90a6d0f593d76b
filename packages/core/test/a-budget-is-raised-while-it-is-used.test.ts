// What a run may use is raised while it runs: everything below it has more, those who wait are served, and nothing is lowered or unbound.

import { asTool, type Budget, type BudgetPort, defineTool, Scope } from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { TreeBudget } from '../src/budget/tree-budget.ts';
import { agent, inItsTime, nextTick, start } from './support/walk.ts';

/** Calls that are made one after the other, each when its door is opened. */
function steps(count: number) {
  const doors: (() => void)[] = [];
  const work = defineTool({
    name: 'work',
    inputSchema: { type: 'object' },
    execute: () => new Promise<string>((resolve) => doors.push(() => resolve('worked'))),
  });
  const usage = { inputTokens: 200, outputTokens: 100 };
  const script = (_request: unknown, n: number) =>
    n <= count ? { calls: [{ name: 'work' }], usage } : { text: 'done', usage };
  return { work, script, doors };
}

/** The run, when its first call is at work. */
async function atWork(given: Budget, more: Budget | undefined, own: { budget?: Budget } = {}) {
  const { work, script, doors } = steps(3);
  const lead = agent('lead', script, { tools: [work], settings: { maxOutputTokens: 100 }, ...own });
  const prices = () => ({ input: 1_000, output: 1_000 });
  const run = start(lead, 'go', { budget: given, ports: fakePorts({ prices }) });
  while (doors.length === 0) await nextTick();
  if (more) run.raise(more);
  let isOver = false;
  run.outcome.then(() => {
    isOver = true;
  });
  while (!isOver) {
    doors.shift()?.();
    await nextTick();
  }
  return run.outcome;
}

describe('each amount', () => {
  const cases: readonly (readonly [keyof Budget, number, number])[] = [
    ['turns', 2, 5],
    ['toolCalls', 1, 3],
    ['tokens', 1_000, 20_000],
    ['costUsd', 1, 10],
  ];
  test.each(cases)('%s: %d end it, %d are enough', async (amount, few, enough) => {
    expect(await atWork({ [amount]: few }, undefined)).toMatchObject({ status: 'partial', limit: amount });
    expect(await atWork({ [amount]: few }, { [amount]: enough })).toMatchObject({ status: 'completed', text: 'done' });
  });

  test('descendants: there is one more', async () => {
    let run: ReturnType<typeof start> | undefined;
    const child = agent('child', () => 'hello');
    const calls = [{ name: 'child', input: { reason: 'r' } }];
    const lead = agent(
      'lead',
      (_request, n) => {
        if (n === 2) run?.raise({ descendants: 2 });
        return n <= 3 ? { calls } : 'done';
      },
      { tools: [asTool(child)] },
    );
    run = start(lead, 'go', { budget: { descendants: 1 } });
    expect((await inItsTime(run.clock, run.outcome)).status).toBe('completed');
    expect(child.model.requests).toHaveLength(2);
  });
});

describe('time', () => {
  const working = (clock: FakeClock, latencyMs: number) =>
    defineTool({
      name: 'work',
      inputSchema: { type: 'object' },
      execute: (_args, { signal }) =>
        new Promise<string>((resolve, reject) => {
          const unset = clock.after(latencyMs, () => resolve('worked'));
          signal.addEventListener('abort', () => {
            unset();
            reject(signal.reason);
          });
        }),
    });

  async function timed(more: Budget | undefined, at: number) {
    const clock = new FakeClock();
    const child = agent('child', [{ calls: [{ name: 'work' }] }, 'whole'], { tools: [working(clock, 5_000)] });
    const calls = [{ name: 'child', input: { reason: 'r' } }];
    const lead = agent('lead', [{ calls }, 'done'], { tools: [asTool(child)] });
    const run = start(lead, 'go', { ports: fakePorts({ clock }), budget: { timeMs: 2_000 }, sessionId: 'run' });
    while (clock.timers < 2) await nextTick();
    clock.advance(at);
    for (let i = 0; i < 5; i++) await nextTick();
    if (more) run.raise(more);
    const outcome = await inItsTime(clock, run.outcome);
    const ended = run.events.flatMap((event) =>
      event.type === 'session-end' && event.trace.selfId === 'run~1.1' ? [event.ending.status] : [],
    );
    expect(clock.timers).toBe(0);
    return [outcome.status, ...ended];
  }

  test('work that was under way has more of it', async () => {
    expect(await timed(undefined, 1_000)).toEqual(['completed', 'partial']);
    expect(await timed({ timeMs: 60_000 }, 1_000)).toEqual(['completed', 'completed']);
  });

  test('a session that was told to end has its end; whoever comes after it has time', async () => {
    expect(await timed({ timeMs: 60_000 }, 1_700)).toEqual(['completed', 'partial']);
    const clock = new FakeClock();
    const budget = new TreeBudget(clock);
    const told: string[] = [];
    const open = (sessionId: string, parentId: string | null, given: Budget = {}) =>
      budget.open({
        sessionId,
        parentId,
        budget: given,
        contextTokens: 0,
        halt: (limit, { isFinal }) => told.push(`${sessionId} ${limit}${isFinal ? ' final' : ''}`),
      });
    open('s', null, { timeMs: 1_000, descendants: 9 });
    open('s~1.1', 's');
    const end = budget.begin('s~1.1', 'call');
    clock.advance(850);
    expect(told).toEqual(['s~1.1 timeMs']);
    expect(budget.take('s', 'one', ['descendants'])).toBe('timeMs');
    budget.raise('s', { timeMs: 10_000 });
    expect(budget.take('s', 'two', ['descendants'])).toBeUndefined();
    clock.advance(5_000);
    expect(told).toEqual(['s~1.1 timeMs']);
    clock.advance(5_000);
    expect(told).toEqual(['s~1.1 timeMs', 's~1.1 timeMs', 's timeMs', 's timeMs final']);
    end?.();
    budget.close('s~1.1');
    budget.close('s');
    expect(clock.timers).toBe(0);
  });
});

test('who waits for what others hold is served at once', async () => {
  const budget = new TreeBudget(new FakeClock());
  const account = { contextTokens: 0, halt: () => {} };
  budget.open({ ...account, sessionId: 's', parentId: null, budget: { tokens: 5_000 } });
  budget.open({ ...account, sessionId: 's~1.1', parentId: 's', budget: {} });
  const scope = new Scope(() => 0);
  const reserve = (key: string) =>
    budget.reserve({ sessionId: 's~1.1', key, inputTokens: 10, outputTokens: 1_200, isLast: false }, scope);
  expect(reserve('first')).toMatchObject({ isGranted: true });
  const second = reserve('second');
  expect([second instanceof Promise, budget.held]).toEqual([true, 2]);
  budget.raise('s', { tokens: 50_000 });
  expect(await second).toEqual({ isGranted: true, outputTokens: 1_200 });
});

test('a session below has as much more as its own budget lets it', async () => {
  const walk = async (own: Budget, more: Budget) => {
    let run: ReturnType<typeof start> | undefined;
    const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' });
    const child = agent(
      'child',
      (_request, n) => {
        if (n === 1) run?.raise(more);
        return n <= 4 ? { calls: [{ name: 'look' }] } : 'whole';
      },
      { tools: [look], budget: own },
    );
    const calls = [{ name: 'child', input: { reason: 'r' } }];
    const lead = agent('lead', [{ calls }, 'done'], { tools: [asTool(child)] });
    run = start(lead, 'go', { budget: { toolCalls: 2 }, sessionId: 'run' });
    await inItsTime(run.clock, run.outcome);
    return run.events.flatMap((event) =>
      event.type === 'session-end' && event.trace.selfId === 'run~1.1'
        ? ['limit' in event.ending ? event.ending.limit : event.ending.status]
        : [],
    );
  };
  expect(await walk({}, { toolCalls: 2 })).toEqual(['toolCalls']);
  expect(await walk({}, { toolCalls: 10 })).toEqual(['completed']);
  expect(await walk({ toolCalls: 2 }, { toolCalls: 10 })).toEqual(['toolCalls']);
});

describe('what it is not', () => {
  test('nothing is lowered, and what was not bounded stays so', async () => {
    expect(await atWork({ toolCalls: 3 }, { toolCalls: 1, turns: 1, tokens: 1 })).toMatchObject({
      status: 'completed',
    });
  });

  test('never more than the agent itself allows', async () => {
    const own = { budget: { toolCalls: 2 } };
    expect(await atWork({ toolCalls: 1 }, { toolCalls: 50 }, own)).toMatchObject({
      status: 'partial',
      limit: 'toolCalls',
    });
    const three = { budget: { toolCalls: 3 } };
    expect(await atWork({ toolCalls: 1 }, { toolCalls: 50 }, three)).toMatchObject({ status: 'completed' });
  });

  test('a limit that has begun to end it stays its end', async () => {
    let run: ReturnType<typeof start> | undefined;
    const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' });
    const lead = agent(
      'lead',
      ({ tools }) => {
        if (tools.length === 0) run?.raise({ toolCalls: 10 });
        return tools.length === 0 ? 'what I have' : { calls: [{ name: 'look' }] };
      },
      { tools: [look] },
    );
    run = start(lead, 'go', { budget: { toolCalls: 1 } });
    const outcome = await inItsTime(run.clock, run.outcome);
    expect(outcome).toMatchObject({ status: 'partial', limit: 'toolCalls', text: 'what I have' });
  });

  test('an amount that is none is refused, and so is a budget that knows of no raise', async () => {
    const port = new TreeBudget(new FakeClock());
    const plain: BudgetPort = Object.fromEntries(
      (['open', 'close', 'reserve', 'settle', 'take', 'begin', 'spentBy', 'add'] as const).map((name) => [
        name,
        (port[name] as (...args: unknown[]) => unknown).bind(port),
      ]),
    ) as unknown as BudgetPort;
    const run = start(agent('lead', ['done']), 'go', { ports: fakePorts({ budget: plain }) });
    expect(() => run.raise({ tokens: 1.5 })).toThrow(expect.objectContaining({ code: 'agent-invalid' }));
    expect(() => run.raise({ money: 1 } as Budget)).toThrow(/budget\.money is not known/);
    expect(() => run.raise({ tokens: 5 })).toThrow(expect.objectContaining({ code: 'port-missing' }));
    expect((await run.outcome).status).toBe('completed');
  });
});

test('before it has opened it counts from its opening', async () => {
  const clock = new FakeClock();
  const slow = { ...agent('slow', []), model: scriptedModel([{ text: 'done', latencyMs: 5_000 }], { clock }) };
  const run = start(slow, 'go', { ports: fakePorts({ clock }), budget: { timeMs: 1_000, turns: 1 } });
  run.raise({ timeMs: 60_000 });
  run.raise({ turns: 2, timeMs: 2_000 });
  expect(await inItsTime(clock, run.outcome)).toMatchObject({ status: 'completed', text: 'done' });
});
