// The work of the transport: pooled keep-alive connections, with no patience limit of their own and no retries but one.

import type { Agent } from 'node:http';
import { AgentError } from '@ai-agent/core';
import { type Answer, type Exchange, exchange, type Target } from './http-exchange.ts';
import { TransportResponse } from './http-response.ts';
import { http, https } from './node-http.ts';
import type { TransportOptions } from './transport.ts';

export class Pools {
  readonly #agents: Record<string, { readonly pooled: Agent; readonly fresh: Agent }>;
  readonly #connectTimeoutMs: number;
  readonly #maxReplyBytes: number;
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
    this.#maxReplyBytes = options.maxReplyBytes ?? 64 * 1024 * 1024;
  }

  async fetch(input: Parameters<typeof globalThis.fetch>[0], init: RequestInit = {}): Promise<Response> {
    const target = this.#targetOf(input);
    const { response, exchange } = await this.#send(target, init);
    const location = response.headers.location;
    const status = response.statusCode ?? 0;
    if (status >= 300 && status < 400 && location !== undefined) {
      exchange.fail(redirected(target, status, location));
      throw exchange.failure;
    }
    return new TransportResponse(response, { exchange, url: target.url, maxBytes: this.#maxReplyBytes });
  }

  close(): void {
    this.#isClosed = true;
    for (const { pooled, fresh } of Object.values(this.#agents)) {
      pooled.destroy();
      fresh.destroy();
    }
    for (const exchange of this.#underWay) exchange.fail(closed());
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
    const agents = this.#agents[target.protocol] as { pooled: Agent; fresh: Agent };
    const ask = (agent: Agent): Promise<Answer> => {
      if (this.#isClosed) throw closed();
      if (request.signal?.aborted) throw request.signal.reason;
      return exchange(request, agent);
    };
    const first = await ask(agents.pooled);
    return answered(first.isStale ? await ask(agents.fresh) : first);
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

function closed(): AgentError {
  return new AgentError('model-network', 'The HTTP transport is closed.', { retryable: false });
}

function answered({ response, exchange }: Answer) {
  if (!response) throw exchange.failure;
  return { response, exchange };
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
