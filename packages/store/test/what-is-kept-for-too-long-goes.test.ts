// The promise: sessions that ended long ago, and the oldest when all is too much, go with all that is kept of them; what is under way stays, and the file becomes smaller.

import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Store } from '../src/index.ts';
import { factOf, headOf } from './support/facts.ts';
import { newFile, open } from './support/folders.ts';

const day = 24 * 60 * 60_000;

async function write(store: Store, id: string, endedAt: number | undefined, letters = 100): Promise<void> {
  await store.put(headOf(id, { createdAt: 1 }));
  const facts = Array.from({ length: 10 }, (_, i) => factOf(i + 1, 'x'.repeat(letters / 10)));
  await store.append(id, facts);
  if (endedAt !== undefined)
    await store.put(headOf(id, { createdAt: 1, endedAt, status: 'needs_user_input', facts: 10 }));
}

async function idsOf(store: Store): Promise<readonly string[]> {
  return (await store.list({ limit: 1_000 })).map(({ id }) => id).sort();
}

test('by age, counted from their end', async () => {
  const path = newFile();
  const now = Date.now();
  const first = await open(path);
  for (let i = 0; i < 120; i++) await write(first, `old${i}`, now - 31 * day);
  await write(first, 'young', now - 29 * day);
  await write(first, 'runs', undefined);
  // The last use proves that time has passed.
  await write(first, 'today', now - day / 12);
  await first.pauses.put('old7-2~1.1', { agentName: 'x' } as never);
  await first.pauses.put('young', { agentName: 'y' } as never);
  await first.notes.put('note', 1, now + 40 * day);
  // Another one looks after it, and the first still runs.
  const told: unknown[] = [];
  const second = await open(path, { retention: {}, onTended: (deleted) => told.push(deleted) });
  await expect.poll(() => idsOf(second)).toEqual(['runs', 'today', 'young']);
  await expect.poll(() => told).toEqual([{ byAge: 120, bySize: 0 }]);
  expect(await second.facts('old1', 0)).toEqual([]);
  expect(await second.pauses.get('old7-2~1.1')).toBeUndefined();
  expect(await second.pauses.get('young')).toEqual({ agentName: 'y' });
  await write(first, 'then', now + 31.9 * day);
  const later = await open(path, { retention: {}, now: () => Date.now() + 32 * day });
  await expect.poll(() => idsOf(later)).toEqual(['runs', 'then']);
  await expect.poll(() => later.pauses.get('young')).toBeUndefined();
  expect(await later.notes.get('note')).toBe(1);
  expect((await later.facts('runs', 0)).length).toBe(10);
});

test('by size: the oldest that have ended go first, and the file gives back what they took', async () => {
  const path = newFile();
  const first = await open(path);
  const now = Date.now();
  for (let i = 0; i < 20; i++) await write(first, `s${String(i).padStart(2, '0')}`, now - (20 - i) * 1_000, 500_000);
  await write(first, 'runs', undefined, 500_000);
  await first.close();
  const before = statSync(path).size;
  expect(before).toBeGreaterThan(10_000_000);
  const store = await open(path, { retention: { maxBytes: 4 * 1024 * 1024 } });
  await expect.poll(() => statSync(path).size).toBeLessThan(6 * 1024 * 1024);
  const left = await idsOf(store);
  // The one that ran was interrupted when its process was done with it: its end is the last fact, long ago.
  expect(left.length).toBeGreaterThan(4);
  expect(left).toEqual(
    Array.from({ length: left.length }, (_, i) => `s${String(20 - left.length + i).padStart(2, '0')}`),
  );
  for (const id of left) expect((await store.facts(id, 0)).length).toBe(10);
});

test('the last that has ended stays, whatever it comes to, and so does what runs', async () => {
  const path = newFile();
  const first = await open(path);
  const now = Date.now();
  await write(first, 'a', now - 9_000, 3_000_000);
  await write(first, 'b', now - 8_000, 3_000_000);
  await write(first, 'runs', undefined, 3_000_000);
  const told: unknown[] = [];
  const options = { retention: { maxBytes: 1024 * 1024 }, onTended: (deleted: unknown) => told.push(deleted) };
  const store = await open(path, options);
  await expect.poll(() => idsOf(store)).toEqual(['b', 'runs']);
  await expect.poll(() => told).toEqual([{ byAge: 0, bySize: 1 }]);
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(await idsOf(store)).toEqual(['b', 'runs']);
});

test('what waits counts as well: it goes with its session, and no more of them than have to', async () => {
  const path = newFile();
  const first = await open(path);
  const now = Date.now();
  for (let i = 0; i < 10; i++) {
    await write(first, `s${i}`, now - (10 - i) * 1_000);
    await first.pauses.put(`s${i}`, { agentName: 'x'.repeat(1_000_000) } as never);
  }
  const store = await open(path, { retention: { maxBytes: 4 * 1024 * 1024 } });
  await expect.poll(() => idsOf(store)).toEqual(['s6', 's7', 's8', 's9']);
  expect(await store.pauses.get('s5')).toBeUndefined();
  expect(await store.pauses.get('s6')).toBeDefined();
});

test('what waits for no session of this store, and notes, are bounded too: the oldest of them go', async () => {
  const path = newFile();
  const first = await open(path);
  const now = Date.now();
  await write(first, 'last', now);
  for (let i = 0; i < 10; i++) {
    await first.pauses.put(`other${i}`, { agentName: 'x'.repeat(1_000_000) } as never);
    await first.notes.put(`note${i}`, 'x'.repeat(1_000_000), now + (i + 1) * day);
  }
  const store = await open(path, { retention: { maxBytes: 4 * 1024 * 1024 } });
  await expect.poll(() => statSync(path).size).toBeLessThan(6 * 1024 * 1024);
  expect(await idsOf(store)).toEqual(['last']);
  const of = (name: string) => Array.from({ length: 10 }, (_, i) => `${name}${i}`);
  const notes = await Promise.all(of('note').map((name) => store.notes.get(name)));
  const pauses = await Promise.all(of('other').map((name) => store.pauses.get(name)));
  for (const left of [notes, pauses]) expect(left.findIndex((one) => one !== undefined)).toBe(8);
});

test('notes that are too much cost no session', async () => {
  const path = newFile();
  const first = await open(path);
  const now = Date.now();
  for (let i = 0; i < 3; i++) await write(first, `s${i}`, now - (10 - i) * 1_000, 100_000);
  for (let i = 0; i < 10; i++) await first.notes.put(`note${i}`, 'x'.repeat(1_000_000), now + day);
  const store = await open(path, { retention: { maxBytes: 4 * 1024 * 1024 } });
  await expect.poll(() => statSync(path).size).toBeLessThan(6 * 1024 * 1024);
  expect(await idsOf(store)).toEqual(['s0', 's1', 's2']);
});

test('what was deleted is gone from the file when it is closed', async () => {
  const path = newFile();
  const first = await open(path);
  await write(first, 'a', Date.now(), 5_000_000);
  expect(await first.delete('a')).toBe(true);
  await first.close();
  const store = await open(path);
  await expect.poll(() => statSync(path).size).toBeLessThan(2_000_000);
  expect(await store.list({ limit: 5 })).toEqual([]);
});
