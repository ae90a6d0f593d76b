// The promise: a store that lacks facts of a session never says that it ended well; whoever finds it there is told that it was interrupted.

import { expect, test } from 'vitest';
import { type Fact, noTotals, type SessionHead, SessionRecord, type SessionStore } from '../src/index.ts';
import { fact, head } from './support/told.ts';

/** Takes heads, and so many calls of facts. */
function storeThatTakes(calls: number) {
  const heads: SessionHead[] = [];
  let left = calls;
  const store = {
    put: (put: SessionHead) => void heads.push(put),
    append: (_id: string, _facts: readonly Fact[]) => {
      if (left-- <= 0) throw new Error('full');
    },
  } as unknown as SessionStore;
  return { store, heads };
}

function endedIn(store: SessionStore): SessionRecord {
  const record = new SessionRecord(head, { store, onBug: () => {} });
  record.put(head);
  for (const seq of [1, 2, 3]) record.tell(fact(seq));
  const usage = { ...noTotals, modelCalls: 1 };
  record.put({ ...head, status: 'completed', endedAt: 50, draft: 'done', usage, facts: record.count });
  return record;
}

test('the end says what the store has', () => {
  const { store, heads } = storeThatTakes(2);
  endedIn(store);
  expect(heads.at(-1)).toMatchObject({ status: 'interrupted', endedAt: 50, facts: 2 });
  expect(heads.at(-1)).not.toHaveProperty('draft');
  // Whoever goes on with it counts what its facts tell.
  expect(heads.at(-1)).not.toHaveProperty('usage');
});

test('one that has all of them is told the end as it was', () => {
  const { store, heads } = storeThatTakes(4);
  endedIn(store);
  expect(heads.at(-1)).toMatchObject({ status: 'completed', endedAt: 50, facts: 3, draft: 'done' });
});

test('one that keeps a copy is told the end, and gives the rest itself', () => {
  const { store, heads } = storeThatTakes(2);
  endedIn({ ...store, hasCopy: true });
  expect(heads.at(-1)).toMatchObject({ status: 'completed', facts: 3 });
});
