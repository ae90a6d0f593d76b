// The promise: a session that was deleted while the store lacked some of it is gone for good: nothing that was on its way there brings it back.

import type { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { mendMs } from '../src/mending.ts';
import { agentOf } from './contract/people.ts';
import { type House, hallOf, openHouse } from './support/house.ts';
import { BreakableStore } from './support/stores.ts';

/** Of a session that ended while the store failed. */
async function openBehind() {
  const store = new BreakableStore();
  const house = await openHouse(hallOf([agentOf('echo', () => 'Said.')], { store }));
  store.isBroken = true;
  const id = await house.start('echo');
  await expect.poll(() => house.hall.running).toBe(0);
  store.isBroken = false;
  return { store, house, id };
}

async function remove({ wire }: House, id: string): Promise<number> {
  return (await wire.send(`/v1/sessions/${id}`, { method: 'DELETE' })).status;
}

const mend = ({ hall }: House) => (hall.clock as FakeClock).advance(mendMs);

async function expectGone(house: House, store: BreakableStore, id: string): Promise<void> {
  for (let i = 0; i < 3; i++) {
    mend(house);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  expect(await store.inner.get(id)).toBeUndefined();
  expect(await store.inner.list({})).toEqual([]);
  expect((await house.get('/v1/sessions')).body.sessions).toEqual([]);
  expect((await house.get(`/v1/sessions/${id}`)).status).toBe(404);
  expect((house.hall.clock as FakeClock).timers).toBe(0);
}

test('what the store never heard of', async () => {
  const { store, house, id } = await openBehind();
  expect(await remove(house, id)).toBe(204);
  await expectGone(house, store, id);
});

test('what it is given at that moment', async () => {
  const { store, house, id } = await openBehind();
  store.hold();
  mend(house);
  const removing = remove(house, id);
  await new Promise((resolve) => setTimeout(resolve, 10));
  store.release();
  expect(await removing).toBe(204);
  await expectGone(house, store, id);
});

test('what it has half of, and takes for something that runs', async () => {
  const { store, house, id } = await openBehind();
  const { append } = store;
  Object.assign(store, { append: () => Promise.reject(new TypeError('The disk is full.')) });
  mend(house);
  await expect.poll(() => store.inner.get(id)).toMatchObject({ status: 'running' });
  Object.assign(store, { append });
  expect(await remove(house, id)).toBe(204);
  await expectGone(house, store, id);
});

test('where the store fails, whoever deletes is told, and nothing is half deleted', async () => {
  const { store, house, id } = await openBehind();
  store.isBroken = true;
  expect(await remove(house, id)).toBe(500);
  expect((await house.get(`/v1/sessions/${id}`)).body).toMatchObject({ status: 'completed', text: 'Said.' });
  store.isBroken = false;
  expect(await remove(house, id)).toBe(204);
  await expectGone(house, store, id);
});
