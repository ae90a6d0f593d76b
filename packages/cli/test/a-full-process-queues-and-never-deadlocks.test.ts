// T7: a full process queues instead of refusing; a waiting parent holds no place, so nesting never deadlocks.

import { type Agent, AIAgentSession, ask, asTool, createSlots, defineTool } from '@ai-agent/cli';
import type { Script, ScriptedCall } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { anyArguments, call, resultsIn } from './support/calls.ts';
import { nextTick, throughEveryDoor } from './support/doors.ts';

throughEveryDoor('a full process queues and never deadlocks', (door) => {
  const { runtime } = door;

  const places = (size: { models?: number; tools?: number }) => {
    const slots = createSlots(size);
    const figures = () => [slots.models, slots.tools].map((gate) => [gate?.holders ?? 0, gate?.waiting ?? 0]);
    return { ports: { slots }, slots, figures };
  };
  const nobody = [
    [0, 0],
    [0, 0],
  ];

  /** Counts how many work at the same moment. */
  const counter = () => {
    const at = { now: 0, most: 0, all: 0 };
    const work = async <T>(value: T): Promise<T> => {
      at.most = Math.max(at.most, ++at.now);
      at.all++;
      await nextTick();
      at.now--;
      return value;
    };
    return { at, work };
  };

  const once =
    (calls: readonly ScriptedCall[]): Script =>
    (request) =>
      resultsIn(request).length > 0 ? 'done' : { calls };

  test('three levels with fan-out, in several trees at once, through one place for models and one for tools', async () => {
    const { ports, figures } = places({ models: 1, tools: 1 });
    const { at, work } = counter();
    const tool = defineTool({ name: 'work', inputSchema: anyArguments, execute: () => work('worked') });
    const twice = (name: string) => [call(name, { text: 'go' }), call(name, { text: 'go' })];
    let agent: Agent = await door.agent('leaf', once([{ name: 'work' }, { name: 'work' }]), { tools: [tool] });
    for (const name of ['low', 'middle', 'top'])
      agent = await door.agent(name, once([...twice(agent.name), { name: 'work' }]), { tools: [asTool(agent), tool] });
    const outcomes = await Promise.all([1, 2, 3].map(() => ask(agent, 'go', { runtime, ports })));
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'completed', text: 'done' });
    // Eight leaves with two calls each, and one call in each of the seven above them, three times.
    expect(at).toEqual({ now: 0, most: 1, all: 3 * (16 + 7) });
    expect(figures()).toEqual(nobody);
  });

  test('trees take turns: a small one is not kept waiting by a large one', async () => {
    const { ports, slots, figures } = places({ tools: 1 });
    const { promise: begin, resolve } = Promise.withResolvers<void>();
    const order: string[] = [];
    const toolOf = (name: string) =>
      defineTool({
        name: 'work',
        inputSchema: anyArguments,
        execute: async () => {
          await begin;
          order.push(name);
          return 'worked';
        },
      });
    const worker = async (name: string, count: number) =>
      door.agent(name, once(Array.from({ length: count }, () => ({ name: 'work' }))), {
        tools: [toolOf(name)],
        limits: { maxParallel: 10 },
      });
    const large = ask(await worker('large', 10), 'go', { runtime, ports });
    while ((slots.tools?.waiting ?? 0) < 9) await nextTick();
    const small = ask(await worker('small', 2), 'go', { runtime, ports });
    while ((slots.tools?.waiting ?? 0) < 11) await nextTick();
    resolve();
    await Promise.all([large, small]);
    expect(order.slice(0, 5)).toEqual(['large', 'large', 'small', 'large', 'small']);
    expect(figures()).toEqual(nobody);
  });

  test('who is cancelled in the queue leaves it, and the others go on', async () => {
    const { ports, slots, figures } = places({ models: 1 });
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = await door.agent('slow', () => ({ text: 'slow', until: promise }));
    const quick = await door.agent('quick', () => 'quick');
    const first = ask(slow, 'go', { runtime, ports });
    while (slots.models?.holders !== 1) await nextTick();
    const queued = new AIAgentSession({ agent: quick, runtime, ports }).run('go');
    const stopped = new AIAgentSession({ agent: quick, runtime, ports }).run('go');
    const last = ask(quick, 'go', { runtime, ports });
    while (slots.models?.waiting !== 3) await nextTick();
    queued.cancel();
    expect(await queued.outcome).toMatchObject({ status: 'cancelled' });
    expect(slots.models?.waiting).toBe(2);
    resolve();
    stopped.stop();
    expect(await first).toMatchObject({ status: 'completed' });
    expect(await last).toMatchObject({ status: 'completed', text: 'quick' });
    expect(await stopped.outcome).toMatchObject({ status: 'partial', text: 'quick' });
    expect(figures()).toEqual(nobody);
  });

  test('a call that fails, throws or is cut off gives its place back', async () => {
    const { ports, figures } = places({ models: 1, tools: 1 });
    const tool = defineTool({
      name: 'work',
      inputSchema: anyArguments,
      timeoutMs: 20,
      execute: () => new Promise<string>(() => {}),
    });
    const boom = defineTool({
      name: 'boom',
      inputSchema: anyArguments,
      execute: () => {
        throw new TypeError('boom');
      },
    });
    const agent = await door.agent('lead', once([{ name: 'work' }, { name: 'boom' }, { name: 'work' }]), {
      tools: [tool, boom],
    });
    const bad = await door.agent('bad', () => ({ fail: { code: 'model-auth' } }));
    expect(await ask(bad, 'go', { runtime, ports })).toMatchObject({ status: 'failed' });
    expect(await ask(agent, 'go', { runtime, ports })).toMatchObject({ status: 'completed' });
    expect(figures()).toEqual(nobody);
  });

  test('more than maxParallel calls of one turn queue in the order of the list; too many are refused', async () => {
    const { at, work } = counter();
    const order: unknown[] = [];
    const tool = defineTool<{ i: number }>({
      name: 'work',
      inputSchema: anyArguments,
      execute: ({ i }) => {
        order.push(i);
        return work(`worked ${i}`);
      },
    });
    const calls = Array.from({ length: 12 }, (_, i) => ({ name: 'work', input: { i } }));
    const agent = await door.agent(
      'lead',
      (request) => (resultsIn(request).length > 0 ? resultsIn(request).join('; ') : { calls }),
      { tools: [tool], limits: { maxParallel: 3 } },
    );
    const { text } = await ask(agent, 'go', { runtime });
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(at).toEqual({ now: 0, most: 3, all: 10 });
    const results = text.split('; ');
    expect(results.slice(0, 10)).toEqual(order.map((i) => `worked ${i}`));
    expect(results[10]).toMatch(/Only 10 calls are run in one turn, and this was call 11/);
    expect(results).toHaveLength(12);
  });
});
