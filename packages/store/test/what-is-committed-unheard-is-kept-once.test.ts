// The promise: when the connection is lost while a batch is committed, it is kept once, whether it is found out at once or given again.

import { expect, onTestFinished, test } from 'vitest';
import { openStore, type Store } from '../src/index.ts';
import { Cutter } from './support/cut-connection.ts';
import { factOf, headOf } from './support/facts.ts';
import { forEver } from './support/for-ever.ts';
import { usePostgres } from './support/postgres.ts';

const postgres = usePostgres();

async function openBehindCutter(): Promise<{ store: Store; cutter: Cutter; other: Store }> {
  const address = await postgres().database();
  const cutter = new Cutter(postgres().port);
  const port = await cutter.listen();
  const store = await openStore(address.replace(String(postgres().port), String(port)), { retention: forEver });
  const other = await openStore(address, { retention: forEver });
  onTestFinished(async () => {
    cutter.isOpen = true;
    await store.close();
    await other.close();
    cutter.close();
  });
  return { store, cutter, other };
}

const seqsOf = async (store: Store) => (await store.facts('a', 0)).map(({ seq }) => seq);

test('what was committed is asked for, and told as it is', async () => {
  const { store, cutter } = await openBehindCutter();
  cutter.cutBehindCommit();
  await Promise.all([store.put(headOf('a')), store.append('a', [factOf(1), factOf(2)])]);
  expect(cutter.cuts).toBe(1);
  await store.append('a', [factOf(3)]);
  cutter.cutBehindCommit();
  await store.append('a', [factOf(4)]);
  expect(cutter.cuts).toBe(2);
  expect(await seqsOf(store)).toEqual([1, 2, 3, 4]);
});

test('who has taken a session, an answer or a note is told so', async () => {
  const { store, cutter } = await openBehindCutter();
  await store.put(headOf('a', { endedAt: 5 }));
  cutter.cutBehindCommit();
  expect(await store.claim(headOf('a', { resumptions: 1 }))).toBe(true);
  await store.pauses.put('h', { agentName: 'echo' } as never);
  cutter.cutBehindCommit();
  expect(await store.pauses.delete('h')).toBe(true);
  expect(await store.pauses.delete('h')).toBe(false);
  cutter.cutBehindCommit();
  const until = Date.now() + 60_000;
  const claims = ['first', 'second'].map((value) => store.notes.claim('n', value, until));
  expect(await Promise.all(claims)).toEqual([true, false]);
  expect([await store.notes.get('n'), await store.notes.claim('n', 'third', until)]).toEqual(['first', false]);
  expect(cutter.cuts).toBe(3);
});

test('facts that nobody could ask about are given again, and are there once', async () => {
  const { store, cutter, other } = await openBehindCutter();
  await store.put(headOf('a'));
  cutter.cutBehindCommit();
  const append = store.append('a', [factOf(1), factOf(2)]);
  cutter.isOpen = false;
  await expect(append).rejects.toMatchObject({ code: 'store-unreachable' });
  expect(cutter.cuts).toBe(1);
  expect(await seqsOf(other)).toEqual([1, 2]);
  cutter.isOpen = true;
  await store.append('a', [factOf(1), factOf(2), factOf(3)]);
  await store.append('a', [factOf(4)]);
  expect(await seqsOf(store)).toEqual([1, 2, 3, 4]);
});

test('the facts of a session that is new are there once as well', async () => {
  const { store, cutter, other } = await openBehindCutter();
  await store.notes.put('n', 1, Date.now() + 60_000);
  cutter.cutBehindCommit();
  const writes = Promise.allSettled([store.put(headOf('a')), store.append('a', [factOf(1)])]);
  cutter.isOpen = false;
  expect((await writes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await seqsOf(other)).toEqual([1]);
  cutter.isOpen = true;
  await store.append('a', [factOf(1), factOf(2)]);
  expect(await seqsOf(store)).toEqual([1, 2]);
});

test('a session that was taken for somebody who was told otherwise is as it was before, and can be gone on with', async () => {
  const { store, cutter, other } = await openBehindCutter();
  const asks = headOf('a', { endedAt: 5, status: 'needs_user_input', resume: 'a' });
  await store.put(asks);
  cutter.cutBehindCommit();
  const claim = store.claim(headOf('a', { resumptions: 1 }));
  cutter.isOpen = false;
  await expect(claim).rejects.toMatchObject({ code: 'store-unreachable' });
  expect(await other.get('a')).toMatchObject({ status: 'running' });
  cutter.isOpen = true;
  await store.notes.put('n', 1, Date.now() + 60_000);
  expect(await other.get('a')).toEqual(asks);
  cutter.cutBehindCommit();
  const again = store.claim(headOf('a', { resumptions: 1 }));
  cutter.isOpen = false;
  await expect(again).rejects.toMatchObject({ code: 'store-unreachable' });
  cutter.isOpen = true;
  expect(await store.claim(headOf('a', { resumptions: 1 }))).toBe(true);
  await store.append('a', [factOf(1)]);
  expect(await other.get('a')).toMatchObject({ status: 'running', resumptions: 1 });
  expect(await other.claim(headOf('a', { resumptions: 1 }))).toBe(false);
});
