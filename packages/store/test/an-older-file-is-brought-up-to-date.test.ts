// The promise: a file of an older version gets the changes that it lacks, each once, all of them or none.

import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { numberOf, openDatabase } from '../src/sqlite/database.ts';
import { migrations } from '../src/sqlite/migrations.ts';
import { factOf, headOf } from './support/facts.ts';
import { newFile, open } from './support/folders.ts';

const more = ['ALTER TABLE sessions ADD COLUMN colour TEXT', "UPDATE sessions SET colour = 'red'"];

async function keptFile(): Promise<string> {
  const path = newFile();
  const store = await open(path);
  await store.put(headOf('a', { endedAt: 5 }));
  await store.append('a', [factOf(1)]);
  await store.close();
  return path;
}

test('what it lacks is done in order, and what was kept is there', async () => {
  const path = await keptFile();
  for (let i = 0; i < 2; i++) {
    const db = openDatabase(path, [...migrations, ...more]);
    expect(numberOf(db, 'user_version')).toBe(migrations.length + 2);
    expect(db.prepare('SELECT id, facts, colour FROM sessions').all()).toMatchObject([
      { id: 'a', facts: 1, colour: 'red' },
    ]);
    db.close();
  }
});

test('a change that fails leaves the file as it was, also the change before it', async () => {
  const path = await keptFile();
  expect(() => openDatabase(path, [...migrations, more[0] as string, 'UPDATE nothing SET x = 1'])).toThrow('nothing');
  const db = new DatabaseSync(path);
  expect(numberOf(db, 'user_version')).toBe(migrations.length);
  expect(() => db.prepare('SELECT colour FROM sessions')).toThrow('colour');
  db.close();
  const store = await open(path);
  expect((await store.facts('a', 0)).length).toBe(1);
});

test('a new file has a log, gives back what is free, and is marked as ours', async () => {
  const db = openDatabase(newFile());
  expect(db.prepare('PRAGMA journal_mode').get()).toMatchObject({ journal_mode: 'wal' });
  const settings = ['auto_vacuum', 'synchronous', 'busy_timeout', 'application_id'].map((name) => numberOf(db, name));
  expect(settings).toEqual([2, 2, 5_000, 0x61_69_61_67]);
  db.close();
});
