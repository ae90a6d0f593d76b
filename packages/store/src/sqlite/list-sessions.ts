// Finds sessions, the newest first: by one index that holds all it asks, so that few of many are as fast as few of few.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import type { SessionHead, SessionQuery } from '@ai-agent/core';
import type { FullQuery } from '../ask.ts';

export class SessionList {
  readonly #db: DatabaseSync;
  readonly #place: StatementSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#place = db.prepare('SELECT created_at, number FROM sessions WHERE id = ?');
  }

  /** Their heads; those of `left` are what that says. */
  find(query: FullQuery, left: ReadonlyMap<number, SessionHead>): readonly string[] {
    const { statuses, before, limit } = query;
    const last = before === undefined ? undefined : (this.#place.get(before) as Place | undefined);
    if (before !== undefined && !last) return [];
    // In an index they are in order for one status at a time.
    const each = statuses === undefined ? [undefined] : [...new Set(statuses)];
    const wider = { ...query, limit: Math.min(limit + left.size, Number.MAX_SAFE_INTEGER) };
    const others = each
      .flatMap((status) => this.#findOf(wider, status, last))
      .filter(({ number }) => !left.has(number));
    const found = [...others, ...this.#findLeft(query, left, last)];
    if (each.length > 1 || left.size > 0)
      found.sort((one, other) => other.created_at - one.created_at || other.number - one.number);
    return found.slice(0, limit).map(({ head }) => head);
  }

  #findLeft(query: FullQuery, left: ReadonlyMap<number, SessionHead>, last: Place | undefined): readonly Found[] {
    if (left.size === 0) return [];
    const { statuses } = query;
    const all = { ...query, limit: Number.MAX_SAFE_INTEGER };
    const underWay = ['queued', 'running'].flatMap((status) => this.#findOf(all, status, last));
    return underWay.flatMap((row) => {
      const head = left.get(row.number);
      return head && (!statuses || statuses.includes(head.status)) ? [{ ...row, head: JSON.stringify(head) }] : [];
    });
  }

  #findOf(query: FullQuery, status: string | undefined, last: Place | undefined): readonly Found[] {
    const { terms, values } = toTerms(query, status, last);
    const index = toIndex(query, status);
    const sql = `SELECT created_at, number, head FROM sessions WHERE number IN (SELECT number FROM sessions INDEXED BY ${index}
      ${terms.length > 0 ? `WHERE ${terms.join(' AND ')}` : ''} ORDER BY created_at DESC, number DESC LIMIT ?)
      ORDER BY created_at DESC, number DESC`;
    return this.#prepare(sql).all(...values, query.limit) as unknown as readonly Found[];
  }

  /** There are few forms of them. */
  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql) ?? this.#db.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }
}

interface Place {
  readonly created_at: number;
  readonly number: number;
}

interface Found extends Place {
  readonly head: string;
}

/** The one that leaves the fewest to look through, by and large. */
function toIndex({ prefix, user, agent, owner, headend }: SessionQuery, status: string | undefined): string {
  // That of the ids, which are unique.
  if (prefix !== undefined) return 'sqlite_autoindex_sessions_1';
  if (typeof user === 'string') return 'sessions_by_user';
  if (agent !== undefined) return 'sessions_by_agent';
  if (status !== undefined) return 'sessions_by_status';
  if (owner !== undefined) return 'sessions_by_owner';
  return headend === undefined ? 'sessions_by_time' : 'sessions_by_headend';
}

function toTerms(
  { owner, user, agent, headend, since, until, prefix }: SessionQuery,
  status: string | undefined,
  last: Place | undefined,
): { readonly terms: readonly string[]; readonly values: readonly SQLInputValue[] } {
  const terms: string[] = [];
  const values: SQLInputValue[] = [];
  const add = (term: string, ...more: readonly SQLInputValue[]) => {
    terms.push(term);
    values.push(...more);
  };
  const equals = { owner, user, agent, headend, status };
  for (const [column, value] of Object.entries(equals)) {
    if (value === null) add(`${column} IS NULL`);
    else if (value !== undefined) add(`${column} = ?`, value);
  }
  if (since !== undefined) add('created_at >= ?', since);
  if (until !== undefined) add('created_at < ?', until);
  if (prefix !== undefined) add('id >= ? AND id < ?', prefix, `${prefix}\u{10ffff}`);
  if (last) add('(created_at, number) < (?, ?)', last.created_at, last.number);
  return { terms, values };
}
