// Which sessions are meant, as flags say it.

import { toMs } from '@ai-agent/agents';
import {
  nearest,
  type SessionHead,
  type SessionQuery,
  type SessionStatus,
  type SessionStore,
  sessionStatuses,
} from '@ai-agent/core';
import { flagValue, flagValues, type Misuse, type Words } from '../../arguments.ts';
import { headends } from './headends.ts';

export type Filters = Omit<SessionQuery, 'limit' | 'before'>;

export function readFilters(words: Words, now: number): Filters | Misuse {
  const problems: string[] = [];
  const said = (flag: string) => flagValue(words, flag)?.trim();
  const when = (flag: string) => readWhen(flag, said(flag), { now, problems });
  const agent = said('--agent');
  const headend = readHeadend(said('--headend'), problems);
  const statuses = readStatuses(flagValues(words, '--status'), problems);
  const until = [when('--until'), readOlder(said('--older-than'), { now, problems })].filter(
    (one) => one !== undefined,
  );
  const since = when('--since');
  const [problem] = problems;
  if (problem !== undefined) return { problem };
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(headend === undefined ? {} : { headend }),
    ...named('owner', said('--owner')),
    ...named('user', said('--user')),
    ...(statuses.length === 0 ? {} : { statuses }),
    ...(since === undefined ? {} : { since }),
    ...(until.length === 0 ? {} : { until: Math.min(...until) }),
  };
}

export function isEmpty(filters: Filters): boolean {
  return Object.keys(filters).length === 0;
}

/** Page by page, the newest first. */
export async function* sessionsOf(
  store: Pick<SessionStore, 'list'>,
  filters: Filters,
  most = Number.MAX_SAFE_INTEGER,
): AsyncGenerator<SessionHead> {
  const limit = Math.min(500, most);
  let before: string | undefined;
  for (;;) {
    const page = await store.list({ ...filters, limit, ...(before === undefined ? {} : { before }) });
    yield* page;
    before = page.at(-1)?.id;
    if (page.length < limit) return;
  }
}

function named(key: 'owner' | 'user', said: string | undefined): Partial<Record<'owner' | 'user', string | null>> {
  return said === undefined ? {} : { [key]: said === 'none' ? null : said };
}

function readHeadend(said: string | undefined, problems: string[]): string | undefined {
  if (said === undefined) return undefined;
  const word = said.toLowerCase();
  if (!headends.some((one) => one === word))
    problems.push(`--headend ${said}: no session comes this way. ${hintFor(word, headends)}`);
  return word;
}

function hintFor(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return meant === undefined ? `It is one of ${known.join(', ')}.` : `Did you mean ${meant}?`;
}

function readStatuses(lists: readonly string[], problems: string[]): readonly SessionStatus[] {
  const words = lists.flatMap((list) => list.split(',')).map((word) => word.trim().toLowerCase().replaceAll('-', '_'));
  return words.flatMap((word) => {
    const status = sessionStatuses.find((one) => one === word);
    if (status) return [status];
    problems.push(`--status ${word}: no session stands so. ${hintFor(word, sessionStatuses)}`);
    return [];
  });
}

interface Reading {
  readonly now: number;
  readonly problems: string[];
}

/** A time back from now, a day, or a moment. Days are those of this machine's clock. */
function readWhen(flag: string, said: string | undefined, { now, problems }: Reading): number | undefined {
  if (said === undefined) return undefined;
  const back = toSpan(said);
  const at = back === undefined ? toMoment(said.toLowerCase(), now) : now - back;
  if (at === undefined)
    problems.push(
      `${flag} must be a time such as 2h or 7d, today, yesterday, or a date such as 2026-01-31; "${said}" is none.`,
    );
  return at;
}

function toMoment(said: string, now: number): number | undefined {
  if (said === 'now') return now;
  const day = new Date(now);
  day.setHours(0, 0, 0, 0);
  if (said === 'yesterday') day.setDate(day.getDate() - 1);
  if (said === 'today' || said === 'yesterday') return day.getTime();
  if (!/^\d{4}-\d\d-\d\d(?:[t ]\d\d:\d\d.*)?$/.test(said) || !isDay(said.slice(0, 10))) return undefined;
  // Without a time, JavaScript would mean midnight somewhere else.
  const moment = Date.parse(said.length === 10 ? `${said}T00:00` : said.toUpperCase());
  return Number.isNaN(moment) ? undefined : moment;
}

/** JavaScript would take the 31st of February for a day in March. */
function isDay(said: string): boolean {
  const moment = new Date(`${said}T00:00Z`);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(said);
}

function readOlder(said: string | undefined, { now, problems }: Reading): number | undefined {
  const ms = said === undefined ? undefined : toSpan(said);
  if (said !== undefined && ms === undefined)
    problems.push(`--older-than must be a time such as 30d or 12h; "${said}" is none.`);
  return ms === undefined ? undefined : now - ms;
}

/** With its unit alone: nobody who writes 30 means milliseconds. */
function toSpan(said: string): number | undefined {
  return /[a-z]$/i.test(said) ? toMs(said) : undefined;
}
