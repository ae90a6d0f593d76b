// The promise: a fact that is followed has an id only when the store has it for good; text that comes behind it is not lost, and a store that fails keeps nobody waiting.

import type { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { patienceMs } from '../src/patience.ts';
import { agentOf, call, lastResult, lookUp } from './contract/people.ts';
import { gate, type House, hallOf, openHouse } from './support/house.ts';
import { parseEvents, type ReadEvent } from './support/sse-events.ts';
import { BreakableStore } from './support/stores.ts';

const words = 'Piece by piece by piece.';

interface Followed {
  readonly house: House;
  readonly store: BreakableStore;
  readonly id: string;
  readonly heard: ReadEvent[];
  readonly over: Promise<void>;
  /** The model says the rest. */
  open(): void;
}

/** A session that has looked something up and is about to speak, and somebody who follows it. */
async function follow(): Promise<Followed> {
  const store = new BreakableStore();
  const door = gate();
  const teller = agentOf(
    'teller',
    (_request, turn) => (turn === 1 ? call('look_up', {}) : { text: words, until: door.opened }),
    { tools: [lookUp] },
  );
  const house = await openHouse(hallOf([teller], { store }));
  const id = await house.start('teller');
  await expect.poll(() => house.hall.live(id)?.kept).toBeGreaterThan(6);
  const heard: ReadEvent[] = [];
  const { chunks } = await house.events(id);
  const over = (async () => {
    for await (const event of parseEvents(chunks)) heard.push(event);
  })();
  await expect.poll(() => heard.length).toBe(house.hall.live(id)?.count);
  return { house, store, id, heard, over, open: door.open };
}

const facts = (heard: readonly ReadEvent[]) => heard.filter(({ data }) => data.kind === 'fact');
const ids = (heard: readonly ReadEvent[]) => facts(heard).map((event) => event.id);
const textOf = (heard: readonly ReadEvent[]) =>
  heard
    .filter(({ event }) => event === 'text-delta')
    .map(({ data }) => data.text)
    .join('');

test('what the store has not acknowledged is not told; then it comes in its order, with its text', async () => {
  const { house, store, id, heard, over, open } = await follow();
  const before = heard.length;
  store.hold();
  open();
  await expect.poll(() => house.hall.live(id)?.head.endedAt).toBeDefined();
  const kept = house.hall.live(id)?.kept ?? 0;
  expect(kept).toBeLessThan(house.hall.live(id)?.count ?? 0);
  expect(ids(heard).every((number) => Number(number) <= kept)).toBe(true);
  expect(facts(heard).length).toBe(before);
  store.release();
  await over;
  expect(ids(heard)).toEqual(facts(heard).map((_, i) => String(i + 1)));
  expect(textOf(heard)).toBe(words);
  const order = heard.map(({ event }) => event);
  expect(order.indexOf('text-delta')).toBeLessThan(order.lastIndexOf('model-end'));
  expect(heard.at(-1)).toMatchObject({ event: 'end', data: { status: 'completed' } });
  expect(heard.at(-1)?.data).not.toHaveProperty('isKept');
  expect((house.hall.clock as FakeClock).timers).toBe(0);
});

test('a store that hangs is waited for as long as replies wait for it', async () => {
  const { house, store, id, heard, over, open } = await follow();
  const before = heard.length;
  store.hold();
  open();
  await expect.poll(() => house.hall.live(id)?.head.endedAt).toBeDefined();
  expect(facts(heard).length).toBe(before);
  (house.hall.clock as FakeClock).advance(patienceMs);
  await expect.poll(() => facts(heard).length).toBe(house.hall.live(id)?.count);
  expect(
    ids(heard)
      .slice(before)
      .every((number) => number === undefined),
  ).toBe(true);
  store.release();
  await over;
  expect(heard.at(-1)).toMatchObject({ event: 'end', data: { status: 'completed' } });
});

test('while it fails facts come at once and without a number, and the end says that it is not kept', async () => {
  const { house, store, id, heard, over, open } = await follow();
  const before = heard.length;
  store.isBroken = true;
  open();
  await over;
  expect(facts(heard).length).toBeGreaterThan(before);
  expect(
    ids(heard)
      .slice(before)
      .every((number) => number === undefined),
  ).toBe(true);
  expect(textOf(heard)).toBe(words);
  expect(heard.at(-1)).toMatchObject({ event: 'end', data: { status: 'completed', isKept: false } });
  // Whoever comes back is told the same: by who has told it and its place there, each is known again.
  const again = facts(await house.heard(id, { after: before }));
  const named = (all: readonly ReadEvent[]) =>
    all.map(({ data }) => [(data.trace as { selfId: string }).selfId, data.seq]);
  expect(named(again)).toEqual(named(facts(heard).slice(before)));
  expect((await house.get(`/v1/sessions/${id}`)).body).toMatchObject({ isKept: false });
});

test('what comes when it works again has its number, and stands for all before it', async () => {
  const store = new BreakableStore();
  const doors = [gate(), gate(), gate()];
  const steps = agentOf(
    'steps',
    (_request, turn) => {
      const until = doors[turn - 1]?.opened ?? Promise.resolve();
      return turn < 3 ? { ...call('look_up', {}), until } : { text: words, until };
    },
    { tools: [lookUp] },
  );
  const house = await openHouse(hallOf([steps], { store }));
  const id = await house.start('steps');
  const following = house.heard(id);
  const live = house.hall.live(id);
  await expect.poll(() => live?.kept).toBe(live?.count);
  const before = live?.kept ?? 0;
  store.isBroken = true;
  doors[0]?.open();
  await expect.poll(() => live?.isFailing).toBe(true);
  await expect.poll(() => live?.count).toBeGreaterThan(before + 4);
  store.isBroken = false;
  doors[1]?.open();
  await expect.poll(() => live?.isFailing).toBe(false);
  await expect.poll(() => live?.kept).toBe(live?.count);
  const again = live?.kept ?? 0;
  doors[2]?.open();
  const all = facts(await following);
  const numbers = all.map((event) => event.id);
  for (const [i, number] of numbers.entries()) expect([undefined, String(i + 1)]).toContain(number);
  expect(numbers.slice(0, before)).not.toContain(undefined);
  expect(numbers[before]).toBeUndefined();
  expect(numbers.slice(again)).not.toContain(undefined);
  await expect.poll(() => house.hall.running).toBe(0);
  expect(ids(await house.heard(id))).toEqual(all.map((_, i) => String(i + 1)));
});

test('whoever starts a session of which the store has not heard in time is told that it is not kept yet', async () => {
  const store = new BreakableStore();
  const door = gate();
  const house = await openHouse(hallOf([agentOf('slow', () => ({ text: 'Said.', until: door.opened }))], { store }));
  const clock = house.hall.clock as FakeClock;
  store.hold();
  const starting = house.post('/v1/sessions', { agent: 'slow', input: 'Go.' });
  await expect.poll(() => clock.timers).toBeGreaterThan(0);
  clock.advance(patienceMs);
  const { status, body } = await starting;
  expect([status, body.isKept]).toEqual([201, false]);
  store.release();
  await expect.poll(async () => (await house.get(`/v1/sessions/${body.id}`)).body.isKept).toBeUndefined();
  door.open();
  await expect.poll(() => house.hall.running).toBe(0);
});

test('nor has one that was told before the session went on, while the store lacks it', async () => {
  const store = new BreakableStore();
  const door = gate();
  const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
  const curious = agentOf('curious', (request) =>
    lastResult(request) === undefined ? asks : { text: words, until: door.opened },
  );
  const house = await openHouse(hallOf([curious], { store }));
  store.isBroken = true;
  const id = await house.start('curious');
  await expect.poll(() => house.hall.running).toBe(0);
  expect((await house.post(`/v1/sessions/${id}/answer`, { answer: '1999', wait: false })).status).toBe(202);
  const following = house.heard(id);
  door.open();
  const all = facts(await following);
  expect(all.length).toBeGreaterThan(house.hall.live(id)?.before ?? 6);
  expect(all.map((event) => event.id)).toEqual(all.map(() => undefined));
});
