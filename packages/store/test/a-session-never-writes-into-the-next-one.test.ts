// The promise: a session that has as many facts as there are keys for it is refused more of them; those of the next one are its own.

import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { factOf, headOf } from './support/facts.ts';
import { newFile, open } from './support/folders.ts';

test('what is too much is refused as a whole, and said', async () => {
  const path = newFile();
  const store = await open(path);
  await store.put(headOf('one'));
  await store.put(headOf('two'));
  await store.append('one', [factOf(1)]);
  const db = new DatabaseSync(path);
  db.exec(`UPDATE sessions SET facts = ${2 ** 24 - 3} WHERE id = 'one'`);
  db.close();
  await store.append('one', [factOf(2), factOf(3)]);
  await expect(store.append('one', [factOf(4), factOf(5)])).rejects.toMatchObject({ code: 'store-failed' });
  await store.append('two', [factOf(9)]);
  expect((await store.facts('two', 0)).map(({ seq }) => seq)).toEqual([9]);
  expect((await store.facts('one', 2 ** 24 - 3)).map(({ seq }) => seq)).toEqual([2, 3]);
});
