// Logins in a folder of the user's own: one file each, that nobody else can read, and that is never half written.

import { createHash, randomUUID } from 'node:crypto';
import type { Stats } from 'node:fs';
import { constants, lstat, mkdir, open, rename, rm, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AgentError } from '@ai-agent/core';
import { withLockFile } from './lock-file.ts';
import type { TokenStore } from './token-store.ts';

const maxBytes = 1_000_000;

export interface FileTokenStoreOptions {
  /** Made when something is kept in it; its parents have to be safe. */
  readonly folder: string;
}

/** For several processes at once: the last one who writes wins, and `exclusively` keeps them apart. */
export function fileTokenStore({ folder }: FileTokenStoreOptions): TokenStore {
  const pathOf = (key: string) => join(folder, `${createHash('sha256').update(key).digest('hex')}.json`);
  return {
    get: (key) => read(folder, pathOf(key)),
    async set(key, value) {
      await makeFolder(folder);
      await write(pathOf(key), value);
    },
    delete: (key) => rm(pathOf(key), { force: true }),
    async exclusively(key, work, signal) {
      await makeFolder(folder);
      return withLockFile(`${pathOf(key)}.lock`, work, { signal });
    },
  };
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  checkFolder(folder, await lstat(folder));
}

async function read(folder: string, path: string): Promise<string | undefined> {
  const folderStats = await orMissing(lstat(folder));
  if (!folderStats) return undefined;
  checkFolder(folder, folderStats);
  const pathStats = await orMissing(lstat(path));
  if (!pathStats) return undefined;
  checkFile(path, pathStats);
  const file = await orMissing(open(path, constants.O_RDONLY | constants.O_NOFOLLOW));
  if (!file) return undefined;
  try {
    // What was looked at may have been exchanged since.
    const stats = await file.stat();
    checkFile(path, stats);
    return stats.size > maxBytes ? undefined : await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** Whole, or not at all: also when the machine stops in the middle. */
async function write(path: string, value: string): Promise<void> {
  const stats = await orMissing(lstat(path));
  if (stats) checkFile(path, stats);
  const draft = `${path}.${randomUUID()}.tmp`;
  try {
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(value);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await unlink(draft).catch(() => {});
    throw error;
  }
}

function checkFolder(folder: string, stats: Stats): void {
  if (!stats.isDirectory()) throw refuse(folder, 'it is no folder', 'Take it away: a folder is made in its place.');
  checkOwner(folder, stats, `chmod 700 ${folder}`);
}

function checkFile(path: string, stats: Stats): void {
  if (!stats.isFile()) throw refuse(path, 'it is no plain file', 'Take it away, then log in again.');
  checkOwner(path, stats, `chmod 600 ${path}`);
}

function checkOwner(path: string, stats: Stats, command: string): void {
  // Where there are no owners, the folder of the user is what protects it.
  if (process.getuid === undefined) return;
  if (stats.uid !== process.getuid())
    throw refuse(path, 'it belongs to another user', 'Take it away, then log in again.');
  if ((stats.mode & 0o077) !== 0)
    throw refuse(path, 'others can read or change it', `Take these rights away: ${command}`);
}

function refuse(path: string, reason: string, remedy: string): AgentError {
  return new AgentError('file-refused', `Logins are not kept in ${path}: ${reason}.`, { class: 'auth', remedy });
}

async function orMissing<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
