// The promise: several servers on one database do not get in each other's way, and notice when one of them is gone.

import type { SessionHead } from '@ai-agent/core';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { factOf, headOf } from './support/facts.ts';
import { forEver } from './support/for-ever.ts';
import { usePostgres } from './support/postgres.ts';
import { StoreProcess } from './support/store-process.ts';

const postgres = usePostgres();

async function openTwo(address: string): Promise<{ store: Store; other: StoreProcess }> {
  // Both find an empty database, and one of them makes the tables.
  const [store, other] = await Promise.all([openStore(address, { retention: forEver }), StoreProcess.start(address)]);
  onTestFinished(async () => {
    await other.kill();
    await store.close();
  });
  return { store, other };
}

test('they start at once on an empty database', async () => {
  const address = await postgres().database();
  const stores = await Promise.all(Array.from({ length: 8 }, () => openStore(address, { retention: forEver })));
  await Promise.all(stores.map((store, i) => store.put(headOf(`s${i}`, { createdAt: i }))));
  expect(await stores[0]?.list({ limit: 10 })).toHaveLength(8);
  await Promise.all(stores.map((store) => store.close()));
});

test('of two that go on with a session one does', async () => {
  const { store, other } = await openTwo(await postgres().database());
  const wins = { here: 0, there: 0 };
  for (let i = 0; i < 40; i++) {
    const id = `s${i}`;
    await store.put(headOf(id, { endedAt: 5 }));
    const next = headOf(id, { resumptions: 1 });
    const [here, there] = await Promise.all([store.claim(next), other.call<boolean>('claim', next)]);
    expect([here, there].filter(Boolean)).toEqual([true]);
    if (here) wins.here += 1;
    else wins.there += 1;
  }
  expect(wins.here + wins.there).toBe(40);
});

test('what one has told is read by the other, and written by nobody else', async () => {
  const { store, other } = await openTwo(await postgres().database());
  await other.call('put', headOf('a'));
  await other.call('append', 'a', [factOf(1), factOf(2)]);
  expect(await store.get('a')).toMatchObject({ status: 'running' });
  expect(await store.facts('a', 1)).toEqual([factOf(2)]);
  await expect(store.append('a', [factOf(3)])).rejects.toMatchObject({ code: 'store-failed' });
  await expect(store.put(headOf('a', { endedAt: 5 }))).rejects.toMatchObject({ code: 'store-failed' });
  expect(await store.claim(headOf('a', { resumptions: 1 }))).toBe(false);
  expect(await store.delete('a')).toBe(false);
  expect(await store.get('a')).toMatchObject({ status: 'running' });
});

test('a process that was killed leaves sessions that say so at once, for who opens the store and for who goes on', async () => {
  const address = await postgres().database();
  const { store, other } = await openTwo(address);
  for (const id of ['a', 'b', 'queued']) await other.call('put', headOf(id, { createdAt: 3 }));
  await other.call('put', headOf('done', { endedAt: 5 }));
  await other.call('append', 'a', [factOf(7), factOf(9)]);
  await other.kill();
  expect(await store.claim(headOf('a', { resumptions: 1 }))).toBe(true);
  await store.append('a', [factOf(10)]);
  expect((await store.facts('a', 0)).map(({ seq }) => seq)).toEqual([7, 9, 10]);
  const late = await openStore(address, { retention: forEver });
  onTestFinished(() => late.close());
  expect(await late.get('a')).toMatchObject({ status: 'running' });
  expect(await late.get('b')).toEqual(headOf('b', { status: 'interrupted', createdAt: 3, endedAt: 3, facts: 0 }));
  expect(await late.get('done')).toMatchObject({ status: 'completed' });
  const interrupted = await late.list({ statuses: ['interrupted'], limit: 10 });
  expect(interrupted.map(({ id }) => id)).toEqual(['queued', 'b']);
});

test('the end of an interrupted session is that of its last fact', async () => {
  const address = await postgres().database();
  const { other } = await openTwo(address);
  await other.call('put', headOf('a'));
  await other.call('append', 'a', [factOf(7), factOf(9)]);
  await other.kill();
  const late = await openStore(address, { retention: forEver });
  onTestFinished(() => late.close());
  expect(await late.get('a')).toEqual(headOf('a', { status: 'interrupted', endedAt: 9, facts: 2 }));
});

test('what is under way when a store is closed is interrupted', async () => {
  const address = await postgres().database();
  const { store, other } = await openTwo(address);
  await store.put(headOf('a'));
  await store.close();
  expect(await other.call('get', 'a')).toMatchObject({ status: 'interrupted' });
});

test('one on another machine is gone when the database has not heard of it for a while', {
  timeout: 60_000,
}, async () => {
  const address = await postgres().database();
  const { store, other } = await openTwo(address);
  await other.call('put', headOf('a'));
  await other.call('append', 'a', [factOf(1)]);
  const statusOf = async () => (await store.get('a'))?.status;
  const elsewhere = (seconds: number) =>
    postgres().query(
      `UPDATE ai_agent.writers SET host = 'elsewhere', seen = clock_timestamp() - interval '${seconds} s'`,
      address,
    );
  const lookAgain = async (seconds: number) => {
    await elsewhere(seconds);
    await (await openStore(address, { retention: forEver })).close();
    return statusOf();
  };
  // Nobody can have been silent for longer than the database is there.
  const whenInterrupted = () => expect.poll(() => lookAgain(25), { timeout: 30_000 }).toBe('interrupted');
  expect(await lookAgain(15)).toBe('running');
  await whenInterrupted();
  // It was only slow: nobody has gone on with its session, so it does.
  await other.call('append', 'a', [factOf(2)]);
  expect(await statusOf()).toBe('running');
  await whenInterrupted();
  expect(await store.claim(headOf('a', { resumptions: 1 }))).toBe(true);
  await expect(other.call('append', 'a', [factOf(3)])).rejects.toThrow('another process');
  await expect(other.call<SessionHead>('put', headOf('a', { endedAt: 5 }))).rejects.toThrow('another process');
  expect(await store.facts('a', 0)).toHaveLength(2);
});

test('after the database was away nobody is held for gone before it could be heard', async () => {
  const address = await postgres().database();
  const { other } = await openTwo(address);
  await other.call('put', headOf('a'));
  await postgres().query("UPDATE ai_agent.writers SET host = 'elsewhere', seen = now() - interval '1 hour'", address);
  await postgres().stop();
  await postgres().start();
  const late = await openStore(address, { retention: forEver });
  onTestFinished(() => late.close());
  expect(await late.get('a')).toMatchObject({ status: 'running' });
});
