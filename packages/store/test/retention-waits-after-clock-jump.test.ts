// Retention deletes nothing new by age after the wall clock jumped by more than an hour, until the clock has run evenly for an hour. A short process deletes what was old when the store was last used.

import { expect, test } from 'vitest';
import { defaultRetention, type Store } from '../src/index.ts';
import { WallClockGuard } from '../src/wall-clock-guard.ts';
import { headOf } from './support/facts.ts';
import { newFile, open } from './support/folders.ts';

const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

async function idsOf(store: Store): Promise<readonly string[]> {
  return (await store.list({ limit: 1_000 })).map(({ id }) => id).sort();
}

/** Makes the store look at what is kept, which it does at once when a session was deleted. */
async function look(store: Store): Promise<void> {
  await store.put(headOf('passing', { createdAt: Date.now(), endedAt: Date.now() }));
  await store.delete('passing');
  await new Promise((resolve) => setTimeout(resolve, 200));
}

/** A file with sessions that ended so many days ago, named by that. */
async function fill(...days: readonly number[]): Promise<string> {
  const path = newFile();
  const store = await open(path);
  const now = Date.now();
  for (const day of days) {
    const endedAt = now - day * dayMs;
    await store.put(headOf(`${day}`, { createdAt: endedAt - 1_000, endedAt }));
  }
  await store.notes.put('note', 1, now + 10 * dayMs);
  await store.close();
  return path;
}

test('a jump of 400 days while the store is open deletes nothing and is reported once', async () => {
  let aheadMs = 0;
  const warnings: string[] = [];
  const store = await open(await fill(1, 0.1), {
    now: () => Date.now() + aheadMs,
    retention: defaultRetention,
    onWarning: (sentence) => warnings.push(sentence),
  });
  await look(store);
  expect(warnings).toEqual([]);

  aheadMs = 400 * dayMs;
  await look(store);
  await look(store);
  expect(await idsOf(store)).toEqual(['0.1', '1']);
  expect(warnings).toEqual([expect.stringMatching(/^The wall clock jumped by more than an hour/)]);

  // The clock is set right: nothing was lost, nothing is due.
  aheadMs = 0;
  await look(store);
  expect(await store.notes.get('note')).toBe(1);
});

test('a process that starts 400 days ahead deletes nothing, nor does a second one soon after it', async () => {
  const path = await fill(1, 0.1);
  const now = () => Date.now() + 400 * dayMs;
  for (const id of ['first', 'second']) {
    const store = await open(path, { now, retention: defaultRetention });
    await store.put(headOf(id, { createdAt: now(), endedAt: now() }));
    await look(store);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await idsOf(store)).toEqual(expect.arrayContaining(['0.1', '1']));
    await store.close();
  }
});

test('a process every 16 days deletes the sessions that were older than 30 days at the last use', async () => {
  const store = await open(await fill(64, 48, 32, 16), { retention: defaultRetention });
  await expect.poll(() => idsOf(store)).toEqual(['16', '32']);
});

test('a clock that is set back deletes nothing, and sessions of the future prove no time', async () => {
  const path = await fill(40, 20, 1, -400);
  const set = await open(path, { now: () => Date.now() - 100 * dayMs, retention: defaultRetention });
  await look(set);
  expect(await idsOf(set)).toEqual(['-400', '1', '20', '40']);
  await set.close();
  const right = await open(path, { retention: defaultRetention });
  await expect.poll(() => idsOf(right)).toEqual(['-400', '1', '20']);
});

test('the wall clock is trusted an hour after the start and an hour after each jump', () => {
  const at = { wallMs: 1_000 * dayMs, monotonicMs: 0 };
  const warnings: string[] = [];
  const guard = new WallClockGuard({
    now: () => at.wallMs,
    monotonicMs: () => at.monotonicMs,
    lastUse: 7,
    onWarning: (sentence) => warnings.push(sentence),
  });
  const pass = (ms: number) => {
    at.wallMs += ms;
    at.monotonicMs += ms;
  };
  pass(0.9 * hourMs);
  expect(guard.trustedTime()).toBe(7);
  pass(0.1 * hourMs);
  expect(guard.trustedTime()).toBe(at.wallMs);
  // Less than an hour, such as a correction: still trusted.
  at.wallMs += 0.9 * hourMs;
  expect(guard.trustedTime()).toBe(at.wallMs);
  for (const jumpMs of [400 * dayMs, -400 * dayMs]) {
    at.wallMs += jumpMs;
    expect(guard.trustedTime()).toBe(7);
    pass(0.9 * hourMs);
    expect(guard.trustedTime()).toBe(7);
    pass(0.1 * hourMs);
    expect(guard.trustedTime()).toBe(at.wallMs);
  }
  expect(warnings).toHaveLength(2);
});
