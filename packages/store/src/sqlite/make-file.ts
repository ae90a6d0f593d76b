// The place of the file: made where there is nothing, for whoever runs sessions alone; refused where no store can be.

import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  mkdirSync,
  openSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StoreRefusal } from './failure.ts';

export function makeFile(path: string): void {
  const known = lookAt(path);
  if (known) takeOver(path, known);
  else makeNew(path);
}

function takeOver(path: string, known: Stats): void {
  if (known.isDirectory())
    throw new StoreRefusal('store-failed', `The store ${path} is a folder.`, `Name a file: ${join(path, usualName)}.`);
  if (!known.isFile())
    throw new StoreRefusal('store-failed', `The store ${path} is a device or the like.`, 'Name a file.');
  readable(path, () => accessSync(path, constants.R_OK));
  // What is said in sessions is for whoever runs them, also where somebody has made the file beforehand.
  if (known.size === 0 && known.uid === process.getuid?.()) chmodSync(path, 0o600);
}

const usualName = 'sessions.sqlite';

function lookAt(path: string): Stats | undefined {
  return readable(path, () => statSync(path, { throwIfNoEntry: false }));
}

function readable<T>(path: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
    const remedy = 'Allow reading and writing the file and its folder, or name another place (--store of the command).';
    throw new StoreRefusal('store-read-only', `The store ${path} may not be read: permission denied.`, remedy);
  }
}

function makeNew(path: string): void {
  makeFolder(dirname(path));
  try {
    closeSync(openSync(path, 'ax', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** With those above it. Not Node's own recursive way, which never ends where a parent takes no folders: in /proc. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
