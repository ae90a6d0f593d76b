// What is read: heads, facts, lists, pauses and notes.

import { compareNames, type SessionHead, type SessionQuery } from '@ai-agent/core';
import type { Pool } from 'pg';
import { type FactsPage, type FullQuery, pageOfFacts, type Read, type Value } from '../ask.ts';
import type { Tables } from './tables.ts';
import { fromColumn, toBehind, toColumn, toColumnOrEmpty } from './text.ts';

export interface Reading {
  readonly pool: Pick<Pool, 'query'>;
  readonly tables: Tables;
  readonly now: () => number;
}

export async function readOne(reading: Reading, read: Read): Promise<Value> {
  switch (read.do) {
    case 'get':
      return (await readHeads(reading, 'WHERE id = $1', [toColumn(read.id)]))[0] ?? null;
    case 'facts':
      return readFacts(reading, read);
    case 'list':
      return listHeads(reading, read.query);
    case 'get-pause':
      return readText(reading, 'SELECT json FROM {pauses} WHERE handle = $1', [toColumn(read.handle)]);
    case 'get-note':
      return readText(reading, 'SELECT json FROM {notes} WHERE name = $1 AND until > $2', [
        toColumn(read.name),
        reading.now(),
      ]);
    case 'list-notes':
      return listNames(reading, read);
  }
}

interface HeadFound {
  readonly head: string;
  readonly status: string;
  readonly ended_at: number | null;
  readonly facts: number;
}

async function readHeads({ pool, tables }: Reading, which: string, values: unknown[]): Promise<readonly string[]> {
  const statement = tables.name(`SELECT head, status, ended_at, facts FROM {sessions} ${which}`);
  const { rows } = await pool.query<HeadFound>(statement, values);
  return rows.map(toHeadJson);
}

/** One whose process has gone was never told its end: the columns know more than the head. */
function toHeadJson({ head, status, ended_at, facts }: HeadFound): string {
  if (status !== 'interrupted') return head;
  const known = JSON.parse(head) as SessionHead;
  return JSON.stringify({ ...known, status, facts, ...(ended_at === null ? {} : { endedAt: ended_at }) });
}

async function readText({ pool, tables }: Reading, statement: string, values: unknown[]): Promise<string | null> {
  const { rows } = await pool.query<{ json: string }>(tables.name(statement), values);
  return rows[0]?.json ?? null;
}

/** The largest number of a column. */
const most = 2 ** 31 - 1;

/** The length of each is known before any is fetched: a page ends before it is too long. */
async function readFacts(
  { pool, tables }: Reading,
  { id, after, limit }: Extract<Read, { do: 'facts' }>,
): Promise<FactsPage> {
  const statement = `
    SELECT json, count FROM (
      SELECT json, count(*) OVER () AS count, row_number() OVER (ORDER BY facts.number) AS place,
        sum(octet_length(json)) OVER (ORDER BY facts.number) AS size
      FROM (
        SELECT facts.number, facts.json FROM {facts} AS facts JOIN {sessions} AS sessions ON sessions.number = facts.session
        WHERE sessions.id = $1 AND facts.number > $2 ORDER BY facts.number LIMIT $3
      ) AS facts
    ) AS page
    WHERE place = 1 OR size <= $4 ORDER BY place`;
  const values = [toColumn(id), Math.min(after, most), Math.min(limit, factsAtOnce), pageOfFacts];
  const { rows } = await pool.query<{ json: string; count: string }>(tables.name(statement), values);
  const found = Number(rows[0]?.count ?? 0);
  return { facts: rows.map(({ json }) => json), isLast: rows.length === found && found < factsAtOnce };
}

/** Whatever they come to. */
const factsAtOnce = 5_000;

async function listHeads(reading: Reading, query: FullQuery): Promise<readonly string[]> {
  const { conditions, values } = toConditions(query);
  if (query.before !== undefined) {
    const { pool, tables } = reading;
    const statement = tables.name('SELECT created_at, number FROM {sessions} WHERE id = $1');
    const { rows } = await pool.query<{ created_at: number; number: string }>(statement, [toColumn(query.before)]);
    const [last] = rows;
    // One that is not there any more has nothing behind it.
    if (!last) return [];
    conditions.push(`(created_at, number) < ($${values.push(last.created_at)}, $${values.push(last.number)})`);
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  const limit = Math.min(query.limit, most);
  return readHeads(reading, `${where} ORDER BY created_at DESC, number DESC LIMIT ${limit}`, values);
}

function toConditions(query: SessionQuery): { readonly conditions: string[]; readonly values: unknown[] } {
  const { owner, user, agent, headend, statuses, since, until, prefix } = query;
  const conditions: string[] = [];
  const values: unknown[] = [];
  const add = (condition: string, value: unknown) => conditions.push(condition.replace('?', `$${values.push(value)}`));
  if (owner !== undefined) add('owner = ?', toColumnOrEmpty(owner));
  if (user !== undefined) add('on_behalf_of = ?', toColumnOrEmpty(user));
  if (agent !== undefined) add('agent = ?', toColumn(agent));
  if (headend !== undefined) add('headend = ?', toColumn(headend));
  // One alone has an order in its index; several have none.
  if (statuses?.length === 1) add('status = ?', statuses[0]);
  else if (statuses !== undefined) add('status = ANY(?)', statuses);
  if (since !== undefined) add('created_at >= ?', since);
  if (until !== undefined) add('created_at < ?', until);
  // The column is in the order of the characters, whatever the language of the database.
  if (prefix !== undefined) {
    add('id >= ?', prefix);
    add('id < ?', `${prefix}\u{10ffff}`);
  }
  return { conditions, values };
}

/** Columns are in the order of names but where a name is not written as it is: of those all are looked at. */
async function listNames(
  { pool, tables, now }: Reading,
  { prefix, limit }: Extract<Read, { do: 'list-notes' }>,
): Promise<readonly string[]> {
  const beginning = toColumn(prefix);
  const behind = toBehind(beginning);
  const found = `SELECT name FROM {notes} WHERE name >= $1 ${behind === undefined ? '' : 'AND name < $4'} AND until > $2`;
  const statement = `
    (${found} AND strpos(name, '\\') = 0 ORDER BY name LIMIT $3)
    UNION ALL (${found} AND strpos(name, '\\') > 0)`;
  const values = [beginning, now(), limit, ...(behind === undefined ? [] : [behind])];
  const { rows } = await pool.query<{ name: string }>(tables.name(statement), values);
  const names = rows.map(({ name }) => fromColumn(name));
  return names.sort(compareNames).slice(0, limit);
}
