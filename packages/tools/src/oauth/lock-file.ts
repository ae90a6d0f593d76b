// One at a time, among all who see the same folder: who holds the file works, the others wait.

import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

export interface LockOptions {
  /** Ends the waiting; work that has begun has to hear it itself. */
  readonly signal?: AbortSignal | undefined;
  /** How long the file of somebody who cannot be looked for is believed in. Who works shows it more often. @default 60000 */
  readonly forgottenAfterMs?: number;
}

const pauseMs = 25;

export async function withLockFile<T>(
  path: string,
  work: () => Promise<T>,
  { signal, forgottenAfterMs = 60_000 }: LockOptions = {},
): Promise<T> {
  const mark = `${process.pid} ${hostname()} ${randomUUID()}`;
  const file = await waitFor(path, mark, { signal, forgottenAfterMs });
  // The file itself, wherever it is by now: what stands in its place may be somebody else's.
  const show = setInterval(() => void file.utimes(new Date(), new Date()).catch(() => {}), forgottenAfterMs / 6);
  show.unref();
  try {
    return await work();
  } finally {
    clearInterval(show);
    await file.close();
    if ((await readMark(path)) === mark) await rm(path, { force: true });
  }
}

async function waitFor(path: string, mark: string, options: Required<LockOptions>): Promise<FileHandle> {
  const { signal, forgottenAfterMs } = options;
  for (;;) {
    signal?.throwIfAborted();
    const file = await take(path, mark);
    if (file) return file;
    const isFree = (await isForgotten(path, forgottenAfterMs)) && (await putAside(path, forgottenAfterMs));
    // What the signal says is thrown above.
    if (!isFree) await pause(pauseMs, undefined, signal ? { signal } : {}).catch(() => {});
  }
}

async function take(path: string, mark: string): Promise<FileHandle | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, 'wx', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined;
    throw error;
  }
  try {
    await file.writeFile(mark);
    return file;
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    throw error;
  }
}

/** Its process is gone, or it has shown nothing for long. A process of another machine has a number that says nothing here. */
async function isForgotten(path: string, afterMs: number): Promise<boolean> {
  const [pid, host] = (await readMark(path))?.split(' ') ?? [];
  if (host === hostname() && /^[1-9]\d*$/.test(pid ?? '') && !isAlive(Number(pid))) return true;
  return isOlder(path, afterMs);
}

/**
 * Of several who find it forgotten, one at a time looks again and takes it away: by the time the next one looks, somebody may have
 * taken the lock anew.
 */
async function putAside(path: string, afterMs: number): Promise<boolean> {
  const turnPath = `${path}.turn`;
  const turn = await take(turnPath, '');
  if (!turn) {
    if (await isOlder(turnPath, afterMs)) await rm(turnPath, { force: true });
    return false;
  }
  try {
    const isStill = await isForgotten(path, afterMs);
    if (isStill) await rm(path, { force: true });
    return isStill;
  } finally {
    await turn.close();
    await rm(turnPath, { force: true });
  }
}

async function isOlder(path: string, ageMs: number): Promise<boolean> {
  const stats = await stat(path).catch(() => undefined);
  return stats !== undefined && Date.now() - stats.mtimeMs > ageMs;
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
