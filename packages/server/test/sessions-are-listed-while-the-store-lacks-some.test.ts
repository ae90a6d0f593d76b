// The promise: sessions of which the store lacks something are in every list that they belong to, once and in their place, page by page; a list that the store had no say in says so.

import type { SessionHead } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { MemorySessions } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { gate, type House, hallOf, openHouse } from './support/house.ts';
import { BreakableStore } from './support/stores.ts';

const echo = () => agentOf('echo', () => 'Said.');

function headOf(id: string, createdAt: number): SessionHead {
  const ended = { status: 'completed', endedAt: createdAt + 1, facts: 0, resumptions: 0 } as const;
  return { id, agent: 'echo', owner: null, headend: 'rest', isDetached: true, createdAt, ...ended };
}

/** A store that can be read, and takes nothing: a disk that is full. */
async function openFull(older: readonly SessionHead[]) {
  const inner = new MemorySessions();
  for (const head of older) inner.put(head);
  const store = new BreakableStore(inner);
  const full = () => Promise.reject(new TypeError('The disk is full.'));
  Object.assign(store, { put: full, append: full });
  const clock = new FakeClock();
  const house = await openHouse(hallOf([echo()], { store, ports: fakePorts({ clock }) }));
  return { house, store, clock };
}

async function pages({ get }: House, limit: number, more = ''): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let before = ''; ids.length < 50; ) {
    const { body } = await get(`/v1/sessions?limit=${limit}${more}${before}`);
    ids.push(...body.sessions.map(({ id }: { id: string }) => id));
    if (body.sessions.length < limit) return ids;
    before = `&before=${body.sessions.at(-1).id}`;
  }
  return ids;
}

test.each([1, 2, 3, 10])('all of them, %i at a time', async (limit) => {
  const at = new FakeClock().now();
  const { house, clock } = await openFull([headOf('old1', at - 2), headOf('old2', at - 1), headOf('same', at)]);
  for (let i = 0; i < 3; i++) {
    await house.start('echo');
    await expect.poll(() => house.hall.running).toBe(0);
    if (i === 1) clock.advance(10);
  }
  expect(await pages(house, limit)).toEqual(['s3', 's2', 's1', 'same', 'old2', 'old1']);
});

test('one that began elsewhere and goes on here is in its place', async () => {
  const at = new FakeClock().now();
  const door = gate();
  const inner = new MemorySessions();
  for (const head of [headOf('a', at - 3), headOf('b', at - 2), headOf('c', at - 1)]) inner.put(head);
  const store = new BreakableStore(inner);
  const slow = agentOf('echo', () => ({ text: 'Said.', until: door.opened }));
  const house = await openHouse(hallOf([slow], { store, ports: fakePorts() }));
  expect((await house.post('/v1/sessions', { session: 'a', input: 'More.' })).status).toBe(201);
  const { append } = store;
  Object.assign(store, { append: () => Promise.reject(new TypeError('The disk is full.')) });
  door.open();
  await expect.poll(() => house.hall.running).toBe(0);
  for (const limit of [1, 2, 3]) expect(await pages(house, limit)).toEqual(['c', 'b', 'a']);
  expect(await pages(house, 1, '&status=completed')).toEqual(['c', 'b', 'a']);
  Object.assign(store, { append });
});

test('what the store holds for something else makes no page shorter than it is', async () => {
  const at = new FakeClock().now();
  const inner = new MemorySessions();
  inner.put(headOf('old1', at - 2));
  inner.put(headOf('old2', at - 1));
  const store = new BreakableStore(inner);
  const door = gate();
  const slow = agentOf('echo', () => ({ text: 'Said.', until: door.opened }));
  const house = await openHouse(hallOf([slow], { store, ports: fakePorts() }));
  const id = await house.start('echo');
  await expect.poll(() => inner.get(id)).toMatchObject({ status: 'running' });
  Object.assign(store, { append: () => Promise.reject(new TypeError('The disk is full.')) });
  expect((await house.post(`/v1/sessions/${id}/cancel`)).status).toBe(202);
  await expect.poll(() => house.hall.running).toBe(0);
  expect(await pages(house, 2, '&status=completed')).toEqual(['old2', 'old1']);
  expect(await pages(house, 2, '&status=cancelled')).toEqual([id]);
});

test('where the store cannot be asked, a list says that it is not all, and no page ends too early', async () => {
  const { house, store } = await openFull([headOf('old', 1)]);
  await house.start('echo');
  await expect.poll(() => house.hall.running).toBe(0);
  expect((await house.get('/v1/sessions')).body).not.toHaveProperty('isComplete');
  store.isBroken = true;
  const { status, body } = await house.get('/v1/sessions');
  expect([status, body.isComplete, body.sessions.length]).toEqual([200, false, 1]);
  expect((await house.get('/v1/sessions?before=old')).status).toBe(500);
  store.isBroken = false;
  expect((await house.get('/v1/sessions')).body.sessions).toHaveLength(2);
});
