// Takes sessions away with all that is kept of them: their facts, and what they wait for.

import type { Paused, SessionHead } from '@ai-agent/core';
import { toColumn } from './text.ts';
import type { Writing } from './writing.ts';

/** Those that fit and are not under way, inside of a transaction. How many that were. */
export async function deleteSessions(
  { client, tables }: Pick<Writing, 'client' | 'tables'>,
  which: string,
  values: readonly unknown[],
): Promise<number> {
  // Facts go with their session.
  const statement = `DELETE FROM {sessions} WHERE ${which} AND status NOT IN ('queued', 'running') RETURNING head`;
  const { rows } = await client.query<{ head: string }>(tables.name(statement), [...values]);
  const heads = rows.map(({ head }) => JSON.parse(head) as SessionHead);
  let handles = heads.flatMap(({ resume }) => resume ?? []);
  // A session that waits for one below has only the handle of that one.
  while (handles.length > 0) {
    const take = tables.name('DELETE FROM {pauses} WHERE handle = ANY($1) RETURNING json');
    const taken = await client.query<{ json: string }>(take, [handles.map(toColumn)]);
    handles = taken.rows.flatMap(({ json }) => (JSON.parse(json) as Paused).pending.below ?? []);
  }
  return rows.length;
}
