// Where a redirect leads, and what goes along: less than there was, when it leads to somebody else.

import { AgentError } from '@ai-agent/core';
import { toRefusal } from './refusal.ts';

/** One request of a chain. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: unknown;
}

export interface Answered {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
}

export const mostRedirects = 5;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

/** Whether it says where to go instead. */
export function isRedirect({ status, headers }: Answered): boolean {
  return redirectStatuses.has(status) && headers.get('location') !== null;
}

/** Throws what is said to who may not go there. */
export function nextHop(hop: Hop, answer: Answered): Hop {
  const url = URL.parse(answer.headers.get('location') ?? '', hop.url.href);
  if (!url) throw stop(hop, 'to an address that cannot be read');
  if (hop.url.protocol === 'https:' && url.protocol === 'http:')
    throw toRefusal(plainly(url), `${plainly(hop.url)} redirects there, from https to plain http`, {
      remedy: 'Use an address that stays on https.',
    });
  const next = dropsBody(hop.method, answer.status) ? withoutBody(hop) : hop;
  if (isReadOnce(next.body)) throw stop(hop, 'after a body was sent that cannot be sent again');
  if (url.origin === hop.url.origin) return { ...next, url };
  if (hasBody(next)) throw stop(hop, 'to another host, which would get the body');
  return { ...next, url, headers: onlyHarmless(next.headers) };
}

export function tooManyRedirects(hop: Hop): AgentError {
  return stop(hop, `more than ${mostRedirects} times`);
}

/** Without what may be secret in it. */
export function plainly({ protocol, host, pathname }: URL): string {
  return `${protocol}//${host}${pathname}`;
}

function stop({ url }: Hop, how: string): AgentError {
  return new AgentError('tool-failed', `${plainly(url)} redirects ${how}.`, {
    remedy: 'Use the address where it ends.',
  });
}

function dropsBody(method: string, status: number): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD';
  return method === 'POST' && (status === 301 || status === 302);
}

const headersOfBodies = ['content-type', 'content-length', 'content-encoding', 'content-language', 'content-location'];

function withoutBody(hop: Hop): Hop {
  const headers = new Headers(hop.headers);
  for (const name of headersOfBodies) headers.delete(name);
  return { ...hop, method: 'GET', headers, body: undefined };
}

/** Keys come under any name, so only what is known to be none goes to another origin. */
const harmlessHeaders = new Set([
  'accept',
  'accept-language',
  'content-encoding',
  'content-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'last-event-id',
  'mcp-protocol-version',
  'range',
  'user-agent',
]);

function onlyHarmless(headers: Headers): Headers {
  return new Headers([...headers].filter(([name]) => harmlessHeaders.has(name)));
}

function hasBody({ body }: Hop): boolean {
  return body !== undefined && body !== null && body !== '';
}

function isReadOnce(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return body instanceof ReadableStream || Symbol.asyncIterator in body;
}
