// Work under a lock file is done by one at a time, whoever died with the file, wherever the others run, however long it takes.

import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { fileTokenStore } from '../src/oauth/file-token-store.ts';
import { withLockFile } from '../src/oauth/lock-file.ts';

/** No process has this number. */
const dead = 2_147_483_646;

async function newLock(): Promise<{ readonly folder: string; readonly path: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'locks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { folder, path: join(folder, 'one.lock') };
}

/** Waits no longer than that. */
async function isTaken(path: string, waitMs: number, forgottenAfterMs?: number): Promise<boolean> {
  const signal = AbortSignal.timeout(waitMs);
  const options = { signal, ...(forgottenAfterMs === undefined ? {} : { forgottenAfterMs }) };
  return withLockFile(path, async () => false, options).catch(() => true);
}

test('of many who find the lock of a dead process, one goes in at a time', async () => {
  const { folder, path } = await newLock();
  let inside = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++inside);
    await pause(10);
    inside--;
  };
  for (let round = 0; round < 24; round++) {
    await writeFile(path, `${dead} ${hostname()} ${round}`, { mode: 0o600 });
    const waiting: Promise<void>[] = [];
    for (let i = 0; i < 4; i++) {
      waiting.push(withLockFile(path, work));
      // Each is at another step than the ones before it, and in each round by so many steps more.
      for (let steps = 0; steps <= round % 6; steps++) await nextTurn();
    }
    await Promise.all(waiting);
  }
  expect(most).toBe(1);
  expect(await readdir(folder)).toEqual([]);
});

test('a process of another machine is not looked for on this one', async () => {
  const { path } = await newLock();
  await writeFile(path, `${dead} not-${hostname()} mark`);
  expect(await isTaken(path, 200)).toBe(true);
  const longAgo = new Date(Date.now() - 120_000);
  await utimes(path, longAgo, longAgo);
  expect(await isTaken(path, 5_000)).toBe(false);
});

test('work that takes long is not forgotten', async () => {
  const { path } = await newLock();
  const done = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const working = withLockFile(
    path,
    async () => {
      begun.resolve();
      await done.promise;
    },
    { forgottenAfterMs: 600 },
  );
  await begun.promise;
  expect(await isTaken(path, 1_800, 600)).toBe(true);
  done.resolve();
  await working;
  expect(await isTaken(path, 5_000)).toBe(false);
});

test('who died while taking a lock away is not waited for either', async () => {
  const { folder, path } = await newLock();
  await writeFile(path, `${dead} ${hostname()} mark`);
  await writeFile(`${path}.turn`, '');
  const longAgo = new Date(Date.now() - 120_000);
  await utimes(`${path}.turn`, longAgo, longAgo);
  expect(await isTaken(path, 5_000)).toBe(false);
  expect(await readdir(folder)).toEqual([]);
});

test('who waits can be called off, and does no work', async () => {
  const { folder } = await newLock();
  const store = fileTokenStore({ folder: join(folder, 'kept') });
  const done = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const first = store.exclusively?.('key', async () => {
    begun.resolve();
    await done.promise;
  });
  await begun.promise;
  const stop = new AbortController();
  const worked: string[] = [];
  const second = store.exclusively?.('key', async () => worked.push('second'), stop.signal);
  stop.abort(new TypeError('called off'));
  await expect(second).rejects.toThrow('called off');
  done.resolve();
  await first;
  expect(worked).toEqual([]);
});
