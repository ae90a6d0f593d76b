// The promise: several processes write to one file; one that is killed takes nothing with it that was acknowledged, and what it left is interrupted.

import { once } from 'node:events';
import { expect, test } from 'vitest';
import type { Store } from '../src/index.ts';
import { factOf, headOf } from './support/facts.ts';
import { newFile, open } from './support/folders.ts';
import { run, type Started, start } from './support/processes.ts';

interface Acknowledged {
  readonly id: string;
  readonly kept: number;
  readonly isEnded?: boolean;
}

test('two open a new file at once, and write to it', async () => {
  const path = newFile();
  const written = await Promise.all(
    ['one', 'two', 'three'].map((name) => run<Acknowledged>('write-sessions.ts', [path, name, '15'])),
  );
  const store = await open(path);
  expect((await store.list({ limit: 99 })).length).toBe(45);
  await expectAll(store, written.flat());
});

test('one is killed in the middle: the other goes on, and at once it is said that it is gone', async () => {
  const path = newFile();
  const other = run<Acknowledged>('write-sessions.ts', [path, 'other', '40']);
  const statuses = new Set<string>();
  for (let round = 0; round < 4; round++) {
    const victim = start('write-sessions.ts', [path, `victim${round}`, '10000']);
    const acknowledged = await readUntil(victim, 60 + 17 * round);
    victim.child.kill('SIGKILL');
    for (let line = await victim.lines.next(); !line.done; line = await victim.lines.next())
      if (line.value.endsWith('}')) acknowledged.push(JSON.parse(line.value) as Acknowledged);
    await victim.ended;
    const store = await open(path);
    await expectAll(store, acknowledged);
    const heads = (await store.list({ limit: 10_000 })).filter(({ id }) => id.startsWith(`victim${round}-`));
    for (const { status } of heads) statuses.add(status);
    for (const head of heads) {
      const facts = await store.facts(head.id, 0);
      expect(facts.map(({ seq }) => seq)).toEqual(facts.map((_, i) => i + 1));
      expect(head.facts).toBe(facts.length);
      expect(head.endedAt).toBeGreaterThanOrEqual(facts.at(-1)?.at ?? head.createdAt);
    }
    await store.close();
  }
  expect(statuses).toEqual(new Set(['completed', 'interrupted']));
  const store = await open(path);
  await expectAll(store, await other);
  expect((await store.list({ limit: 10_000 })).filter(({ id }) => id.startsWith('other-')).length).toBe(40);
}, 60_000);

test('whoever goes on with what a killed one left need not wait until that is noticed', async () => {
  const path = newFile();
  const store = await open(path);
  const victim = start('write-sessions.ts', [path, 'victim', '4', 'stay']);
  await readUntil(victim, 5);
  const [running] = await store.list({ statuses: ['running'], limit: 1 });
  expect(await store.claim({ ...headOf(running?.id ?? ''), resumptions: 1 })).toBe(false);
  victim.child.kill('SIGKILL');
  await once(victim.child, 'exit');
  const [left] = await store.list({ statuses: ['running'], limit: 1 });
  expect(await store.claim({ ...headOf(left?.id ?? ''), resumptions: 1 })).toBe(true);
  expect((await store.get(left?.id ?? ''))?.status).toBe('running');
  expect(await store.list({ statuses: ['running'], limit: 9 })).toHaveLength(1);
});

test('a store that is closed, or whose process has ended by itself, leaves nothing that seems to run', async () => {
  const path = newFile();
  const first = await open(path);
  const second = await open(path);
  await first.put(headOf('a', { createdAt: 7 }));
  await first.put(headOf('b', { createdAt: 8 }));
  await first.append('b', [factOf(9)]);
  await first.close();
  expect(await second.get('a')).toMatchObject({ status: 'interrupted', endedAt: 7, facts: 0 });
  expect(await second.get('b')).toMatchObject({ status: 'interrupted', endedAt: 9, facts: 1 });
});

test('who was slow undoes nothing: what another has gone on with is theirs', async () => {
  const path = newFile();
  const [slow, other] = [await open(path), await open(path)];
  await slow.put(headOf('a'));
  await slow.append('a', [factOf(1)]);
  await expect(other.put(headOf('a', { endedAt: 5 }))).rejects.toMatchObject({ code: 'store-failed' });
  await slow.put(headOf('a', { endedAt: 5, facts: 1 }));
  expect(await other.claim(headOf('a', { facts: 1, resumptions: 1 }))).toBe(true);
  await expect(slow.put(headOf('a', { endedAt: 6 }))).rejects.toThrow('written by another process');
  await expect(slow.append('a', [factOf(2)])).rejects.toThrow('written by another process');
  await other.append('a', [factOf(2)]);
  const end = headOf('a', { endedAt: 9, facts: 2, resumptions: 1 });
  await other.put(end);
  await expect(slow.put(headOf('a', { endedAt: 6 }))).rejects.toThrow('written by another process');
  expect(await slow.get('a')).toEqual(end);
  expect((await slow.facts('a', 0)).map(({ seq }) => seq)).toEqual([1, 2]);
  // Whoever has read its end may change it: a question that is closed.
  await slow.put({ ...end, status: 'cancelled' });
  expect((await other.get('a'))?.status).toBe('cancelled');
});

async function readUntil({ lines }: Started, count: number): Promise<Acknowledged[]> {
  const read: Acknowledged[] = [];
  while (read.length < count) {
    const line = await lines.next();
    if (line.done) throw new Error('It has ended.');
    read.push(JSON.parse(line.value) as Acknowledged);
  }
  return read;
}

async function expectAll(store: Store, acknowledged: readonly Acknowledged[]): Promise<void> {
  for (const [id, told] of Map.groupBy(acknowledged, (one) => one.id)) {
    const { kept = 0, isEnded = false } = told.at(-1) ?? {};
    expect((await store.facts(id, 0)).length, id).toBeGreaterThanOrEqual(kept);
    if (isEnded) expect(await store.get(id), id).toMatchObject({ status: 'completed', facts: kept });
  }
}
