// T7: a tool that runs sessions or asks somebody gives back its place and its turn meanwhile, and takes them again before it goes on.

import {
  type Agent,
  createSlots,
  defineTool,
  FairQueue,
  runInside,
  type ToolContext,
  type ToolQueue,
} from '@ai-agent/core';
import { type FakeClock, fakePorts, type Script } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agent, inItsTime, nextTick, start } from './support/walk.ts';

/** One call at a time. */
class OneByOne implements ToolQueue {
  readonly #waiting = new FairQueue<() => void>();
  readonly came: string[] = [];
  holders = 0;

  get waiting(): number {
    return this.#waiting.size;
  }

  enter({ owner, signal, isBack = false }: Parameters<ToolQueue['enter']>[0]): (() => void) | Promise<() => void> {
    this.came.push(isBack ? 'back' : 'new');
    const leave = () => {
      this.holders--;
      this.#waiting.take()?.();
    };
    if (this.holders === 0) {
      this.holders++;
      return leave;
    }
    return new Promise((resolve, reject) => {
      const enter = () => {
        this.holders++;
        resolve(leave);
      };
      this.#waiting.add(owner, enter);
      signal.addEventListener('abort', () => {
        this.#waiting.remove(owner, enter);
        reject(signal.reason);
      });
    });
  }
}

const calling = (name: string): Script => [{ calls: [{ name }] }, 'done'];
const tool = (name: string, execute: (context: ToolContext) => Promise<string> | string, more: object = {}) =>
  defineTool({ name, inputSchema: { type: 'object' }, execute: (_args, context) => execute(context), ...more });
const inner = (more: object = {}): Agent =>
  agent('inner', ({ messages }) => (messages.length > 1 ? 'inner is done' : { calls: [{ name: 'leaf' }] }), {
    tools: [tool('leaf', () => 'leaf', more)],
  });
const consulting = (who: Agent, more: object = {}) =>
  tool('consult', async (context) => (await runInside(who, 'x', { context })).text, more);
const textsOf = (outcome: { conversations: unknown }) => JSON.stringify(outcome.conversations);

async function until(isSo: () => boolean): Promise<void> {
  for (let i = 0; i < 2_000 && !isSo(); i++) await nextTick();
  expect(isSo()).toBe(true);
}

describe('while sessions run in it', () => {
  test('the only place of the process is theirs, however deep and however many', async () => {
    const slots = createSlots({ tools: 1 });
    const middle = agent(
      'middle',
      ({ messages }) => (messages.length > 1 ? 'agreed' : { calls: [{ name: 'consult' }] }),
      {
        tools: [consulting(inner())],
      },
    );
    const both = tool('both', async (context) => {
      const results = await Promise.all([1, 2].map(() => runInside(middle, 'x', { context })));
      const last = await runInside(inner(), 'x', { context });
      return [...results, last].map(({ text }) => text).join();
    });
    const { outcome, clock } = start(agent('lead', calling('both'), { tools: [both] }), 'go', {
      ports: fakePorts({ slots }),
    });
    const ended = await bounded(inItsTime(clock, outcome));
    expect(textsOf(ended)).toContain('agreed,agreed,inner is done');
    expect([slots.tools?.holders, slots.tools?.waiting]).toEqual([0, 0]);
  });

  test('so is a queue that it shares with their tools', async () => {
    const queue = new OneByOne();
    const lead = agent('lead', calling('consult'), { tools: [consulting(inner({ queue }), { queue })] });
    const { outcome, clock } = start(lead, 'go', { ports: fakePorts({ slots: createSlots({ tools: 1 }) }) });
    expect(textsOf(await bounded(inItsTime(clock, outcome)))).toContain('inner is done');
    expect([queue.holders, queue.waiting]).toEqual([0, 0]);
    expect(queue.came).toEqual(['new', 'new', 'back']);
  });
});

