// Takes sessions away with all that is kept of them: their facts, and what they wait for.

import type { Writing } from './writing.ts';

/** Those that fit and are not under way, inside of a transaction. How many that were. */
export async function deleteSessions(
  { client, tables }: Pick<Writing, 'client' | 'tables'>,
  which: string,
  values: readonly unknown[],
): Promise<number> {
  // Facts go with their session.
  const statement = `DELETE FROM {sessions} WHERE ${which} AND status NOT IN ('queued', 'running') RETURNING id`;
  const { rows } = await client.query<{ id: string }>(tables.name(statement), [...values]);
  if (rows.length > 0) await client.query(tables.name(deletePauses), [rows.map(({ id }) => id)]);
  return rows.length;
}

// Handles are the ids of runs: the first has that of the session, those after it a number; below them follows a sign.
const deletePauses = `
  DELETE FROM {pauses} USING unnest($1::text[]) AS id
  WHERE handle >= id COLLATE "C" AND handle < (id || U&'\\+10FFFF') COLLATE "C"
    AND substr(handle, length(id) + 1) ~ '^(-[0-9]+)?([~.].*)?$'`;
