// Deletes what is old, and the oldest of what is too much: in small transactions, by one server at a time.

import type { ClientBase, Pool } from 'pg';
import { deleteSessions } from './delete-sessions.ts';
import type { Tables } from './tables.ts';

export interface Limits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

export interface Tidying {
  readonly pool: Pick<Pool, 'connect'>;
  readonly tables: Tables;
  readonly now: () => number;
  /** Counts what has gone. */
  readonly deleted: { byAge: number; bySize: number };
}

/** How many sessions go at once. */
const atOnce = 100;
/** Writers that nobody has heard of for as long are of no interest. */
const forgetWriters = '1 day';

export async function deleteOld(tidying: Tidying, { maxAgeMs, maxBytes }: Limits): Promise<void> {
  const before = tidying.now() - maxAgeMs;
  const { deleted } = tidying;
  await repeat(tidying, async (client) => {
    const count = await deleteEndedBefore(tidying, client, before);
    deleted.byAge += count;
    return count === atOnce;
  });
  await repeat(tidying, async (client) => {
    const count = await deleteOldest(tidying, client, maxBytes);
    deleted.bySize += count;
    return count > 0;
  });
  await repeat(tidying, (client) => deleteSmall(tidying, client, before));
}

type Step = (client: ClientBase) => Promise<boolean>;

/** Until there is no more of it, or another server is at it. */
async function repeat(tidying: Tidying, step: Step): Promise<void> {
  while (await once(tidying, step));
}

async function once({ pool, tables }: Tidying, step: Step): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const lock = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS is_ours';
    const { rows } = await client.query(lock, [`ai-agent retention ${tables.schema}`]);
    const isMore = rows[0].is_ours && (await step(client));
    await client.query('COMMIT');
    client.release();
    return isMore;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

async function deleteEndedBefore({ tables }: Tidying, client: ClientBase, before: number): Promise<number> {
  const which = `number IN (SELECT number FROM {sessions} WHERE ended_at < $1 ORDER BY ended_at LIMIT ${atOnce})`;
  return deleteSessions({ client, tables }, which, [before]);
}

/** The session that ended last is kept whatever it comes to. */
async function deleteOldest({ tables }: Tidying, client: ClientBase, maxBytes: number): Promise<number> {
  const sum = `
    SELECT (SELECT coalesce(sum(bytes), 0) FROM {sessions})
      + (SELECT coalesce(sum(octet_length(json)), 0) FROM {pauses}) AS bytes`;
  const { rows } = await client.query<{ bytes: string }>(tables.name(sum));
  const over = Number(rows[0]?.bytes ?? 0) - maxBytes;
  if (over <= 0) return 0;
  const which = `number IN (
    SELECT number FROM (
      SELECT number, sum(bytes) OVER (ORDER BY ended_at, number) - bytes AS freed FROM (
        SELECT number, ended_at, bytes FROM {sessions}
        WHERE ended_at < (SELECT max(ended_at) FROM {sessions}) ORDER BY ended_at, number LIMIT ${atOnce}
      ) AS oldest
    ) AS sums WHERE freed < $1)`;
  return deleteSessions({ client, tables }, which, [over]);
}

/** What no session has any more, or had only for a while. */
async function deleteSmall({ tables, now }: Tidying, client: ClientBase, before: number): Promise<boolean> {
  await client.query(tables.name('DELETE FROM {pauses} WHERE kept_at < $1'), [before]);
  await client.query(tables.name('DELETE FROM {notes} WHERE until < $1'), [now()]);
  await client.query(tables.name(`DELETE FROM {writers} WHERE seen < clock_timestamp() - interval '${forgetWriters}'`));
  return false;
}
