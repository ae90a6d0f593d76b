// The promise: a store that failed to take the head of a session is given it again before the facts, so that none of them are told to nobody.

import { expect, test } from 'vitest';
import { type Fact, type SessionHead, SessionRecord, type SessionStore } from '../src/index.ts';
import { fact, head } from './support/told.ts';

/** Is away for its first calls; where it waits, as a database does. */
function storeThatIsAway(calls: number, wait: boolean) {
  const done: string[] = [];
  let left = calls;
  const take = (what: string): void | Promise<void> => {
    if (left-- > 0) {
      if (wait) return Promise.reject(new Error('away'));
      throw new Error('away');
    }
    done.push(what);
    if (wait) return Promise.resolve();
  };
  const store = {
    put: ({ status }: SessionHead) => take(`put ${status}`),
    append: (_id: string, facts: readonly Fact[]) => take(`append ${facts.map(({ seq }) => seq)}`),
  } as unknown as SessionStore;
  return { store, done };
}

test.each([true, false])('the head comes before the facts, also in a store that takes time: %s', async (wait) => {
  const { store, done } = storeThatIsAway(3, wait);
  const record = new SessionRecord(head, { store, onBug: () => {} });
  record.put(head);
  for (const seq of [1, 2, 3, 4]) {
    record.tell(fact(seq));
    await record.whenWritten();
  }
  expect(record.kept).toBe(4);
  record.put({ ...head, status: 'completed' });
  await record.whenWritten();
  expect(done).toEqual(['put running', 'append 1,2,3', 'append 4', 'put completed']);
});
