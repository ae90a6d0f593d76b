// HTTP for providers: a fetch over pooled keep-alive connections, with no patience limit of its own and no retries
// but one.

import http from 'node:http';
import https from 'node:https';
import { AgentError } from '@ai-agent/core';
import { type Exchange, exchange, type Target } from './http-exchange.ts';
import { TransportResponse } from './http-response.ts';

export interface Transport {
  /** What provider packages take in place of the global fetch. Sends text or bytes; follows no redirect. */
  readonly fetch: typeof globalThis.fetch;
  /** Breaks off what is under way and closes every connection. */
  close(): void;
}

export interface TransportOptions {
  /** Connections to one host at a time; more requests wait for one. 1 or more. @default 4096 */
  readonly maxSockets?: number;
  /** Connections to one host that are kept for later. 0 or more. @default 256 */
  readonly maxIdleSockets?: number;
  /** How long a connection is kept unused: shorter than the memory of a usual NAT box. @default 30000 */
  readonly idleTimeoutMs?: number;
  /** How long a connection may take to be made, TLS included. @default 30000 */
  readonly connectTimeoutMs?: number;
}

/**
 * Not the fetch of Node: that one gives up after five minutes without headers, and costs twice the work. Waiting is
 * bounded by the caller's signal alone.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const pools = new Pools(options);
  return { fetch: (input, init) => pools.fetch(input, init), close: () => pools.close() };
}

class Pools {
  readonly #agents: Record<string, { readonly pooled: http.Agent; readonly fresh: http.Agent }>;
  readonly #connectTimeoutMs: number;
  readonly #underWay = new Set<Exchange>();
  // A transport talks to a handful of addresses, again and again.
  readonly #targets = new Map<string, Target>();
  #isClosed = false;

  constructor(options: TransportOptions) {
    const pooled = {
      keepAlive: true,
      keepAliveMsecs: 15_000,
      maxSockets: options.maxSockets ?? 4096,
      maxFreeSockets: options.maxIdleSockets ?? 256,
      timeout: options.idleTimeoutMs ?? 30_000,
    };
    this.#agents = {
      'http:': { pooled: new http.Agent(pooled), fresh: new http.Agent() },
      'https:': { pooled: new https.Agent(pooled), fresh: new https.Agent() },
    };
    this.#connectTimeoutMs = options.connectTimeoutMs ?? 30_000;
  }

  async fetch(input: Parameters<typeof globalThis.fetch>[0], init: RequestInit = {}): Promise<Response> {
    if (this.#isClosed) throw new AgentError('model-network', 'The HTTP transport is closed.');
    const { signal } = init;
    if (signal?.aborted) throw signal.reason;
    const target = this.#targetOf(input);
    const { response, exchange } = await this.#send(target, init);
    const location = response.headers.location;
    const status = response.statusCode ?? 0;
    if (status >= 300 && status < 400 && location !== undefined) {
      exchange.fail(redirected(target, status, location));
      throw exchange.failure;
    }
    return new TransportResponse(response, exchange, target.url);
  }

  close(): void {
    this.#isClosed = true;
    for (const { pooled, fresh } of Object.values(this.#agents)) {
      pooled.destroy();
      fresh.destroy();
    }
    for (const exchange of this.#underWay) exchange.fail(new AgentError('model-network', 'The HTTP transport closed.'));
  }

  /** A kept connection may be closed by the server at the moment we use it: then, and only then, asks once more. */
  async #send(target: Target, init: RequestInit) {
    const request = {
      target,
      method: init.method ?? 'GET',
      headers: toHeaders(init.headers),
      body: toBody(init.body),
      signal: init.signal ?? undefined,
      connectTimeoutMs: this.#connectTimeoutMs,
      underWay: this.#underWay,
    };
    const agents = this.#agents[target.protocol] as { pooled: http.Agent; fresh: http.Agent };
    const first = await exchange(request, agents.pooled);
    return first.isStale ? exchange(request, agents.fresh).then(answered) : answered(first);
  }

  #targetOf(input: Parameters<typeof globalThis.fetch>[0]): Target {
    if (typeof input !== 'string' && !(input instanceof URL))
      throw new AgentError('internal', 'The HTTP transport takes an address, not a Request.');
    const url = String(input);
    const known = this.#targets.get(url);
    if (known) return known;
    const target = toTarget(url);
    if (this.#targets.size >= 1000) this.#targets.clear();
    this.#targets.set(url, target);
    return target;
  }
}

function answered(settled: Awaited<ReturnType<typeof exchange>>) {
  if (!settled.response) throw settled.exchange.failure;
  return { response: settled.response, exchange: settled.exchange };
}

function toTarget(text: string): Target {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:'))
    throw new AgentError('model-network', `${text} is not an http or https address.`, { retryable: false });
  return {
    url: text,
    protocol: url.protocol,
    // IPv6 addresses have brackets in a URL, and none when connecting.
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? undefined : Number(url.port),
    path: `${url.pathname}${url.search}`,
  };
}

function toHeaders(init: RequestInit['headers']): Record<string, string> {
  const headers: Record<string, string> = {};
  const entries = init === undefined || init === null ? [] : Symbol.iterator in init ? [...init] : Object.entries(init);
  for (const [name, value] of entries) if (value !== undefined) headers[String(name).toLowerCase()] = String(value);
  headers['accept-encoding'] ??= 'identity';
  return headers;
}

function toBody(body: RequestInit['body']): string | Uint8Array | undefined {
  if (body === undefined || body === null) return undefined;
  if (typeof body === 'string' || body instanceof Uint8Array) return body;
  throw new AgentError('internal', `The HTTP transport sends text or bytes, not ${body.constructor.name}.`);
}

function redirected({ url }: Target, status: number, location: string): AgentError {
  const { origin } = new URL(url);
  return new AgentError('model-request-refused', `${origin} answered with a redirect to ${location}.`, {
    status,
    remedy: 'Set the address of this provider to where it redirects; redirects are not followed.',
  });
}
