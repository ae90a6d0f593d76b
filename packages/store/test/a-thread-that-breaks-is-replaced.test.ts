// The promise: when the thread that has the file breaks, another takes over, and everything is kept once, whether it was kept before or not.

import { expect, onTestFinished, test } from 'vitest';
import { BatchedStore } from '../src/batched-store.ts';
import { WorkerLink } from '../src/sqlite/worker-link.ts';
import { defaultRetention, type Store } from '../src/store.ts';
import { thisWriter } from '../src/writer.ts';
import { factOf, headOf } from './support/facts.ts';
import { newFile } from './support/folders.ts';
import { forEver } from './support/for-ever.ts';

async function openBreaking(): Promise<Store> {
  const path = newFile();
  const link = new WorkerLink({
    start: { path, writer: thisWriter(), retention: { ...defaultRetention, ...forEver } },
    now: Date.now,
    onBug: (bug) => expect.unreachable(String(bug)),
    file: new URL('./support/breaking-worker.ts', import.meta.url),
  });
  await link.open();
  const store = new BatchedStore(link, path);
  onTestFinished(() => store.close());
  return store;
}

test.each(['break before', 'break after'])('%s it was kept', async (words) => {
  const store = await openBreaking();
  await store.put(headOf('a', { endedAt: 1 }));
  await store.put(headOf('b'));
  const until = Date.now() + 60_000;
  const [isOurs, , read, isThere, isFirst, isSecond] = await Promise.all([
    store.claim(headOf('a', { resumptions: 1 })),
    store.append('b', [factOf(1, words), factOf(2)]),
    store.facts('b', 0),
    store.pauses.delete('nothing'),
    store.notes.claim('n', 'first', until),
    store.notes.claim('n', 'second', until),
  ]);
  expect([isOurs, read.length, isThere, isFirst, isSecond]).toEqual([true, 2, false, true, false]);
  expect(await store.notes.get('n')).toBe('first');
  await store.append('b', [factOf(3)]);
  expect((await store.facts('b', 0)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
  expect(await store.claim(headOf('a', { resumptions: 1 }))).toBe(false);
});

test('where one of a batch does not fit, what came of each is known as well', async () => {
  const store = await openBreaking();
  await store.put(headOf('a', { endedAt: 1 }));
  await store.put(headOf('b'));
  const [misfit, claim, append, pause] = await Promise.allSettled([
    store.put(headOf('c', { createdAt: Number.NaN })),
    store.claim(headOf('a', { resumptions: 1 })),
    store.append('b', [factOf(1, 'break after')]),
    store.pauses.delete('nothing'),
  ]);
  expect(misfit).toMatchObject({ status: 'rejected', reason: { code: 'store-failed' } });
  expect([claim, append, pause]).toMatchObject([{ value: true }, { status: 'fulfilled' }, { value: false }]);
  expect(await store.get('c')).toBeUndefined();
  expect((await store.facts('b', 0)).length).toBe(1);
});

test('one that breaks before it was kept, and another after it: still it is known what was kept', async () => {
  const store = await openBreaking();
  await store.put(headOf('a', { endedAt: 1 }));
  await store.put(headOf('b'));
  const [isOurs] = await Promise.all([
    store.claim(headOf('a', { resumptions: 1 })),
    store.append('b', [factOf(1, 'break before, then break after')]),
  ]);
  expect(isOurs).toBe(true);
  await store.append('b', [factOf(2)]);
  expect((await store.facts('b', 0)).map(({ seq }) => seq)).toEqual([1, 2]);
});

test('what breaks every thread is refused, and others are kept; when there are too many of them, for a while nothing is', async () => {
  const store = await openBreaking();
  await store.put(headOf('a'));
  const broken = store.append('a', [factOf(1, 'break always')]);
  await expect(broken).rejects.toMatchObject({ code: 'store-failed', retryable: true });
  await expect(broken).rejects.toThrow('it was to break');
  await store.append('a', [factOf(1)]);
  expect((await store.facts('a', 0)).length).toBe(1);
  for (let i = 0; i < 2; i++)
    await expect(store.append('a', [factOf(2, 'break always')])).rejects.toThrow('broken down');
  const began = performance.now();
  await expect(store.get('a')).rejects.toMatchObject({ code: 'store-failed' });
  expect(performance.now() - began).toBeLessThan(50);
});
