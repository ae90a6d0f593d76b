// Sessions that were left under way by a process that is gone: they say so from now on.

import type { Fact, SessionHead } from '@ai-agent/core';
import type { Pool } from 'pg';
import { headOfLeft } from '../left-behind.ts';
import { isGone, type Writer } from '../writer.ts';
import type { Tables } from './tables.ts';
import { toColumn } from './text.ts';

interface WriterRow extends Writer {
  /** For how long the database could have heard of it and has not, by its own clock: those of the machines differ. */
  readonly silent: number;
}

interface LeftRow {
  readonly number: string;
  readonly writer: string;
  readonly head: string;
  readonly facts: number;
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
  const heads = await headsOf(looking, left);
  const statement = `
    UPDATE {sessions} AS known SET status = given.status, ended_at = given.ended_at, head = given.head,
      bytes = known.bytes - octet_length(known.head) + octet_length(given.head)
    FROM unnest($1::bigint[], $2::text[], $3::text[], $4::double precision[], $5::text[])
      AS given (session, writer, status, ended_at, head)
    WHERE number = session AND known.writer = given.writer AND known.status IN ('queued', 'running')`;
  const values = [
    left.map(({ number }) => number),
    left.map(({ writer }) => writer),
    heads.map(({ status }) => status),
    heads.map(({ endedAt }) => endedAt),
    // One that was interrupted may come back, if its process was only not heard of: its head waits for it as it was.
    heads.map((head, at) => (head.status === 'interrupted' ? left[at]?.head : JSON.stringify(head))),
  ];
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
    SELECT number, writer, head, facts,
      (SELECT json FROM {facts} AS facts WHERE session = sessions.number AND facts.number = sessions.facts) AS json
    FROM {sessions} AS sessions WHERE status IN ('queued', 'running')
      AND (writer = ANY($1) OR NOT EXISTS (SELECT FROM {writers} AS writers WHERE writers.id = writer))`;
  return (await pool.query<LeftRow>(tables.name(statement), [gone])).rows;
}

async function headsOf({ pool, tables }: Looking, left: readonly LeftRow[]): Promise<readonly SessionHead[]> {
  const last = left.map(({ json }) => (json === null ? undefined : (JSON.parse(json) as Fact)));
  const asked = last.flatMap((fact) =>
    fact?.type === 'session-end' && 'resume' in fact.ending ? [fact.ending.resume] : [],
  );
  const statement = 'SELECT handle FROM {pauses} WHERE handle = ANY($1)';
  const { rows } =
    asked.length === 0
      ? { rows: [] }
      : await pool.query<{ handle: string }>(tables.name(statement), [asked.map(toColumn)]);
  const waiting = new Set(rows.map(({ handle }) => handle));
  const isWaiting = (handle: string) => waiting.has(toColumn(handle));
  return left.map(({ head, facts }, at) =>
    headOfLeft({ head: JSON.parse(head) as SessionHead, facts, last: last[at], isWaiting }),
  );
}
