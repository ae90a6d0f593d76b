// The promise: a session whose process was only not heard of for a while runs again when that tells more of it, and its facts are counted.

import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { factOf, headOf } from './support/facts.ts';
import { newFile, open } from './support/folders.ts';

test('in a file', async () => {
  const path = newFile();
  const sleeper = await open(path);
  await sleeper.put(headOf('s'));
  await sleeper.append('s', [factOf(1)]);
  // As if it were in a container of its own that was frozen.
  const db = new DatabaseSync(path);
  db.exec("UPDATE writers SET host = 'elsewhere', seen = 0");
  db.close();
  const other = await open(path);
  expect(await other.get('s')).toMatchObject({ status: 'interrupted', endedAt: 1, facts: 1 });
  await sleeper.append('s', [factOf(2), factOf(3)]);
  const back = await other.get('s');
  expect(back).toMatchObject({ status: 'running' });
  expect(back).not.toHaveProperty('endedAt');
  expect(await other.list({ statuses: ['running'], limit: 10 })).toHaveLength(1);
  expect(await other.claim(headOf('s', { resumptions: 1 }))).toBe(false);
  await sleeper.close();
  expect(await other.get('s')).toMatchObject({ status: 'interrupted', endedAt: 3, facts: 3 });
});
