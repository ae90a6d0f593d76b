// A store in a PostgreSQL database, for several servers at once.

import { BatchedStore } from '../batched-store.ts';
import { defaultRetention, type Store, type StoreOptions } from '../store.ts';
import { thisWriter } from '../writer.ts';
import { readAddress } from './address.ts';
import { again, openConnections } from './connections.ts';
import { toStoreError } from './failures.ts';
import { interruptLeft } from './interrupt-left.ts';
import { PostgresKeep } from './keep.ts';
import { migrate } from './migrations.ts';
import { Tables } from './tables.ts';
import { Upkeep } from './upkeep.ts';

/** Throws `store-unreachable` and its kin, with what to do about it. */
export async function openPostgres(url: string, options: StoreOptions): Promise<Store> {
  const { retention, onBug = () => {}, onTended = () => {}, onWarning = () => {}, now = Date.now } = options;
  const { url: address, place, schema } = readAddress(url);
  const tables = new Tables(schema);
  const writer = thisWriter();
  const connections = await openConnections(address);
  try {
    await again(() => migrate(connections.reading, tables, place));
    await interruptLeft({ pool: connections.reading, tables, self: writer.id }).catch(unlessReadOnly(place));
  } catch (error) {
    await connections.close();
    throw toStoreError(error, place);
  }
  const limits = { ...defaultRetention, ...retention };
  const told = { onBug, onTended, onWarning };
  const upkeep = new Upkeep({ connections, tables, place, writer, limits, ...told, now });
  return new BatchedStore(new PostgresKeep({ connections, tables, place, writer, upkeep, now }), place);
}

/** Who may only read can do without. */
function unlessReadOnly(place: string): (error: unknown) => void {
  return (error) => {
    const told = toStoreError(error, place);
    if (told.code !== 'store-read-only') throw told;
  };
}
