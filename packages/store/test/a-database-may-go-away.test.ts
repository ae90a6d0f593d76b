// The promise: a database that goes away is told by those who write and read, and is used again when it is back; nothing is doubled.

import { type Fact, SessionRecord } from '@ai-agent/core';
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { factOf, headOf } from './support/facts.ts';
import { forEver } from './support/for-ever.ts';
import { usePostgres } from './support/postgres.ts';

const postgres = usePostgres();

test('a record goes on while it is away, and the store has everything when it is back', {
  timeout: 60_000,
}, async () => {
  const bugs: unknown[] = [];
  const store = await openStore(await postgres().database(), {
    retention: forEver,
    onBug: (error) => bugs.push(error),
  });
  onTestFinished(() => store.close());
  const failures: unknown[] = [];
  const record = new SessionRecord(headOf('a'), { store, onBug: (error) => failures.push(error) });
  record.put(headOf('a'));
  const told: Fact[] = [];
  const tell = (count: number) => {
    for (let i = 0; i < count; i++) {
      const fact = factOf(told.length + 1);
      told.push(fact);
      record.tell(fact);
    }
  };
  for (let round = 0; round < 3; round++) {
    tell(20);
    // In the middle of what is written.
    await postgres().stop();
    tell(20);
    await record.whenWritten();
    expect(record.isFailing).toBe(true);
    await expect(async () => store.get('a')).rejects.toMatchObject({ code: 'store-unreachable' });
    await postgres().start();
    tell(1);
    await record.whenWritten();
    expect(record.isFailing).toBe(false);
    expect(record.kept).toBe(told.length);
  }
  expect(failures).toEqual([expect.objectContaining({ code: 'store-unreachable' })]);
  expect(await store.facts('a', 0)).toEqual(told);
  expect(await store.get('a')).toMatchObject({ status: 'running' });
});
