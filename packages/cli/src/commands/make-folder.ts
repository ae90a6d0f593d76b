// Makes a folder with those above it. Not Node's own recursive way, which never ends where a parent takes no folders: in /proc.

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** What is there already is left as it is, also when it is no folder. Those that are made have this mode. */
export function makeFolder(path: string, mode = 0o777): void {
  if (statSync(path, { throwIfNoEntry: false })) return;
  makeFolder(dirname(path), mode);
  mkdirSync(path, { mode });
}
