// The promise: sessions that are too old, or too much, are deleted from a database with all that is kept of them; those under way stay.

import type { Paused } from '@ai-agent/core';
import { expect, onTestFinished, test } from 'vitest';
import { openStore, type StoreOptions } from '../src/index.ts';
import { factOf, headOf } from './support/facts.ts';
import { forEver } from './support/for-ever.ts';
import { usePostgres } from './support/postgres.ts';

const postgres = usePostgres();
const day = 24 * 60 * 60_000;

async function open(address: string, options: StoreOptions) {
  const store = await openStore(address, options);
  onTestFinished(() => store.close());
  return store;
}

async function countRows(address: string, table: string): Promise<number> {
  const [row] = await postgres().query(`SELECT count(*)::integer AS count FROM ai_agent.${table}`, address);
  return row?.count as number;
}

test('by age', async () => {
  const address = await postgres().database();
  const store = await open(address, { retention: forEver, now: () => 2 * day });
  for (let i = 0; i < 250; i++) await store.put(headOf(`old ${i}`, { endedAt: 2 * day + i }));
  await store.append('old 7', [factOf(1), factOf(2)]);
  await store.pauses.put('old 7~x', {} as Paused);
  await store.notes.put('over', 1, 5 * day);
  await store.put(headOf('runs'));
  await store.put(headOf('new', { endedAt: 9 * day }));
  await open(address, { retention: { maxAgeMs: 2 * day }, now: () => 10 * day });
  await expect.poll(async () => (await store.list({ limit: 500 })).map(({ id }) => id)).toEqual(['new', 'runs']);
  await expect.poll(() => countRows(address, 'notes')).toBe(0);
  expect(await countRows(address, 'facts')).toBe(0);
  expect(await countRows(address, 'pauses')).toBe(0);
});

test('by size, the oldest first', async () => {
  const address = await postgres().database();
  const store = await open(address, { retention: forEver });
  for (let i = 0; i < 12; i++) {
    await store.put(headOf(`s${i}`, { createdAt: i }));
    await store.append(`s${i}`, [factOf(1, 'x'.repeat(200_000))]);
    await store.put(headOf(`s${i}`, { createdAt: i, endedAt: 100 + i }));
  }
  await store.put(headOf('runs', { createdAt: 0 }));
  const told: unknown[] = [];
  const onTended = (deleted: unknown) => told.push(deleted);
  await open(address, { retention: { ...forEver, maxBytes: 1024 * 1024 }, onTended });
  const ids = async () => (await store.list({ limit: 50 })).map(({ id }) => id);
  await expect.poll(ids).toEqual(['s11', 's10', 's9', 's8', 's7', 'runs']);
  await expect.poll(() => told).toEqual([{ byAge: 0, bySize: 7 }]);
});

test('by size, with what waits and with notes: no more sessions go than have to', async () => {
  const address = await postgres().database();
  const store = await open(address, { retention: forEver });
  const now = Date.now();
  const large = 'x'.repeat(200_000);
  for (let i = 0; i < 6; i++) {
    await store.put(headOf(`s${i}`, { createdAt: i, endedAt: 100 + i }));
    await store.pauses.put(`s${i}`, { agentName: large } as unknown as Paused);
  }
  for (let i = 0; i < 9; i++) await store.notes.put(`n${i}`, large, now + (i + 1) * day);
  await open(address, { retention: { ...forEver, maxBytes: 1024 * 1024 } });
  const ids = async () => (await store.list({ limit: 50 })).map(({ id }) => id);
  await expect.poll(ids).toEqual(['s5', 's4', 's3']);
  expect(await countRows(address, 'notes')).toBe(2);
  expect([await store.notes.get('n6'), await store.notes.get('n7')]).toEqual([undefined, large]);
  expect(await countRows(address, 'pauses')).toBe(3);
});

test('what waits for no session of it is bounded as well', async () => {
  const address = await postgres().database();
  const store = await open(address, { retention: forEver });
  const waiting = { agentName: 'x'.repeat(200_000) } as unknown as Paused;
  for (let i = 0; i < 12; i++) await store.pauses.put(`other${i}`, waiting);
  await open(address, { retention: { ...forEver, maxBytes: 1024 * 1024 } });
  await expect.poll(() => countRows(address, 'pauses')).toBe(2);
  expect(await store.pauses.get('other11')).toEqual(waiting);
});

test('a clock that is 400 days ahead deletes nothing by age', async () => {
  const address = await postgres().database();
  const store = await open(address, { retention: forEver });
  const now = Date.now();
  for (const id of ['yesterday', 'today']) await store.put(headOf(id, { endedAt: now - day }));
  await store.notes.put('note', 1, now + day);
  const retention = { maxAgeMs: 30 * day };
  // Closing waits for the look at what is due.
  await (await openStore(address, { retention, now: () => Date.now() + 400 * day })).close();
  expect((await store.list({ limit: 5 })).length).toBe(2);
  expect(await countRows(address, 'notes')).toBe(1);
});

test('what could not be committed is not said to be deleted', async () => {
  const address = await postgres().database();
  const store = await open(address, { retention: forEver, now: () => day });
  await store.put(headOf('old', { endedAt: day }));
  // The last use proves that time has passed.
  await store.put(headOf('recent', { endedAt: 9.9 * day }));
  // Speaks up when all of it is to be kept for good.
  const refuse = `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''No.''; END';
    CREATE CONSTRAINT TRIGGER refuse AFTER DELETE ON ai_agent.sessions DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION refuse()`;
  await postgres().query(refuse, address);
  const [told, bugs]: [unknown[], unknown[]] = [[], []];
  await open(address, {
    retention: { maxAgeMs: day },
    now: () => 10 * day,
    onTended: (deleted) => told.push(deleted),
    onBug: (error) => bugs.push(error),
  });
  await expect.poll(() => bugs.length).toBe(1);
  expect(told).toEqual([]);
  expect(await store.get('old')).toBeDefined();
});

test('what is deleted is gone with its facts and with what it waits for', async () => {
  const address = await postgres().database();
  const store = await open(address, { retention: forEver });
  for (const id of ['a', 'ab']) {
    await store.put(headOf(id));
    await store.append(id, [factOf(1)]);
    await store.put(headOf(id, { endedAt: 5 }));
    for (const handle of [id, `${id}-2`, `${id}~x.1`, `${id}-2~x`]) await store.pauses.put(handle, {} as Paused);
  }
  expect(await store.delete('a')).toBe(true);
  expect(await store.delete('a')).toBe(false);
  expect(await countRows(address, 'facts')).toBe(1);
  expect(await countRows(address, 'pauses')).toBe(4);
  expect(await store.pauses.get('ab')).toEqual({});
});
