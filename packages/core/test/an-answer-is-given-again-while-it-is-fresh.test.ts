// The promise: a tool with a cache answers the same arguments again for its time, at no cost; never a failure, never another's.

import { createSlots, defineTool, fail, MemoryCache, type ResultCache, type ToolCaching } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, inItsTime, start } from './support/walk.ts';

interface Making {
  readonly cache?: ToolCaching;
  readonly name?: string;
  readonly answer?: (
    args: object,
    count: number,
  ) => ReturnType<typeof fail> | string | { type: 'json'; value: unknown };
}

function counting({ cache = { key: 'k', ttlMs: 1_000 }, name = 'look', answer }: Making = {}) {
  const done: object[] = [];
  const tool = defineTool<object>({
    name,
    inputSchema: { type: 'object' },
    cache,
    execute(args) {
      done.push(args);
      return answer?.(args, done.length) ?? `answer ${done.length}`;
    },
  });
  return { tool, done };
}

/** One call after the other, each in a turn of its own. */
async function callEach(
  tools: readonly ReturnType<typeof defineTool>[],
  inputs: readonly { readonly name: string; readonly input?: object }[],
  ports = fakePorts(),
) {
  const script = [...inputs.map(({ name, input = {} }) => ({ calls: [{ name, input }] })), 'end'];
  const lead = agent('lead', script as never, { tools, limits: { maxTurns: 20, maxToolOutputBytes: 256 } });
  const { outcome: running, events } = start(lead, 'go', { ports });
  const outcome = await inItsTime(ports.clock as FakeClock, running);
  const ends = events.flatMap((event) => (event.type === 'tool-end' ? [event] : []));
  return { outcome, texts: ends.map(({ result }) => result.text), cached: ends.map(({ result }) => result.isCached) };
}

const look = (input: object = {}) => ({ name: 'look', input });

test('the same arguments are answered once, in whatever order their keys are; others are not', async () => {
  const { tool, done } = counting();
  const { texts, cached, outcome } = await callEach(
    [tool],
    [look({ a: 1, b: { c: 1, d: 2 } }), look({ b: { d: 2, c: 1 }, a: 1 }), look({ a: 1 })],
  );
  expect(texts).toEqual(['answer 1', 'answer 1', 'answer 2']);
  expect(cached).toEqual([undefined, true, undefined]);
  expect(done).toHaveLength(2);
  const booked = outcome.ledger.entries.flatMap((entry) => (entry.type === 'tool' ? [entry.isCached] : []));
  expect(booked).toEqual([undefined, true, undefined]);
});

test('a value comes back as it was', async () => {
  const { tool, done } = counting({ answer: () => ({ type: 'json', value: { rows: [1] } }) });
  const { texts } = await callEach([tool], [look(), look()]);
  expect([texts, done.length]).toEqual([['{"rows":[1]}', '{"rows":[1]}'], 1]);
});

test('another name and another key are another answer', async () => {
  const ports = fakePorts({ cache: new MemoryCache(new FakeClock()) });
  const one = counting({ answer: () => 'one' });
  const other = counting({ answer: () => 'other', name: 'see' });
  const { texts } = await callEach([one.tool, other.tool], [look(), { name: 'see' }], ports);
  expect(texts).toEqual(['one', 'other']);
  const third = counting({ answer: () => 'third', cache: { key: 'another', ttlMs: 1_000 } });
  expect((await callEach([third.tool], [look()], ports)).texts).toEqual(['third']);
});

test('an answer is worked out again when its time is over', async () => {
  const clock = new FakeClock();
  const ports = fakePorts({ clock, cache: new MemoryCache(clock) });
  const { tool, done } = counting();
  await callEach([tool], [look()], ports);
  clock.advance(999);
  await callEach([tool], [look()], ports);
  expect(done).toHaveLength(1);
  clock.advance(1);
  expect((await callEach([tool], [look()], ports)).texts).toEqual(['answer 2']);
});

