// Deletes what is old, and the oldest of what is too much: in small transactions, by one server at a time.

import type { ClientBase, Pool } from 'pg';
import type { Deleted } from '../store.ts';
import { hourMs } from '../wall-clock-guard.ts';
import { deleteSessions } from './delete-sessions.ts';
import type { Tables } from './tables.ts';

export interface Limits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

export interface Tidying {
  readonly pool: Pick<Pool, 'connect' | 'query'>;
  readonly tables: Tables;
  /** The time that age counts to. */
  readonly trustedTime: number;
  /** Counts what has gone. */
  readonly deleted: { byAge: number; bySize: number };
}

/** How many sessions go at once. */
const atOnce = 100;
/** Writers that nobody has heard of for as long are of no interest. */
const forgetWriters = '1 day';

export async function deleteOld(tidying: Tidying, { maxAgeMs, maxBytes }: Limits): Promise<void> {
  const before = tidying.trustedTime - maxAgeMs;
  await repeat(tidying, async (client) => {
    const sessions = await deleteEndedBefore(tidying, client, before);
    return { isMore: sessions === atOnce, byAge: sessions };
  });
  await repeat(tidying, (client) => deleteSmall(tidying, client, before));
  await repeat(tidying, (client) => deleteTooMuch(tidying, client, maxBytes));
}

/** The last end of a session that is at least an hour ago; 0 if there is none. */
export async function lastUse({ pool, tables }: Pick<Tidying, 'pool' | 'tables'>, now: number): Promise<number> {
  const statement = 'SELECT max(ended_at) AS at FROM {sessions} WHERE ended_at <= $1';
  const { rows } = await pool.query<{ at: number | null }>(tables.name(statement), [now - hourMs]);
  return rows[0]?.at ?? 0;
}

/** How many sessions have gone by it; and whether there may be more of it. */
interface Done extends Partial<Deleted> {
  readonly isMore: boolean;
}

type Step = (client: ClientBase) => Promise<Done>;

/** Until there is no more of it, or another server is at it. */
async function repeat(tidying: Tidying, step: Step): Promise<void> {
  while (await once(tidying, step));
}

/** What has gone counts when it has gone for good. */
async function once({ pool, tables, deleted }: Tidying, step: Step): Promise<boolean> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const lock = 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS is_ours';
    const { rows } = await client.query(lock, [`ai-agent retention ${tables.schema}`]);
    const { isMore, byAge = 0, bySize = 0 }: Done = rows[0].is_ours ? await step(client) : { isMore: false };
    await client.query('COMMIT');
    client.release();
    deleted.byAge += byAge;
    deleted.bySize += bySize;
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

/** Sessions go with what they wait for. Notes, and what waits for sessions that are not here, may take half of the room each. */
async function deleteTooMuch({ tables }: Tidying, client: ClientBase, maxBytes: number): Promise<Done> {
  const sum = `
    SELECT (SELECT coalesce(sum(bytes), 0) FROM {sessions}) AS sessions,
      (SELECT coalesce(sum(octet_length(json)), 0) FROM {pauses}) AS pauses,
      (SELECT coalesce(sum(octet_length(json)), 0) FROM {notes}) AS notes`;
  const { rows } = await client.query<Record<'sessions' | 'pauses' | 'notes', string>>(tables.name(sum));
  const [pauses, notes] = [Number(rows[0]?.pauses), Number(rows[0]?.notes)];
  const over = Number(rows[0]?.sessions) + pauses + notes - maxBytes;
  if (over <= 0) return { isMore: false };
  const beyondHalf = async (sum: number, statement: string) =>
    sum > maxBytes / 2 && ((await client.query(tables.name(statement), [sum - maxBytes / 2])).rowCount ?? 0) > 0;
  if (await beyondHalf(notes, deleteNotes)) return { isMore: true };
  const bySize = await deleteSessions({ client, tables }, oldestSessions, [over]);
  return { isMore: bySize > 0 || (await beyondHalf(pauses, deletePauses)), bySize };
}

/** The session that ended last is kept whatever it comes to. */
const oldestSessions = `number IN (
  SELECT number FROM (
    SELECT number, sum(bytes) OVER (ORDER BY ended_at, number) - bytes AS freed FROM (
      SELECT number, ended_at, bytes + (
        SELECT coalesce(sum(octet_length(json)), 0) FROM {pauses}
        WHERE handle >= id COLLATE "C" AND handle < (id || U&'\\+10FFFF') COLLATE "C"
      ) AS bytes FROM {sessions}
      WHERE ended_at < (SELECT max(ended_at) FROM {sessions}) ORDER BY ended_at, number LIMIT ${atOnce}
    ) AS oldest
  ) AS sums WHERE freed < $1)`;

const deleteNotes = oldestOf('{notes}', 'name', 'until');
const deletePauses = oldestOf('{pauses}', 'handle', 'kept_at');

function oldestOf(table: string, name: string, time: string): string {
  return `DELETE FROM ${table} WHERE ${name} IN (
    SELECT ${name} FROM (
      SELECT ${name}, sum(bytes) OVER (ORDER BY ${time}, ${name}) - bytes AS freed FROM (
        SELECT ${name}, ${time}, octet_length(json) AS bytes FROM ${table} ORDER BY ${time}, ${name} LIMIT ${atOnce}
      ) AS oldest
    ) AS sums WHERE freed < $1)`;
}

/** What no session has any more, or had only for a while. */
async function deleteSmall({ tables, trustedTime }: Tidying, client: ClientBase, before: number): Promise<Done> {
  await client.query(tables.name('DELETE FROM {pauses} WHERE kept_at < $1'), [before]);
  await client.query(tables.name('DELETE FROM {notes} WHERE until < $1'), [trustedTime]);
  await client.query(tables.name(`DELETE FROM {writers} WHERE seen < clock_timestamp() - interval '${forgetWriters}'`));
  return { isMore: false };
}
