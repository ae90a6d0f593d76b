// The promise: keeping facts costs the thread that runs sessions little more than writing them down, never stops it, and ends when it ends.

import { DatabaseSync } from 'node:sqlite';
import { SessionRecord } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { factOf, headOf } from './support/facts.ts';
import { newFile, open } from './support/folders.ts';
import { run } from './support/processes.ts';

function cpuOf(since?: NodeJS.CpuUsage): NodeJS.CpuUsage {
  return process.threadCpuUsage(since);
}

test('ten thousand facts', async () => {
  const store = await open();
  const facts = Array.from({ length: 10_000 }, (_, i) => factOf(i + 1, 'word '.repeat(200)));
  const plain = cpuOf();
  let size = 0;
  for (let i = 0; i < 3; i++) for (const fact of facts) size += JSON.stringify(fact).length;
  const { user: textMs } = cpuOf(plain);
  expect(size).toBeGreaterThan(30_000_000);

  const record = new SessionRecord(headOf('a'), { store, onBug: (error) => expect.unreachable(String(error)) });
  record.put(record.head);
  const before = cpuOf();
  for (const fact of facts) record.tell(fact);
  await record.whenWritten();
  const { user, system } = cpuOf(before);
  expect(record.kept).toBe(10_000);
  expect((user + system) / textMs).toBeLessThan(12);
});

test('somebody else holds the file: nothing here stops, and what was to be written is told to be late, then kept', async () => {
  const path = newFile();
  const store = await open(path);
  const bugs: unknown[] = [];
  const record = new SessionRecord(headOf('a'), { store, onBug: (bug) => bugs.push(bug) });
  record.put(record.head);
  await record.whenWritten();
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  let longest = 0;
  let last = performance.now();
  const watching = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  record.tell(factOf(1));
  await record.whenWritten();
  clearInterval(watching);
  expect(bugs).toMatchObject([{ code: 'store-failed', retryable: true, message: expect.stringContaining(path) }]);
  expect(longest).toBeLessThan(2_000);
  other.exec('COMMIT');
  other.close();
  record.tell(factOf(2));
  await record.whenWritten();
  expect([record.kept, record.isFailing]).toEqual([2, false]);
});

test('when too much waits, more is refused before it is made into a text, and kept later', async () => {
  const path = newFile();
  const store = await open(path);
  await store.put(headOf('a'));
  const other = new DatabaseSync(path);
  other.exec('BEGIN IMMEDIATE');
  const large = factOf(1, 'x'.repeat(8 * 1024 * 1024));
  const given = Array.from({ length: 12 }, () => store.append('a', [large]));
  const settled = Promise.allSettled(given);
  await expect(store.append('a', [large])).rejects.toThrow('more than 64 MiB wait');
  other.exec('COMMIT');
  other.close();
  const kept = (await settled).filter(({ status }) => status === 'fulfilled').length;
  expect(kept).toBe(8);
  await store.append('a', [factOf(2)]);
  expect((await store.facts('a', 8)).map(({ seq }) => seq)).toEqual([2]);
});

test('a process that forgot to close it ends all the same, without a word, and with all that it gave', async () => {
  const path = newFile();
  const [told] = await run<{ readonly given: number }>('forget-store.ts', [path]);
  const store = await open(path);
  expect((await store.facts('a', 0)).length).toBe(told?.given);
  expect((await store.get('a'))?.status).toBe('interrupted');
});
