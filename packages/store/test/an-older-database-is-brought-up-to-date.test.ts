// The promise: a database of an older version gets the changes that it lacks, and what was kept is there.

import { expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { factOf, headOf } from './support/facts.ts';
import { forEver } from './support/for-ever.ts';
import { usePostgres } from './support/postgres.ts';

const postgres = usePostgres();

async function open(address: string): Promise<Store> {
  const store = await openStore(address, { retention: forEver });
  onTestFinished(() => store.close());
  return store;
}

/** Of the first version, where names were in the order of the language of the database. */
async function olderDatabase(): Promise<string> {
  const address = await postgres().database();
  const store = await open(address);
  await store.put(headOf('a', { endedAt: 5 }));
  await store.append('a', [factOf(1)]);
  for (const name of ['n_b', 'nB', 'na', 'n"', 'né', 'nz', 'm', 'o']) await store.notes.put(name, name, 9e15);
  await store.close();
  const older = `ALTER TABLE ai_agent.notes ALTER COLUMN name TYPE text COLLATE "en-x-icu";
    UPDATE ai_agent.about SET version = 1`;
  await postgres().query(older, address);
  return address;
}

test('notes are found by the beginning of their names, in the order of their characters', async () => {
  const address = await olderDatabase();
  for (let i = 0; i < 2; i++) {
    const store = await open(address);
    expect(await store.notes.names('n', 9)).toEqual(['n"', 'nB', 'n_b', 'na', 'nz', 'né']);
    expect(await store.notes.names('n', 2)).toEqual(['n"', 'nB']);
    expect(await store.notes.get('né')).toBe('né');
    expect(await store.facts('a', 0)).toEqual([factOf(1)]);
  }
  expect(await postgres().query('SELECT version FROM ai_agent.about', address)).toEqual([{ version: 2 }]);
});

test('several servers that come at once do it once', async () => {
  const address = await olderDatabase();
  const stores = await Promise.all([1, 2, 3].map(() => open(address)));
  for (const store of stores) expect(await store.notes.names('n', 1)).toEqual(['n"']);
});