describe('while it asks somebody', () => {
  test('others have its place and its turn, and it goes on when they are done', async () => {
    const slots = createSlots({ tools: 1 });
    const queue = new OneByOne();
    let answer = (_text: string) => {};
    const onQuestion = () => new Promise((resolve) => (answer = resolve));
    let isAsked = false;
    let isBack = false;
    const asker = tool(
      'asker',
      async ({ ask }) => {
        isAsked = true;
        const said = await ask({ text: 'Who?' });
        isBack = true;
        return `they said ${said}`;
      },
      { queue },
    );
    let finish = () => {};
    const busy = tool('busy', () => new Promise((resolve) => (finish = () => resolve('busy'))), { queue });
    const ports = fakePorts({ slots });
    const one = start(agent('one', calling('asker'), { tools: [asker] }), 'go', { ports, onQuestion });
    await until(() => isAsked && slots.tools?.holders === 0 && queue.holders === 0);
    const two = start(agent('two', calling('busy'), { tools: [busy] }), 'go', { ports });
    await until(() => slots.tools?.holders === 1);
    answer('Ann');
    await until(() => queue.waiting === 1);
    expect(isBack).toBe(false);
    finish();
    await bounded(inItsTime(two.clock, two.outcome));
    expect(textsOf(await bounded(inItsTime(one.clock, one.outcome)))).toContain('they said Ann');
    expect([slots.tools?.holders, slots.tools?.waiting, queue.holders, queue.waiting]).toEqual([0, 0, 0, 0]);
  });

  test('the time until it has them again is nobody’s, and a cancel ends the wait', async () => {
    for (const how of ['answered', 'cancelled'] as const) {
      const slots = createSlots({ tools: 1 });
      const ports = fakePorts({ slots });
      const clock = ports.clock as FakeClock;
      let answer = (_text: string) => {};
      const onQuestion = () => new Promise((resolve) => (answer = resolve));
      const asker = tool('asker', async ({ ask }) => `they said ${await ask({ text: 'Who?' })}`, { timeoutMs: 1_000 });
      const lead = agent('one', calling('asker'), { tools: [asker] });
      const one = start(lead, 'go', { ports, onQuestion, budget: { timeMs: 5_000 } });
      await until(() => one.events.some(({ type }) => type === 'tool-progress') && slots.tools?.holders === 0);
      let finish = () => {};
      const busy = tool('busy', () => new Promise((resolve) => (finish = () => resolve('busy'))));
      const two = start(agent('two', calling('busy'), { tools: [busy] }), 'go', { ports });
      await until(() => slots.tools?.holders === 1);
      answer('Ann');
      await until(() => slots.tools?.waiting === 1);
      clock.advance(60_000);
      await nextTick();
      if (how === 'cancelled') {
        one.cancel();
        expect((await bounded(one.outcome)).status).toBe('cancelled');
        expect(slots.tools?.waiting).toBe(0);
      }
      finish();
      await bounded(inItsTime(clock, two.outcome));
      if (how === 'answered') {
        const ended = await bounded(inItsTime(clock, one.outcome));
        expect([ended.status, textsOf(ended).includes('they said Ann')]).toEqual(['completed', true]);
      }
      expect([slots.tools?.holders, slots.tools?.waiting, clock.timers]).toEqual([0, 0, 0]);
    }
  });

  test('a call that ends meanwhile gives nothing back twice', async () => {
    for (const how of ['stop', 'return'] as const) {
      const slots = createSlots({ tools: 1 });
      const ports = fakePorts({ slots });
      const asker = tool('asker', async ({ ask }) => {
        const asked = ask({ text: 'Who?' });
        if (how === 'stop') await asked;
        return nextTick().then(() => 'gone');
      });
      const one = start(agent('one', calling('asker'), { tools: [asker] }), 'go', {
        ports,
        onQuestion: () => undefined,
      });
      if (how === 'stop') {
        await until(() => one.events.some(({ type }) => type === 'tool-progress'));
        one.stop();
      }
      await bounded(inItsTime(one.clock, one.outcome));
      await nextTick();
      expect([slots.tools?.holders, slots.tools?.waiting]).toEqual([0, 0]);
    }
  });
});

/** Fails instead of hanging. */
function bounded<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('still waiting after 3 s')), 3_000);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