test('without a port answers live as long as their tree', async () => {
  const { tool, done } = counting();
  await callEach([tool], [look(), look()]);
  expect(done).toHaveLength(1);
  await callEach([tool], [look()]);
  expect(done).toHaveLength(2);
});

test('a failure is neither kept nor given again', async () => {
  const { tool, done } = counting({ answer: (_args, count) => (count === 1 ? fail('not yet') : 'ready') });
  const kept: string[] = [];
  const memory = new MemoryCache(new FakeClock());
  const cache: ResultCache = {
    get: (key) => memory.get(key),
    put(key, value, ttlMs) {
      kept.push(value);
      memory.put(key, value, ttlMs);
    },
  };
  const { texts, cached } = await callEach([tool], [look(), look(), look()], fakePorts({ cache }));
  expect(kept).toEqual(['{"status":"ok","text":"ready"}']);
  expect(texts.slice(1)).toEqual(['ready', 'ready']);
  expect(cached).toEqual([undefined, undefined, true]);
  expect(done).toHaveLength(2);
});

test('an answer that is given again takes no place and no queue, and is bounded as the first was', async () => {
  let entered = 0;
  const queue = {
    enter() {
      entered++;
      return () => {};
    },
  };
  const slots = createSlots({ tools: 1 });
  const { tool } = counting({ answer: () => 'x'.repeat(1_000) });
  const { texts, outcome } = await callEach([{ ...tool, queue }], [look(), look()], fakePorts({ slots }));
  expect(entered).toBe(1);
  expect(texts[1]).toMatch(/^x{256}\n\n\[Cut here\. The whole result has 1000 bytes/);
  // A handle of its own: each call can be read on.
  expect(texts[1]).not.toBe(texts[0]);
  expect(outcome.usage.toolCalls).toBe(2);
});

test.each<[string, ResultCache]>([
  ['throws', { get: () => never(), put: () => never() }],
  ['rejects', { get: async () => never(), put: async () => never() }],
  ['gives what it was not given', { get: () => '{"status":"failed"}', put: () => {} }],
  ['gives no JSON', { get: async () => 'oops', put: async () => {} }],
  ['never answers', { get: () => new Promise(() => {}), put: () => {} }],
  ['never keeps', { get: () => undefined, put: () => new Promise(() => {}) }],
])('a cache that %s costs only what it would have saved', async (_, cache) => {
  const { tool, done } = counting();
  const { texts, outcome } = await callEach([tool], [look(), look()], fakePorts({ cache }));
  expect(outcome.status).toBe('completed');
  expect([texts, done.length]).toEqual([['answer 1', 'answer 2'], 2]);
});

test('in memory the least recently used goes first, by number and by bytes', () => {
  const clock = new FakeClock();
  const few = new MemoryCache(clock, { maxEntries: 2 });
  few.put('a', '1', 10);
  few.put('b', '2', 10);
  few.get('a');
  few.put('c', '3', 10);
  expect(['a', 'b', 'c'].map((key) => few.get(key))).toEqual(['1', undefined, '3']);
  const small = new MemoryCache(clock, { maxBytes: 10 });
  small.put('a', '1234', 10);
  small.put('b', '1234', 10);
  small.put('c', 'x'.repeat(10), 10);
  expect(['a', 'b', 'c'].map((key) => small.get(key))).toEqual(['1234', '1234', undefined]);
  small.put('a', '12345', 10);
  expect(['a', 'b'].map((key) => small.get(key))).toEqual(['12345', undefined]);
});

test.each([
  [{ ttlMs: 1 }, /tool look: cache\.key is undefined and must be text/],
  [{ key: 'k' }, /cache\.ttlMs is undefined and must be a number of milliseconds above 0/],
  [{ key: 'k', ttlMs: 0 }, /cache\.ttlMs is 0/],
  [{ key: 'k', ttlMs: 1, ttl: 2 }, /cache\.ttl is not known; known are key, ttlMs/],
])('a cache that is set up wrongly is found when the tool is defined: %o', (cache, message) => {
  expect(() => counting({ cache: cache as never })).toThrow(message);
});

function never(): never {
  throw new TypeError('no cache');
}
