// A request as it goes out: where to, its headers complete, its body as text or bytes.

import { AgentError } from '@ai-agent/core';

export interface Target {
  readonly url: string;
  readonly protocol: string;
  /** As in the address: with brackets, and with the port unless it is the usual one. */
  readonly host: string;
  readonly hostname: string;
  readonly port: number | undefined;
  readonly path: string;
}

export interface OutgoingRequest {
  readonly target: Target;
  readonly method: string;
  /** Names and values in turn: from an object Node makes a list of its own, and keeps it until the answer. */
  readonly headers: readonly string[] | Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
}

export function toTarget(text: string): Target {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new AgentError('model-network', `${text} is not an http or https address.`, { retryable: false });
  return {
    url: text,
    protocol: url.protocol,
    host: url.host,
    // IPv6 addresses have brackets in a URL, and none when connecting.
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
  };
}

export function toOutgoing(target: Target, init: RequestInit): OutgoingRequest {
  const method = init.method?.toUpperCase() ?? 'GET';
  const body = toBody(init.body);
  const headers = toHeaders(init.headers);
  headers['accept-encoding'] ??= 'identity';
  if (body !== undefined || !bodiless.has(method)) headers['content-length'] ??= String(Buffer.byteLength(body ?? ''));
  return { target, method, headers: toList(headers, target), body, signal: init.signal ?? undefined };
}

/** Sent without a body, they say nothing of its length. */
const bodiless = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

function toHeaders(init: RequestInit['headers']): Record<string, string> {
  const headers: Record<string, string> = {};
  const entries = init === undefined || init === null ? [] : Symbol.iterator in init ? [...init] : Object.entries(init);
  for (const [name, value] of entries) if (value !== undefined) headers[String(name).toLowerCase()] = String(value);
  return headers;
}

/** A host of the caller's own stays in an object, where Node looks for the name on the certificate. */
function toList(headers: Readonly<Record<string, string>>, { host }: Target): OutgoingRequest['headers'] {
  if (headers.host !== undefined) return headers;
  const list = ['host', host];
  for (const name of Object.keys(headers)) list.push(name, headers[name] as string);
  return list;
}

function toBody(body: RequestInit['body']): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new AgentError('internal', `The HTTP transport sends text or bytes, not ${body.constructor.name}.`);
}
