// Folders and stores for a test, gone with it.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openStore, type Store, type StoreOptions } from '../../src/index.ts';
import { forEver } from './for-ever.ts';

/** A place for a file that is not there yet. */
export function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'store-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'sessions.sqlite');
}

export async function open(path: string = newFile(), options: StoreOptions = {}): Promise<Store> {
  const store = await openStore(path, { retention: forEver, ...options });
  onTestFinished(() => store.close());
  return store;
}
