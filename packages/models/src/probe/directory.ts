// What a kind of provider says of the models it has: how it is asked, and how its answer is read.

import { isObject } from '@ai-agent/core';
import { JSONParseError } from '@ai-sdk/provider';
import type { Endpoint } from '../providers/adapter.ts';
import { addressOf } from '../providers/endpoint.ts';
import { callError } from '../providers/failed-answer.ts';

export interface Directory {
  /** All that goes with a request. */
  headers(endpoint: Endpoint): Record<string, string>;
  /** The names of its models; undefined when what it answers is no list of them. */
  list(ask: Ask): Promise<readonly string[] | undefined>;
  /** Whether a model by this name is among them. */
  has(names: readonly string[], model: string): boolean;
  /** Rejects when the key is refused, where anybody may have the list. @default the list is only for who has a key */
  checkKey?(ask: Ask): Promise<void>;
  /** Where one model is described that may be in no list. @default nowhere */
  pathOf?(model: string): string;
  /** What to do about a model that is not there. @default to correct its name */
  remedyFor?(model: string): string;
}

/** Gives what a path below the address answers, as JSON; rejects with what failures are told from. */
export type Ask = (path: string, query?: Readonly<Record<string, string>>) => Promise<unknown>;

/** Of an error, so much is looked at. */
const maxErrorLength = 64 * 1024;

export function toAsk(endpoint: Endpoint, headers: Record<string, string>, signal: AbortSignal): Ask {
  return async (path, query = {}) => {
    const url = new URL(addressOf(endpoint, path));
    // Not by searchParams, which would write anew what is there: a key may be in it.
    url.search = [url.search.slice(1), new URLSearchParams(query).toString()].filter(Boolean).join('&');
    const response = await endpoint.fetch(url.href, { method: 'GET', headers, signal });
    const text = await response.text();
    if (!response.ok) throw callError(response, text.slice(0, maxErrorLength));
    const answer = parse(text, response);
    // Gateways that answer 200 to everything.
    if (isObject(answer) && isObject(answer.error)) throw answer;
    return answer;
  };
}

function parse(text: string, response: Response): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const start = text.slice(0, maxErrorLength);
    throw callError(response, start, new JSONParseError({ text: start, cause }));
  }
}

/** The names in a list of objects, by one of their fields; undefined when it is none. What is no name is left out. */
export function namesIn(list: unknown, field: string): readonly string[] | undefined {
  if (!Array.isArray(list)) return undefined;
  return list.flatMap((one: unknown) => {
    const name = isObject(one) ? one[field] : undefined;
    return typeof name === 'string' && /^[^\s\p{Cc}]{1,200}$/u.test(name) ? name : [];
  });
}

/** Pages are followed so far. */
const maxPages = 20;

/** Page after page; `read` gives the names of one, and how the next is asked for. */
export async function listPages(ask: Ask, read: ReadPage, first: Readonly<Record<string, string>>) {
  const names: string[] = [];
  let query: Readonly<Record<string, string>> | undefined = first;
  for (let page = 0; query && page < maxPages; page++) {
    const { found, next } = read(await ask('/models', query));
    if (!found) return undefined;
    // One by one: as arguments, a long list is too many.
    for (const name of found) names.push(name);
    query = next && { ...first, ...next };
  }
  return names.length === 0 ? undefined : names;
}

export type ReadPage = (answer: unknown) => {
  readonly found: readonly string[] | undefined;
  readonly next: Readonly<Record<string, string>> | undefined;
};
