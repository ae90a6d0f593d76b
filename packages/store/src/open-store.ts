// Opens the store that a path or an address names; what it needs is loaded then.

import { AgentError } from '@ai-agent/core';
import { defaultRetention, type Store, type StoreOptions } from './store.ts';

/**
 * `where` is the path of a file, which is made when it is not there, or `postgres://…`. Throws `store-failed` and its kin, with what
 * to do about it.
 */
export async function openStore(where: string, options: StoreOptions = {}): Promise<Store> {
  check(where, options);
  const scheme = /^([a-z][a-z\d+.-]+):\/\//i.exec(where)?.[1]?.toLowerCase();
  if (scheme === undefined) {
    const { openSqlite } = await import('./sqlite/sqlite-store.ts');
    return openSqlite(where, options);
  }
  if (scheme === 'postgres' || scheme === 'postgresql') {
    const { openPostgres } = await import('./postgres/postgres-store.ts');
    return openPostgres(where, options);
  }
  throw new AgentError('store-failed', `No store is known for ${scheme}:// addresses.`, { remedy: howToName });
}

const howToName = 'Name the path of a file, or an address that begins with postgres://.';

function check(where: string, { retention = {} }: StoreOptions): void {
  if (typeof where !== 'string' || where.trim() === '')
    throw new AgentError('store-failed', 'The store has no name.', { remedy: howToName });
  const { maxAgeMs, maxBytes } = { ...defaultRetention, ...retention };
  if (!(maxAgeMs > 0)) throw new AgentError('store-failed', 'Sessions are kept for more than no time: give maxAgeMs.');
  if (!(maxBytes >= 1024 ** 2))
    throw new AgentError('store-failed', 'A store needs room for at least 1 MiB: give maxBytes.');
}
