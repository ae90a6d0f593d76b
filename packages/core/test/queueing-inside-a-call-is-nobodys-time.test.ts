// T7: what sessions inside a call wait for is neither the time of the call nor that of a budget; what they work is both.

import {
  type Agent,
  createSlots,
  defineTool,
  type Lane,
  runInside,
  type ToolContext,
  type ToolQueue,
} from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, inItsTime, nextTick, start } from './support/walk.ts';

const worker = (clock: FakeClock, latencyMs: number, more: Partial<Agent> = {}): Agent => ({
  ...agent('worker', [], more),
  model: scriptedModel(() => ({ text: 'worked', latencyMs }), { clock }),
});

function lead(execute: (context: ToolContext) => Promise<string>, more: object = {}): Agent {
  const tool = defineTool({ name: 'consult', inputSchema: { type: 'object' }, execute: (_, c) => execute(c), ...more });
  return agent('lead', [{ calls: [{ name: 'consult' }] }, 'done'], { tools: [tool] });
}

const run = async (who: Agent, context: ToolContext) => {
  const { text, failure } = await runInside(who, 'x', { context });
  return failure ? failure.message : text;
};

const textsOf = (outcome: { conversations: unknown }) => JSON.stringify(outcome.conversations);

/** Somebody else is first for so long. */
const held = (clock: FakeClock, forMs: number) =>
  new Promise<() => void>((resolve) => void clock.after(forMs, () => resolve(() => {})));

const waits: Record<string, (clock: FakeClock) => { who: Agent; slots?: ReturnType<typeof createSlots> }> = {
  'for a place in the process': (clock) => {
    const slots = createSlots({ models: 1 });
    return { who: worker(clock, 100), slots };
  },
  'for its provider': (clock) => {
    const lane: Lane = { enter: () => held(clock, 60_000) };
    const model = scriptedModel(() => ({ text: 'worked', latencyMs: 100 }), { clock });
    return { who: { ...worker(clock, 100), model: { ...model, call: model.call.bind(model), lane } } };
  },
  'in the queue of a tool': (clock) => {
    const queue: ToolQueue = { enter: () => held(clock, 60_000) };
    const tool = defineTool({ name: 'leaf', inputSchema: { type: 'object' }, queue, execute: () => 'leaf' });
    const script = scriptedModel(
      ({ messages }) => (messages.length > 1 ? { text: 'worked', latencyMs: 100 } : { calls: [{ name: 'leaf' }] }),
      { clock },
    );
    return { who: { ...worker(clock, 0), tools: [tool], model: script } };
  },
};

describe.each(Object.keys(waits))('a session inside a call that waits %s', (name) => {
  test.each(['timeout', 'budget'])('leaves the %s alone', async (kind) => {
    const clock = new FakeClock();
    const { who, slots } = waits[name]?.(clock) ?? {};
    const ports = fakePorts({ clock, ...(slots ? { slots } : {}) });
    if (!who) throw new TypeError(name);
    let release = () => {};
    const consult = async (context: ToolContext) => {
      // Another run has the only place.
      if (slots) {
        const until = new Promise<void>((resolve) => (release = resolve));
        void start({ ...agent('other', [{ until, text: 'x' }]) }, 'go', { ports });
        while (slots.models?.holders === 0) await nextTick();
        clock.after(60_000, () => release());
      }
      return run(who, context);
    };
    const tools = kind === 'timeout' ? { timeoutMs: 1_000 } : {};
    const budget = kind === 'budget' ? { budget: { timeMs: 10_000 } } : {};
    const { outcome, events } = start(lead(consult, tools), 'go', { ports, ...budget });
    const ended = await inItsTime(clock, outcome);
    expect([ended.status, textsOf(ended).includes('worked')]).toEqual(['completed', true]);
    const [end] = events.flatMap((event) =>
      event.type === 'tool-end' && event.trace.agentName === 'lead' ? [event] : [],
    );
    expect(end).toMatchObject({ result: { status: 'ok', waitedMs: 60_000 } });
    expect((end?.endedAt ?? 0) - (end?.startedAt ?? 0)).toBe(60_100);
    expect(ended.usage).toEqual(ended.ledger.total);
    expect(clock.timers).toBe(0);
  });
});

test('a session inside a call that waits for its share of a budget leaves the timeout alone', async () => {
  const clock = new FakeClock();
  const big = (latencyMs: number) => ({ ...worker(clock, latencyMs), settings: { maxOutputTokens: 1_000 } });
  const holder = defineTool({
    name: 'hold',
    inputSchema: { type: 'object' },
    timeoutMs: 100_000,
    execute: (_, context) => run(big(60_000), context),
  });
  const waiter = defineTool({
    name: 'wait',
    inputSchema: { type: 'object' },
    timeoutMs: 1_000,
    execute: (_, context) => nextTick().then(() => run(big(100), context)),
  });
  const both = agent('lead', [{ calls: [{ name: 'hold' }, { name: 'wait' }] }, 'done'], {
    tools: [holder, waiter],
    settings: { maxOutputTokens: 100 },
  });
  const { outcome, events } = start(both, 'go', { ports: fakePorts({ clock }), budget: { tokens: 4_000 } });
  const ended = await inItsTime(clock, outcome);
  expect(events.some((event) => event.type === 'model-wait' && event.reason === 'budget')).toBe(true);
  expect(textsOf(ended).match(/worked/g)?.length).toBeGreaterThanOrEqual(2);
  expect(textsOf(ended)).not.toContain('not done within');
});

describe('what sessions inside a call work', () => {
  test('is the time of the call, also while others of them wait', async () => {
    for (const timeoutMs of [2_900, 3_100]) {
      const clock = new FakeClock();
      const ports = fakePorts({ clock, slots: createSlots({ models: 1 }) });
      // One after the other, because of the place: three seconds of work.
      const consult = async (context: ToolContext) =>
        (await Promise.all([1, 2, 3].map(() => run(worker(clock, 1_000), context)))).join();
      const { outcome } = start(lead(consult, { timeoutMs }), 'go', { ports });
      const ended = await inItsTime(clock, outcome);
      expect(textsOf(ended).includes('not done within 2.9 s')).toBe(timeoutMs === 2_900);
      expect(textsOf(ended).includes('worked,worked,worked')).toBe(timeoutMs === 3_100);
      expect(clock.timers).toBe(0);
    }
  });

  test('is the time of a budget, each moment once', async () => {
    for (const [timeMs, status] of [
      [20_000, 'completed'],
      [2_500, 'partial'],
    ] as const) {
      const clock = new FakeClock();
      const ports = fakePorts({ clock, slots: createSlots({ models: 1 }) });
      const consult = async (context: ToolContext) =>
        (await Promise.all([1, 2, 3].map(() => run(worker(clock, 1_000), context)))).join();
      const { outcome } = start(lead(consult), 'go', { ports, budget: { timeMs } });
      expect((await inItsTime(clock, outcome)).status).toBe(status);
    }
  });
});
