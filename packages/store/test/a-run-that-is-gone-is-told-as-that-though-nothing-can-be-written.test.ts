// The promise: where a file takes nothing, on a full disk, a session whose process is gone is still read and listed as interrupted, not as running.

import type { SessionHead } from '@ai-agent/core';
import { expect, onTestFinished, test } from 'vitest';
import type { Ask, FullQuery } from '../src/ask.ts';
import { StoreFile } from '../src/sqlite/store-file.ts';
import { thisWriter } from '../src/writer.ts';
import { factOf, headOf } from './support/facts.ts';
import { newFile } from './support/folders.ts';

const now = 1_000;
const retention = { maxAgeMs: Number.MAX_SAFE_INTEGER, maxBytes: Number.MAX_SAFE_INTEGER };

function open(path: string, pid = process.pid): StoreFile {
  const file = new StoreFile({
    path,
    writer: { ...thisWriter(), pid },
    retention,
    aheadMs: 0,
  });
  onTestFinished(() => file.db.close());
  return file;
}

function put(head: SessionHead): Ask {
  const { id, owner, user = null, agent, headend, status, createdAt, endedAt = null, resumptions } = head;
  const row = { id, owner, user, agent, headend, status, createdAt, endedAt, resumptions, json: JSON.stringify(head) };
  return { do: 'put', head: row };
}

function read<T>(file: StoreFile, ask: Ask): T {
  const [answer] = file.perform([ask], 0, now);
  if (!answer || !('value' in answer)) throw new TypeError(JSON.stringify(answer));
  return answer.value as T;
}

function list(file: StoreFile, query: Partial<FullQuery> = {}): readonly string[] {
  const heads = read<readonly string[]>(file, { do: 'list', query: { limit: 10, ...query } });
  return heads.map((json) => JSON.parse(json) as SessionHead).map(({ id, status }) => `${id} ${status}`);
}

test('in every list that it belongs to, and by its id', () => {
  const path = newFile();
  const first = open(path, noProcess);
  const heads = [
    headOf('a', { createdAt: 1 }),
    headOf('b', { createdAt: 2 }),
    headOf('c', { createdAt: 3, endedAt: 9 }),
  ];
  first.perform([...heads.map(put), { do: 'append', id: 'b', facts: [JSON.stringify(factOf(7))] }], 1, now);
  const other = open(path);
  other.perform([put(headOf('d', { createdAt: 4 }))], 1, now);
  const file = open(path);
  file.db.exec('PRAGMA query_only = ON');
  expect(() => file.interruption.sweep(now)).toThrow();
  expect(JSON.parse(read<string>(file, { do: 'get', id: 'b' }))).toMatchObject({
    status: 'interrupted',
    endedAt: 7,
    facts: 1,
  });
  expect(list(file)).toEqual(['d running', 'c completed', 'b interrupted', 'a interrupted']);
  expect(list(file, { limit: 2, before: 'd' })).toEqual(['c completed', 'b interrupted']);
  expect(list(file, { limit: 1, before: 'b' })).toEqual(['a interrupted']);
  expect(list(file, { statuses: ['running'], limit: 1 })).toEqual(['d running']);
  expect(list(file, { statuses: ['interrupted'], limit: Number.MAX_SAFE_INTEGER })).toEqual([
    'b interrupted',
    'a interrupted',
  ]);
  file.db.exec('PRAGMA query_only = OFF');
  file.interruption.sweep(now);
  expect(list(other, { statuses: ['interrupted'] })).toEqual(['b interrupted', 'a interrupted']);
});

/** Numbers of processes are not as large. */
const noProcess = 2 ** 31 - 2;
