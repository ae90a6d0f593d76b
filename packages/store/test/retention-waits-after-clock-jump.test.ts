// Retention deletes nothing by age after the wall clock jumped by more than an hour, until the clock has run evenly for an hour.

import { expect, test } from 'vitest';
import { defaultRetention, type Store } from '../src/index.ts';
import { headOf } from './support/facts.ts';
import { newFile, open } from './support/folders.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** Clocks of a process that a test moves. */
function movableClocks() {
  const moved = { wallMs: 0, monotonicMs: 0 };
  return {
    now: () => Date.now() + moved.wallMs,
    monotonicMs: () => performance.now() + moved.monotonicMs,
    jump: (ms: number) => {
      moved.wallMs += ms;
    },
    pass: (ms: number) => {
      moved.wallMs += ms;
      moved.monotonicMs += ms;
    },
  };
}

async function idsOf(store: Store): Promise<readonly string[]> {
  return (await store.list({ limit: 1_000 })).map(({ id }) => id).sort();
}

/** Makes the store look at what is kept, which it does at once when a session was deleted. */
async function look(store: Store): Promise<void> {
  await store.put(headOf('passing', { createdAt: Date.now(), endedAt: Date.now() }));
  await store.delete('passing');
  await new Promise((resolve) => setTimeout(resolve, 200));
}

/** A file with two sessions of the last days: the store was in use. */
async function fill(): Promise<string> {
  const path = newFile();
  const store = await open(path);
  const now = Date.now();
  await store.put(headOf('yesterday', { createdAt: now - dayMs, endedAt: now - dayMs + 1_000 }));
  await store.put(headOf('today', { createdAt: now - 2 * hourMs, endedAt: now - 2 * hourMs + 1_000 }));
  await store.notes.put('note', 1, now + 10 * dayMs);
  await store.close();
  return path;
}

test('a jump of 400 days while the store is open deletes nothing, and deleting resumes after an even hour', async () => {
  const clocks = movableClocks();
  const warnings: string[] = [];
  const onWarning = (sentence: string) => warnings.push(sentence);
  const store = await open(await fill(), { ...clocks, retention: defaultRetention, onWarning });
  await look(store);

  clocks.jump(400 * dayMs);
  await look(store);
  await look(store);
  expect(await idsOf(store)).toEqual(['today', 'yesterday']);
  expect(warnings).toEqual([expect.stringMatching(/^Old sessions are not deleted for now: the wall clock jumped/)]);

  // The clock is set right: nothing was lost, nothing is due.
  clocks.jump(-400 * dayMs);
  await look(store);
  expect(await store.notes.get('note')).toBe(1);

  clocks.jump(400 * dayMs);
  await look(store);
  clocks.pass(0.9 * hourMs);
  await look(store);
  expect(await idsOf(store)).toEqual(['today', 'yesterday']);
  clocks.pass(0.2 * hourMs);
  await look(store);
  expect(await idsOf(store)).toEqual([]);
  expect(warnings).toHaveLength(2);
});

test('a process that starts 400 days ahead deletes nothing, nor does a second one soon after it', async () => {
  const path = await fill();
  for (const id of ['first', 'second']) {
    const clocks = movableClocks();
    clocks.jump(400 * dayMs);
    const warnings: string[] = [];
    const onWarning = (sentence: string) => warnings.push(sentence);
    const store = await open(path, { ...clocks, retention: defaultRetention, onWarning });
    await store.put(headOf(id, { createdAt: clocks.now(), endedAt: clocks.now() }));
    await expect.poll(() => warnings.length).toBe(1);
    await look(store);
    expect(await idsOf(store)).toContain('today');
    expect(await idsOf(store)).toContain('yesterday');
    await store.close();
  }
});

test('a store that was in use within the last days deletes by age at once', async () => {
  const path = await fill();
  const warnings: string[] = [];
  const onWarning = (sentence: string) => warnings.push(sentence);
  const store = await open(path, { retention: { maxAgeMs: 0.5 * dayMs }, onWarning });
  await expect.poll(() => idsOf(store)).toEqual(['today']);
  expect(warnings).toEqual([]);
});
