// The promise: what a newer ai-agent has written, what is damaged and what is no store is said so, and not one byte of it is changed.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isAgentError } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { factOf, headOf } from './support/facts.ts';
import { newFile, open } from './support/folders.ts';

async function keptFile(): Promise<string> {
  const path = newFile();
  const store = await open(path);
  for (const id of ['a', 'b', 'c']) {
    await store.put(headOf(id, { endedAt: 5 }));
    const facts = Array.from({ length: 100 }, (_, i) => factOf(i + 1, 'x'.repeat(3_000)));
    await store.append(id, facts);
  }
  await store.close();
  return path;
}

/** What opening it says; it is as it was then, with nothing beside it. */
async function refusalOf(path: string): Promise<{ code: string; message: string }> {
  const before = readFileSync(path);
  const said = await openStore(path).then(
    () => 'open',
    (error: unknown) => error,
  );
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(dirname(path))).toEqual(['sessions.sqlite']);
  if (!isAgentError(said)) throw said;
  return said;
}

test('a newer version', async () => {
  const path = await keptFile();
  const db = new DatabaseSync(path);
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  db.exec(`PRAGMA user_version = ${version + 1}`);
  db.close();
  const { code, message } = await refusalOf(path);
  expect(code).toBe('store-newer');
  expect(message).toContain(`it has version ${version + 1}, and this one knows ${version}`);
});

test('a database of something else', async () => {
  const path = newFile();
  const db = new DatabaseSync(path);
  db.exec('CREATE TABLE theirs (x)');
  db.close();
  const { code, message } = await refusalOf(path);
  expect([code, message]).toEqual(['store-failed', expect.stringContaining('is a database of something else')]);
});

test('something that is no database', async () => {
  const path = newFile();
  writeFileSync(path, 'Dear diary, '.repeat(1_000));
  expect(await refusalOf(path)).toMatchObject({ code: 'store-damaged' });
});

test('a file whose beginning is gone', async () => {
  const path = await keptFile();
  const bytes = readFileSync(path);
  bytes.fill(0x5a, 0, 100);
  writeFileSync(path, bytes);
  const { code, message } = await refusalOf(path);
  expect([code, message]).toEqual([
    'store-damaged',
    expect.stringContaining(`The store ${path} is damaged, and is left`),
  ]);
});

test('a file that was cut off', async () => {
  const path = await keptFile();
  writeFileSync(path, readFileSync(path).subarray(0, 50_000));
  expect(await refusalOf(path)).toMatchObject({ code: 'store-damaged' });
});

test('a file with a hole in the middle: what is whole can be read, and nothing is written from then on', async () => {
  const path = await keptFile();
  const bytes = readFileSync(path);
  bytes.fill(0x5a, bytes.length / 2, bytes.length / 2 + 100_000);
  writeFileSync(path, bytes);
  const store = await open(path);
  const codes = await Promise.all(['a', 'b', 'c'].map((id) => codeOf(store, (one) => one.facts(id, 0))));
  expect(codes).toContain('store-damaged');
  expect((await store.list({ limit: 9 })).length).toBe(3);
  expect(await codeOf(store, (one) => one.put(headOf('d')))).toBe('store-damaged');
  expect(await codeOf(store, (one) => one.append('a', [factOf(1)]))).toBe('store-damaged');
  await store.close();
  expect(readFileSync(path).equals(bytes)).toBe(true);
});

async function codeOf(store: Store, work: (store: Store) => unknown): Promise<string> {
  try {
    await work(store);
    return 'done';
  } catch (error) {
    return isAgentError(error) ? error.code : String(error);
  }
}
