// The promise: so many run, so many wait, the rest is told to come back; owners take turns, and no place is ever lost.

import { AgentError } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { Places, type Ticket } from '../src/places.ts';

/** Enters, and notes who got in. */
function rowOf(options: { running?: number; waiting?: number }) {
  let now = 0;
  const places = new Places(options, () => now);
  const inside: [string, Ticket][] = [];
  const enter = (owner: string, more: { atOnce?: number; signal?: AbortSignal } = {}) => {
    const entered = places.enter({ owner, ...more });
    if (entered instanceof Promise) return entered.then((ticket) => void inside.push([owner, ticket]));
    inside.push([owner, entered]);
    return undefined;
  };
  const leave = async () => {
    const [owner, ticket] = inside.shift() ?? [];
    ticket?.leave();
    await Promise.resolve();
    await Promise.resolve();
    return owner;
  };
  const tick = (ms: number) => {
    now += ms;
  };
  return { places, inside, enter, leave, tick };
}

const codeOf = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return error instanceof AgentError ? error.code : error;
  }
  return undefined;
};

test('ten run and a hundred wait, unless somebody says otherwise', () => {
  const { places, enter } = rowOf({});
  for (let i = 0; i < 110; i++) enter('');
  expect([places.running, places.waiting]).toEqual([10, 100]);
  expect(codeOf(() => enter(''))).toBe('server-full');
});

test('who is turned away is told for how long, by how long runs take', async () => {
  const { places, enter, leave, tick } = rowOf({ running: 2, waiting: 4 });
  for (let i = 0; i < 40; i++) {
    enter('');
    tick(8_000);
    await leave();
  }
  for (let i = 0; i < 6; i++) enter('');
  let refusal: AgentError | undefined;
  try {
    enter('');
  } catch (error) {
    refusal = error as AgentError;
  }
  expect(refusal?.message).toBe('All 2 places are taken, and 4 requests wait already.');
  expect(refusal?.retryAfterMs).toBeGreaterThan(19_000);
  expect(refusal?.retryAfterMs).toBeLessThan(20_500);
  expect(places.waiting).toBe(4);
});

test.each([
  [1, 1, 'The one place is taken, and 1 request waits already.'],
  [1, 0, 'The one place is taken, and none may wait.'],
])('%i running and %i waiting are said in words', (running, waiting, message) => {
  const { enter } = rowOf({ running, waiting });
  for (let i = 0; i < running + waiting; i++) enter('');
  expect(() => enter('')).toThrow(message);
});

test('owners take turns, whoever came first in a crowd', async () => {
  const { enter, leave } = rowOf({ running: 1 });
  for (const owner of ['a', 'a', 'a', 'a', 'b', 'c', 'b']) enter(owner);
  const order: unknown[] = [];
  for (let i = 0; i < 7; i++) order.push(await leave());
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a']);
});

test('an owner at its bound waits while others pass, and is not forgotten', async () => {
  const { places, inside, enter, leave } = rowOf({ running: 3 });
  for (let i = 0; i < 3; i++) enter('a', { atOnce: 1 });
  enter('b');
  expect(inside.map(([owner]) => owner)).toEqual(['a', 'b']);
  expect([places.running, places.waiting]).toEqual([2, 2]);
  for (const left of ['a', 'b', 'a', 'a']) expect(await leave()).toBe(left);
  expect([places.running, places.waiting]).toEqual([0, 0]);
});

test('an owner that waits for its own bound is told so', () => {
  const { enter } = rowOf({ running: 5, waiting: 2 });
  for (let i = 0; i < 3; i++) enter('a', { atOnce: 1 });
  expect(codeOf(() => enter('a', { atOnce: 1 }))).toBe('too-many-requests');
});

test('one owner may fill the row, and cannot fill it for others', () => {
  const { places, enter } = rowOf({ running: 1, waiting: 20 });
  for (let i = 0; i < 21; i++) enter('greedy');
  expect(codeOf(() => enter('greedy'))).toBe('server-full');
  for (const owner of ['b', 'b', 'c', 'c']) enter(owner);
  expect(codeOf(() => enter('b'))).toBe('server-full');
  for (let i = 0; i < 16; i++) enter(`owner ${i}`);
  expect(places.waiting).toBe(40);
  expect(codeOf(() => enter('one more'))).toBe('server-full');
});

test('no row at all', () => {
  const { enter } = rowOf({ running: 1, waiting: 0 });
  enter('a');
  expect(codeOf(() => enter('b'))).toBe('server-full');
});

test('who goes away leaves the row, and takes no place with it', async () => {
  const { places, enter, leave } = rowOf({ running: 1, waiting: 2 });
  enter('a');
  const gone = new AbortController();
  const waiting = enter('b', { signal: gone.signal });
  enter('c');
  gone.abort(new AgentError('cancelled', 'Gone.'));
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  expect(places.waiting).toBe(1);
  expect(codeOf(() => enter('d', { signal: gone.signal }))).toBe('cancelled');
  for (const left of ['a', 'c', undefined]) expect(await leave()).toBe(left);
  expect([places.running, places.waiting]).toEqual([0, 0]);
});

test('everybody who waits can be sent away', async () => {
  const { places, enter } = rowOf({ running: 1 });
  enter('a');
  const waiting = [enter('a'), enter('b')];
  places.clear(new AgentError('server-stopping', 'Over.'));
  for (const one of waiting) await expect(one).rejects.toMatchObject({ code: 'server-stopping' });
  expect([places.running, places.waiting]).toEqual([1, 0]);
});

test('a place is given back once, however often it is left', () => {
  const { places, inside, enter } = rowOf({ running: 2 });
  enter('a');
  enter('a');
  const [, ticket] = inside[0] ?? [];
  ticket?.leave();
  ticket?.leave();
  expect(places.running).toBe(1);
});

test('inside a place there are places again, at any bound; how many there are in all has an end', () => {
  const { places, inside, enter } = rowOf({ running: 1, waiting: 0 });
  enter('a');
  let deepest = inside[0]?.[1] as Ticket;
  for (let depth = 0; depth < 50; depth++) {
    const next = deepest.inside.enter({ owner: 'a', atOnce: 1 });
    expect(next).not.toBeInstanceOf(Promise);
    deepest = next as Ticket;
  }
  expect(places.running).toBe(1);
  const count = () => {
    const held: Ticket[] = [];
    for (;;) {
      try {
        deepest = deepest.inside.enter({ owner: 'a' }) as Ticket;
        held.push(deepest);
      } catch {
        return held;
      }
    }
  };
  const held = count();
  expect(held.length).toBe(950);
  held.at(-1)?.leave();
  deepest = held.at(-2) as Ticket;
  expect(count()).toHaveLength(1);
});

test('a thousand that come and go, some of them by themselves, leave nothing behind', async () => {
  const { places, inside, enter } = rowOf({ running: 7, waiting: 1_000 });
  const settled: unknown[] = [];
  for (let i = 0; i < 1_000; i++) {
    const gone = new AbortController();
    settled.push(
      Promise.resolve(enter(`owner ${i % 13}`, { atOnce: 1 + (i % 3), signal: gone.signal })).catch(() => {}),
    );
    if (i % 5 === 0) gone.abort();
  }
  while (inside.length > 0) {
    for (const [, ticket] of inside.splice(0)) ticket.leave();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(settled);
  expect([places.running, places.waiting]).toEqual([0, 0]);
});
