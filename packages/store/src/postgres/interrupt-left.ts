// Sessions that were left under way by a process that is gone: they say so from now on.

import type { Fact } from '@ai-agent/core';
import type { Pool } from 'pg';
import { isGone, type Writer } from '../writer.ts';
import type { Tables } from './tables.ts';

interface WriterRow extends Writer {
  /** For how long the database could have heard of it and has not, by its own clock: those of the machines differ. */
  readonly silent: number;
}

interface LeftRow {
  readonly number: string;
  readonly writer: string;
  readonly created_at: number;
  /** The last that was told of it. */
  readonly json: string | null;
}

export interface Looking {
  readonly pool: Pick<Pool, 'query'>;
  readonly tables: Tables;
  /** Who looks. */
  readonly self: string;
  /** Whether the others could be heard lately: where the database was away, nobody was. @default true */
  readonly couldHear?: boolean;
}

/** How many that were. */
export async function interruptLeft(looking: Looking): Promise<number> {
  const { pool, tables } = looking;
  const left = await findLeft(looking, await findGone(looking));
  if (left.length === 0) return 0;
  const statement = `
    UPDATE {sessions} AS known SET status = 'interrupted', ended_at = given.ended_at
    FROM unnest($1::bigint[], $2::text[], $3::double precision[]) AS given (session, writer, ended_at)
    WHERE number = session AND known.writer = given.writer AND status IN ('queued', 'running')`;
  const values = [left.map(({ number }) => number), left.map(({ writer }) => writer), left.map(toEnd)];
  return (await pool.query(tables.name(statement), values)).rowCount ?? 0;
}

async function findGone({ pool, tables, self, couldHear = true }: Looking): Promise<readonly string[]> {
  const statement = `
    SELECT id, host, pid, started,
      extract(epoch FROM clock_timestamp() - greatest(seen, pg_postmaster_start_time()))::double precision * 1000 AS silent
    FROM {writers} WHERE id <> $1`;
  const { rows } = await pool.query<WriterRow>(tables.name(statement), [self]);
  return rows.filter((row) => isGone({ ...row, seen: couldHear ? -row.silent : 0 }, 0)).map(({ id }) => id);
}

/** Also those of a writer that has said goodbye. */
async function findLeft({ pool, tables }: Looking, gone: readonly string[]): Promise<readonly LeftRow[]> {
  const statement = `
    SELECT number, writer, created_at,
      (SELECT json FROM {facts} AS facts WHERE session = sessions.number AND facts.number = sessions.facts) AS json
    FROM {sessions} AS sessions WHERE status IN ('queued', 'running')
      AND (writer = ANY($1) OR NOT EXISTS (SELECT FROM {writers} AS writers WHERE writers.id = writer))`;
  return (await pool.query<LeftRow>(tables.name(statement), [gone])).rows;
}

function toEnd({ json, created_at }: LeftRow): number {
  return json === null ? created_at : (JSON.parse(json) as Fact).at;
}
