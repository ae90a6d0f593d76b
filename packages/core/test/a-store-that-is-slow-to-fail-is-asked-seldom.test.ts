// The promise: whatever is told while a store takes its time to fail goes to it together, so that nobody waits for one failure after the other.

import { expect, test } from 'vitest';
import { type Fact, type SessionHead, SessionRecord, type SessionStore } from '../src/index.ts';
import { fact, head } from './support/told.ts';

/** As a database does that nobody reaches. */
function storeThatIsAway() {
  const asked: string[] = [];
  let isAway = true;
  const take = async (what: string): Promise<void> => {
    asked.push(what);
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (isAway) throw new Error('away');
  };
  const store = {
    put: ({ status }: SessionHead) => take(`put ${status}`),
    append: (_id: string, facts: readonly Fact[]) => take(`append ${facts.length}`),
  } as unknown as SessionStore;
  const comeBack = () => {
    isAway = false;
  };
  return { store, asked, comeBack };
}

test('a hundred facts and the end are a handful of calls', async () => {
  const { store, asked } = storeThatIsAway();
  const record = new SessionRecord(head, { store, onBug: () => {} });
  record.put(head);
  for (let seq = 1; seq <= 100; seq++) record.tell(fact(seq));
  record.put({ ...head, status: 'completed' });
  await record.whenWritten();
  expect(asked.length).toBeLessThan(6);
  expect(asked.at(-1)).toBe('put completed');
});

test('and all of it is there in order when the store is', async () => {
  const { store, asked, comeBack } = storeThatIsAway();
  const record = new SessionRecord(head, { store, onBug: () => {} });
  record.put(head);
  for (let seq = 1; seq <= 100; seq++) record.tell(fact(seq));
  await record.whenWritten();
  comeBack();
  asked.length = 0;
  record.tell(fact(101));
  record.put({ ...head, status: 'completed' });
  await record.whenWritten();
  expect(asked).toEqual(['put running', 'append 101', 'put completed']);
  expect(record.kept).toBe(101);
});
