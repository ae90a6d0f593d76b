// One at a time, among all processes of this machine: who holds the file works, the others wait.

import { randomUUID } from 'node:crypto';
import { open, readFile, rename, rm, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

const pauseMs = 25;
/** Longer than any work under it may take. */
const forgottenAfterMs = 60_000;

export async function withLockFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  const mark = `${process.pid} ${randomUUID()}`;
  while (!(await take(path, mark))) {
    if (await isForgotten(path)) await putAside(path);
    else await pause(pauseMs);
  }
  try {
    return await work();
  } finally {
    if ((await readMark(path)) === mark) await rm(path, { force: true });
  }
}

async function take(path: string, mark: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(mark);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Its process is gone, or it is older than work can be. */
async function isForgotten(path: string): Promise<boolean> {
  const pid = Number((await readMark(path))?.split(' ')[0]);
  if (Number.isInteger(pid) && pid > 0 && !isAlive(pid)) return true;
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > forgottenAfterMs;
}

/** Of several who find it forgotten, one moves it. */
async function putAside(path: string): Promise<void> {
  const aside = `${path}.${randomUUID()}`;
  await rename(path, aside).catch(() => {});
  await rm(aside, { force: true });
}

async function readMark(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch(() => undefined);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
