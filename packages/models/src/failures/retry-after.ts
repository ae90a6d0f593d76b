// How long a provider asks us to wait: in the headers of its answer, or in the words and fields of the body.

import { isObject } from '@ai-agent/core';
import { durationForm, parseDuration, parseHttpDate } from './moments.ts';

/** Nobody waits longer than this for one answer. */
export const longestWaitMs = 60 * 60 * 1000;

type Headers = Readonly<Record<string, string>>;

export interface Refusal {
  /** With names in lower case. */
  readonly headers?: Headers | undefined;
  readonly body?: string | undefined;
  /** Milliseconds since 1970. Without it, a date is not understood. */
  readonly now: number | undefined;
}

/** From nothing to an hour. Headers go before the body. */
export function retryAfterMs({ headers, body, now }: Refusal): number | undefined {
  const waitMs = waitInHeaders(headers, now) ?? waitInBody(body, now);
  return waitMs === undefined ? undefined : Math.min(Math.max(0, Math.round(waitMs)), longestWaitMs);
}

function waitInHeaders(headers: Headers | undefined, now: number | undefined): number | undefined {
  const precise = headers?.['retry-after-ms'];
  if (precise && isNumber(precise)) return Number(precise);
  const value = headers?.['retry-after']?.trim();
  if (!value) return readReset(headers, now);
  if (isNumber(value)) return Number(value) * 1000;
  const date = parseHttpDate(value);
  return date === undefined || now === undefined ? undefined : date - now;
}

/** When there will be requests to spend again, after the last one is spent: seconds or milliseconds since 1970. */
function readReset(headers: Readonly<Record<string, string>> | undefined, now: number | undefined): number | undefined {
  const reset = headers?.['x-ratelimit-reset'] ?? '';
  if (headers?.['x-ratelimit-remaining']?.trim() !== '0' || !isNumber(reset) || now === undefined) return undefined;
  const moment = Number(reset);
  if (moment < 1e9) return undefined;
  return (moment < 1e11 ? moment * 1000 : moment) - now;
}

function isNumber(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text.trim());
}

/** A longer one is no refusal but a page, or worse. */
const longestBody = 64 * 1024;

function waitInBody(body: string | undefined, now: number | undefined): number | undefined {
  if (typeof body !== 'string' || body.length > longestBody) return undefined;
  const parsed = parse(body);
  const root: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  if (!isObject(root)) return undefined;
  const error = isObject(root.error) ? root.error : root;
  const metadata = isObject(error.metadata) ? error.metadata : {};
  const places = [error, root, metadata];
  return (
    first(places, waitInFields) ??
    waitInDetails(error.details) ??
    waitInMetadata(metadata, now) ??
    first([error.message, root.message, root.error, root.detail], waitInWords)
  );
}

/** `retry_after` and its relatives: seconds, unless the name says otherwise. */
function waitInFields(fields: Readonly<Record<string, unknown>>): number | undefined {
  const { retry_after_ms: inMs, retry_after: inSeconds, retry_after_seconds, retryAfter } = fields;
  const precise = toNumber(inMs);
  return precise ?? first([inSeconds, retry_after_seconds, retryAfter], toWait);
}

/** `retryDelay` of Google's `RetryInfo`. */
function waitInDetails(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined;
  return first(details, (detail) => (isObject(detail) ? toWait(detail.retryDelay) : undefined));
}

/** OpenRouter hands on the headers of whoever refused: there the reset is in milliseconds since 1970. */
function waitInMetadata({ headers }: Readonly<Record<string, unknown>>, now: number | undefined): number | undefined {
  if (!isObject(headers) || now === undefined) return undefined;
  const reset = Object.entries(headers).find(([name]) => name.toLowerCase() === 'x-ratelimit-reset');
  const at = toNumber(reset?.[1]);
  return at === undefined || at < 1e12 ? undefined : at - now;
}

const words = new RegExp(String.raw`\b(?:try again|retry|wait)(?:\s+(?:in|after|for))?\s+(${durationForm})`, 'i');

/** `Please try again in 1m2s.` */
function waitInWords(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  return parseDuration(words.exec(text.slice(0, 2000))?.[1] ?? '');
}

/** Seconds as a number or a text, or a duration with its units. */
function toWait(value: unknown): number | undefined {
  const seconds = toNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  return typeof value === 'string' ? parseDuration(value) : undefined;
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) && value >= 0 ? value : undefined;
  return typeof value === 'string' && isNumber(value) ? Number(value) : undefined;
}

function first<T>(values: readonly T[], read: (value: T) => number | undefined): number | undefined {
  for (const value of values) {
    const found = read(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
