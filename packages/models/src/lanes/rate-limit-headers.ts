// What the headers of an answer say of what is left: every family of names that providers use.

import { parseDuration, parseHttpDate, parseTimestamp } from '../failures/moments.ts';
import { longestWaitMs } from '../failures/retry-after.ts';

/** What is counted. Of output nobody knows before how much it will be. */
export type Counted = 'requests' | 'tokens' | 'input-tokens' | 'output-tokens';

export interface LimitSaid {
  /** Which of the provider's limits it is. */
  readonly name: string;
  readonly counts: Counted;
  /** From 0. */
  readonly left: number;
  /** When there will be more; from 0 to an hour. */
  readonly resetMs: number;
}

interface Family {
  readonly left: string;
  readonly reset: string;
  readonly counts: Counted;
}

/**
 * OpenAI, Groq and who does as they do; Cerebras; OpenRouter and Together; the first drafts of the IETF; Anthropic, which
 * counts what a reply comes to and not what it may.
 */
const families: readonly Family[] = [
  ...(['requests', 'tokens'] as const).map((counts) => family('x-ratelimit-', `-${counts}`, counts)),
  family('x-ratelimit-', '-requests-day', 'requests'),
  family('x-ratelimit-', '-tokens-minute', 'tokens'),
  family('x-ratelimit-', '', 'requests'),
  family('ratelimit-', '', 'requests'),
  ...(['requests', 'input-tokens', 'output-tokens'] as const).map((counts) => anthropic(counts, counts)),
  anthropic('tokens', 'input-tokens'),
];

function family(before: string, after: string, counts: Counted): Family {
  return { left: `${before}remaining${after}`, reset: `${before}reset${after}`, counts };
}

function anthropic(name: string, counts: Counted): Family {
  return { left: `anthropic-ratelimit-${name}-remaining`, reset: `anthropic-ratelimit-${name}-reset`, counts };
}

type Read = Pick<Headers, 'get'>;

/**
 * What cannot be read is not there. A date is taken against the date of the answer itself, so that nobody's clock has to
 * be right; without one, against `now` in milliseconds since 1970.
 */
export function readLimits(headers: Read, now: () => number | undefined): readonly LimitSaid[] {
  const said: LimitSaid[] = [];
  for (const { left: name, reset, counts } of families) {
    const left = headers.get(name);
    if (left === null) continue;
    const limit = toLimit({ name, counts }, toCount(left), toReset(headers.get(reset), headers, now));
    if (limit) said.push(limit);
  }
  const listed = headers.get('ratelimit');
  if (listed !== null) said.push(...readList(listed));
  return said;
}

function toLimit(
  named: Pick<LimitSaid, 'name' | 'counts'>,
  left: number | undefined,
  resetMs: number | undefined,
): LimitSaid | undefined {
  if (left === undefined || resetMs === undefined) return undefined;
  return { ...named, left, resetMs: Math.min(Math.max(0, resetMs), longestWaitMs) };
}

/** Azure says -1 where it does not count. */
function toCount(text: string): number | undefined {
  const own = text.trim();
  return /^\d{1,15}(\.\d{1,9})?$/.test(own) ? Math.floor(Number(own)) : undefined;
}

/** Seconds, a duration with units, or a date: in words, or in seconds or milliseconds since 1970. */
function toReset(text: string | null, headers: Read, now: () => number | undefined): number | undefined {
  const own = text?.trim() ?? '';
  if (own === '' || own.length > 60) return undefined;
  if (!/^\d+(\.\d+)?$/.test(own)) return parseDuration(own) ?? untilDate(parseTimestamp(own), headers, now);
  const value = Number(own);
  if (value < 1e9) return value * 1000;
  return untilDate(value < 1e12 ? value * 1000 : value, headers, now);
}

function untilDate(at: number | undefined, headers: Read, now: () => number | undefined): number | undefined {
  if (at === undefined) return undefined;
  const from = parseHttpDate(headers.get('date')?.trim() ?? '') ?? now();
  return from === undefined ? undefined : at - from;
}

/** The later drafts of the IETF: `"minute";r=5;t=30, "day";r=900;t=3600`, and before that `limit=10, remaining=5, reset=30`. */
function readList(text: string): LimitSaid[] {
  const own = text.slice(0, 500);
  if (/\bremaining\s*=/.test(own)) return listed('ratelimit', own, 'remaining', 'reset');
  return own.split(',').flatMap((item, i) => listed(`ratelimit ${i}`, item, 'r', 't'));
}

function listed(name: string, text: string, left: string, reset: string): LimitSaid[] {
  const value = (key: string) => toCount(new RegExp(`(?:^|[;,\\s])${key}\\s*=\\s*(\\d+)`).exec(text)?.[1] ?? '');
  const seconds = value(reset);
  const limit = toLimit({ name, counts: 'requests' }, value(left), seconds === undefined ? undefined : seconds * 1000);
  return limit ? [limit] : [];
}
