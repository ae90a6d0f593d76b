// The promise: a call enters the queue of its tool first, waits there at nobody's cost, says so, and always leaves.

import { type Clock, createSlots, defineTool, FairQueue, type ToolQueue } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { endsInCallOrder } from './support/call-order.ts';
import { agent, inItsTime, nextTick, start } from './support/walk.ts';

/** One call at a time; who waits gives up with its signal. */
class OneByOne implements ToolQueue {
  readonly #waiting = new FairQueue<() => void>();
  readonly entered: string[] = [];
  holders = 0;

  get waiting(): number {
    return this.#waiting.size;
  }

  async enter({ owner, signal }: Parameters<ToolQueue['enter']>[0]): Promise<() => void> {
    if (this.holders > 0)
      await new Promise<void>((resolve, reject) => {
        this.#waiting.add(owner, resolve);
        signal.addEventListener('abort', () => {
          this.#waiting.remove(owner, resolve);
          reject(signal.reason);
        });
      });
    this.holders++;
    this.entered.push(owner);
    return () => {
      this.holders--;
      this.#waiting.take()?.();
    };
  }
}

const begun = 1_700_000_000_000;

function workFor(clock: Clock, durationMs: number, more: object = {}) {
  return defineTool({
    name: 'work',
    inputSchema: { type: 'object' },
    ...more,
    execute: () => new Promise<string>((resolve) => clock.after(durationMs, () => resolve('worked'))),
  });
}

const calls = (count: number) => Array.from({ length: count }, () => ({ name: 'work' }));

const endsOf = endsInCallOrder;

test('neither the timeout of the tool nor a budget of time counts the wait, and facts begin after it', async () => {
  const clock = new FakeClock();
  const queue = new OneByOne();
  const tool = workFor(clock, 1_000, { queue, timeoutMs: 1_500 });
  const lead = agent('lead', [{ calls: calls(4) }, 'end'], { tools: [tool], budget: { timeMs: 5_000 } });
  const { outcome, events } = start(lead, 'go', { ports: fakePorts({ clock }) });
  expect((await inItsTime(clock, outcome)).status).toBe('completed');
  expect(endsOf(events).map(({ startedAt, result }) => [startedAt - begun, result.text])).toEqual([
    [0, 'worked'],
    [1_000, 'worked'],
    [2_000, 'worked'],
    [3_000, 'worked'],
  ]);
  expect([queue.holders, queue.waiting, clock.timers]).toEqual([0, 0, 0]);
});

test('whoever looks on is told that a call waits, before its work begins', async () => {
  const clock = new FakeClock();
  const tool = workFor(clock, 1_000, { queue: new OneByOne() });
  const lead = agent('lead', [{ calls: calls(2) }, 'end'], { tools: [tool] });
  const { outcome, events } = start(lead, 'go', { ports: fakePorts({ clock }) });
  await inItsTime(clock, outcome);
  const second = events.flatMap((event) =>
    event.kind === 'hint' && 'op' in event && event.op === 'turn.1.tool.2'
      ? [event.type === 'tool-progress' ? event.text : event.type]
      : [],
  );
  expect(second).toEqual(['Waits in the queue of this tool.', 'operation-start', 'operation-end']);
});

test('who waits in a queue holds no place of the process', async () => {
  const clock = new FakeClock();
  const slots = createSlots({ tools: 1 });
  const queue = new OneByOne();
  const stuck = await queue.enter({ owner: 'other', signal: new AbortController().signal });
  const other = defineTool({ name: 'other', inputSchema: { type: 'object' }, execute: () => 'free' });
  const tools = [workFor(clock, 10, { queue }), other];
  const lead = agent('lead', [{ calls: [{ name: 'work' }, { name: 'other' }] }, 'end'], { tools });
  const { outcome, events } = start(lead, 'go', { ports: fakePorts({ clock, slots }) });
  while (!events.some((event) => event.type === 'operation-end' && event.op === 'turn.1.tool.2')) await nextTick();
  expect([queue.waiting, slots.tools?.holders]).toEqual([1, 0]);
  stuck();
  expect((await inItsTime(clock, outcome)).status).toBe('completed');
});

test('a cancelled wait leaves, and a turn that comes too late is handed on', async () => {
  const clock = new FakeClock();
  const queue = new OneByOne();
  const held = await queue.enter({ owner: 'other', signal: new AbortController().signal });
  let callIn = (_leave: () => void) => {};
  let isLeft = false;
  // Does not listen to its signal.
  const deaf: ToolQueue = { enter: () => new Promise((resolve) => (callIn = resolve)) };
  const tools = [workFor(clock, 10, { queue }), { ...workFor(clock, 10, { queue: deaf }), name: 'deaf' }];
  const lead = agent('lead', [{ calls: [{ name: 'work' }, { name: 'deaf' }] }], { tools });
  const { outcome, cancel } = start(lead, 'go', { ports: fakePorts({ clock }) });
  while (queue.waiting === 0) await nextTick();
  cancel('enough');
  expect((await outcome).status).toBe('cancelled');
  callIn(() => {
    isLeft = true;
  });
  await nextTick();
  held();
  expect([queue.waiting, queue.holders, isLeft, queue.entered]).toEqual([0, 0, true, ['other']]);
});

test('a failure leaves the queue too; a queue that fails is the failure of the call alone', async () => {
  const queue = new OneByOne();
  const broken: ToolQueue = { enter: () => Promise.reject(new TypeError('no queue')) };
  const schema = { inputSchema: { type: 'object' } };
  const throws = () => {
    throw new TypeError('broke');
  };
  const tools = [
    defineTool({ name: 'a', ...schema, queue, execute: throws }),
    defineTool({ name: 'b', ...schema, queue: broken, execute: () => 'never' }),
    defineTool({ name: 'c', ...schema, queue, execute: () => 'fine' }),
  ];
  const lead = agent('lead', [{ calls: ['a', 'b', 'c'].map((name) => ({ name })) }, 'end'], { tools });
  const { outcome, events, clock } = start(lead);
  expect((await inItsTime(clock, outcome)).status).toBe('completed');
  expect(endsOf(events).map(({ result }) => result.failure?.message ?? result.text)).toEqual([
    'broke',
    'no queue',
    'fine',
  ]);
  expect(queue.holders).toBe(0);
});

test('a queue that cannot be entered is found when the tool is defined', () => {
  const tool = { name: 't', inputSchema: { type: 'object' }, execute: () => '' };
  expect(() => defineTool({ ...tool, queue: {} as never })).toThrow(/tool t: queue\.enter is undefined/);
});
