// The promise: with a store that several servers share, a session that one of them runs is followed and ended through another; one whose server is gone says so, and can be gone on with.

import type { Json } from '@ai-agent/core';
import { type FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { pollMs } from '../src/headends/rest/session-events.ts';
import { MemorySessions, type SessionStore } from '../src/index.ts';
import { lookMs } from '../src/wishes.ts';
import { agentOf } from './contract/people.ts';
import { overSockets } from './contract/wires.ts';
import { type Connect, gate, hallOf, openHouse } from './support/house.ts';
import { saidBy } from './support/said-by.ts';
import { notesIn, slowStore } from './support/stores.ts';

/** Two servers, one store. */
async function twoServers(until: Promise<void>) {
  const kept = new Map<string, Json>();
  const notes = notesIn(kept, async (done) => done());
  const slow = slowStore(new MemorySessions());
  const reads = { count: 0 };
  const store: SessionStore = {
    ...slow,
    notes,
    get: (id) => {
      reads.count += 1;
      return slow.get(id);
    },
  };
  const ports = fakePorts();
  const agents = () => [
    agentOf('slow', (request) => {
      const said = saidBy(request);
      return said.length === 1 ? { text: 'Said at last.', until } : said.join(' | ');
    }),
  ];
  const open = (connect?: Connect) => openHouse(hallOf(agents(), { store, ports }), connect);
  return { one: await open(), two: await open(overSockets), store, clock: ports.clock as FakeClock, kept, reads };
}

test('who follows it elsewhere hears every fact once, and its end', async () => {
  const door = gate();
  const { one, two, clock } = await twoServers(door.opened);
  const id = await one.start('slow');
  await expect.poll(() => one.hall.live(id)?.kept).toBeGreaterThan(2);
  const heard = two.heard(id);
  await expect.poll(() => clock.timers).toBeGreaterThan(1);
  door.open();
  await expect.poll(() => one.hall.running).toBe(0);
  for (let i = 0; i < 3; i++) {
    clock.advance(pollMs);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const events = await heard;
  const facts = events.slice(0, -1);
  expect(facts.map((event) => event.id)).toEqual(facts.map((_, i) => String(i + 1)));
  expect(facts.at(-1)?.event).toBe('session-end');
  expect(events.at(-1)).toMatchObject({ event: 'end', data: { id, status: 'completed' } });
});

test.each([
  ['stop', 'partial'],
  ['cancel', 'cancelled'],
] as const)('%s reaches the server that runs it', async (action, status) => {
  const door = gate();
  const { one, two, clock, kept } = await twoServers(door.opened);
  const id = await one.start('slow');
  await expect.poll(() => one.hall.live(id)?.kept).toBeGreaterThan(2);
  const replied = await two.post(`/v1/sessions/${id}/${action}`);
  expect([replied.status, replied.body.status]).toEqual([202, 'running']);
  expect([...kept.keys()]).toEqual([`wish:${id}`]);
  clock.advance(lookMs);
  if (action === 'stop') await expect.poll(() => kept.size).toBe(0);
  if (action === 'stop') door.open();
  await expect.poll(async () => (await two.get(`/v1/sessions/${id}`)).body.status).toBe(status);
  expect(kept.size).toBe(0);
});

test.each([
  ['stop', 'cancel'],
  ['cancel', 'stop'],
] as const)('of two wishes, %s and %s, the one that ends it at once holds', async (...actions) => {
  const { one, two, clock } = await twoServers(new Promise(() => {}));
  const id = await one.start('slow');
  await expect.poll(() => one.hall.live(id)?.kept).toBeGreaterThan(2);
  for (const action of actions) expect((await two.post(`/v1/sessions/${id}/${action}`)).status).toBe(202);
  clock.advance(lookMs);
  await expect.poll(async () => (await two.get(`/v1/sessions/${id}`)).body.status).toBe('cancelled');
});

test('sessions below that are to stop are told each once, and not without end', async () => {
  const door = gate();
  const { one, two, kept } = await twoServers(door.opened);
  const id = await one.start('slow');
  await expect.poll(() => one.hall.live(id)?.kept).toBeGreaterThan(2);
  const below = () => (kept.get(`wish:${id}`) as { below?: string[] } | undefined)?.below;
  for (const i of [1, 2, 1]) await two.post(`/v1/sessions/${id}/stop`, { session: `${id}~1.${i}` });
  expect(below()).toEqual([`${id}~1.1`, `${id}~1.2`]);
  for (let i = 3; i < 110; i++) await two.post(`/v1/sessions/${id}/stop`, { session: `${id}~1.${i}` });
  expect([below()?.length, below()?.at(-1)]).toEqual([100, `${id}~1.109`]);
  door.open();
  await expect.poll(() => one.hall.running).toBe(0);
});

test('one whose server is gone says so, its events end, and it goes on with a further message', async () => {
  const door = gate();
  const { one, two, store } = await twoServers(door.opened);
  const id = await one.start('slow');
  await expect.poll(() => one.hall.live(id)?.kept).toBeGreaterThan(2);
  // As a store says it of a writer that is gone.
  const told = (await store.facts(id, 0)).length;
  const head = await store.get(id);
  if (!head) throw new TypeError('It is there.');
  await store.put({ ...head, status: 'interrupted', endedAt: head.createdAt, facts: told });
  const read = (await two.get(`/v1/sessions/${id}`)).body;
  expect(read).toMatchObject({
    status: 'interrupted',
    failure: { code: 'session-interrupted', retryable: true, remedy: expect.stringContaining('Go on with it') },
  });
  const events = await two.heard(id);
  expect(events.at(-1)).toMatchObject({ event: 'end', data: { status: 'interrupted' } });
  expect(events.length).toBe(told + 1);
  const resource = await two.post('/v1/slow', { text: 'And now?', session: id });
  expect([resource.status, resource.body]).toEqual([200, 'Go. | And now?']);
  expect((await two.get(`/v1/sessions/${id}`)).body).toMatchObject({ status: 'completed', rounds: 2 });
});

test('the store is looked at once in a while for it, and not any more when its client has gone', async () => {
  const door = gate();
  const { one, two, clock, reads } = await twoServers(door.opened);
  const id = await one.start('slow');
  await expect.poll(() => one.hall.live(id)?.kept).toBeGreaterThan(2);
  const timers = clock.timers;
  const client = new AbortController();
  const { chunks } = await two.events(id, { signal: client.signal });
  const reading = (async () => {
    for await (const _ of chunks);
  })().catch(() => {});
  // It beats, and looks again.
  await expect.poll(() => clock.timers).toBe(timers + 2);
  for (let i = 1; i <= 3; i++) {
    const before = reads.count;
    clock.advance(pollMs);
    await expect.poll(() => clock.timers).toBe(timers + 2);
    expect(reads.count - before).toBe(1);
  }
  client.abort();
  await reading;
  await expect.poll(() => clock.timers).toBe(timers);
  const before = reads.count;
  clock.advance(pollMs);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(reads.count).toBe(before);
  door.open();
  await expect.poll(() => one.hall.running).toBe(0);
});
