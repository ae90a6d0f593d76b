// A store in a file, gone with its test: opened again by its path, it is what a new process finds.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '@ai-agent/store';
import { onTestFinished } from 'vitest';

export function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'slack-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'sessions.sqlite');
}

export async function openKept(path: string = newFile()): Promise<Store> {
  const store = await openStore(path);
  onTestFinished(() => store.close());
  return store;
}
