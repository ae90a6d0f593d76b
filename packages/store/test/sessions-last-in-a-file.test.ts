// The promise: a file of SQLite keeps sessions as every store does, and whoever opens it later finds them.

import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { factOf, headOf } from './support/facts.ts';
import { newFile, open } from './support/folders.ts';
import { keepsAll } from './support/store-contract.ts';

describe('in a file', () => keepsAll(() => open()));

test('what was kept is there when it is opened again, in the same order', async () => {
  const path = newFile();
  const first = await open(path);
  for (const id of ['a', 'b']) {
    await first.put(headOf(id, { endedAt: 5 }));
    await first.append(id, [factOf(1), factOf(2)]);
  }
  await first.pauses.put('a', { agentName: 'x' } as never);
  await first.close();
  const second = await open(path);
  expect((await second.list({ limit: 9 })).map(({ id }) => id)).toEqual(['b', 'a']);
  expect(await second.facts('a', 0)).toEqual([factOf(1), factOf(2)]);
  expect(await second.pauses.get('a')).toEqual({ agentName: 'x' });
});

test('where a session was begun from is known when it is opened again', async () => {
  const path = newFile();
  const again = headOf('b', { endedAt: 7, title: 'Find both.', retryOf: { session: 'a', round: 2, turn: 3 } });
  const first = await open(path);
  await first.put(headOf('a', { endedAt: 5 }));
  await first.put(headOf('b'));
  await first.put(again);
  await first.close();
  const second = await open(path);
  expect(await second.get('b')).toEqual(again);
  expect((await second.list({ limit: 9 })).map(({ retryOf }) => retryOf)).toEqual([again.retryOf, undefined]);
});

test('the folder and the file are for whoever made them', async () => {
  const path = join(dirname(newFile()), 'new/folder/sessions.sqlite');
  const store = await open(path);
  await store.put(headOf('a'));
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  for (const file of [path, `${path}-wal`]) expect(statSync(file).mode & 0o777, file).toBe(0o600);
});
