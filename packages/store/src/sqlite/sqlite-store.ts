// Sessions in a file of SQLite: nothing to install, and several processes may have it open.

import { resolve } from 'node:path';
import { BatchedStore } from '../batched-store.ts';
import { defaultRetention, type Store, type StoreOptions } from '../store.ts';
import { thisWriter } from '../writer.ts';
import { WorkerLink } from './worker-link.ts';

export async function openSqlite(where: string, options: StoreOptions = {}): Promise<Store> {
  const { retention = {}, now = Date.now, onBug = () => {}, onTended, onWarning } = options;
  const path = resolve(where);
  const start = { path, writer: thisWriter(), retention: { ...defaultRetention, ...retention } };
  const link = new WorkerLink({ start, now, onBug, onTended, onWarning });
  await link.open();
  return new BatchedStore(link, path);
}
