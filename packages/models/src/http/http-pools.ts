// The work of the transport: pooled keep-alive connections, with no patience limit of their own and no retries.

import type { IncomingMessage } from 'node:http';
import { AgentError } from '@ai-agent/core';
import { Exchange, type Lines } from './http-exchange.ts';
import { type Target, toOutgoing, toTarget } from './http-outgoing.ts';
import { TransportResponse } from './http-response.ts';
import { httpOf } from './node-http.ts';
import type { TransportOptions } from './transport.ts';

export class Pools {
  readonly #lines = new Map<string, Lines>();
  readonly #open: (protocol: string) => Lines;
  readonly #maxReplyBytes: number;
  readonly #underWay = new Set<Exchange>();
  // A transport talks to a handful of addresses, again and again.
  readonly #targets = new Map<string, Target>();
  #isClosed = false;

  constructor(options: TransportOptions) {
    // A connection is given up before its server does so, where the server has said when (`Keep-Alive: timeout=`).
    const pooled = {
      keepAlive: true,
      keepAliveMsecs: 15_000,
      maxSockets: options.maxSockets ?? 16_384,
      maxFreeSockets: options.maxIdleSockets ?? 256,
      timeout: options.idleTimeoutMs ?? 30_000,
    };
    const shared = {
      connectTimeoutMs: options.connectTimeoutMs ?? 30_000,
      underWay: this.#underWay,
    };
    this.#open = (protocol) => ({ agent: new (httpOf(protocol).Agent)(pooled), ...shared });
    this.#maxReplyBytes = options.maxReplyBytes ?? 64 * 1024 * 1024;
  }

  /** Not async: what waits for the answer would keep the request. */
  fetch(input: Parameters<typeof globalThis.fetch>[0], init: RequestInit = {}): Promise<Response> {
    const reply = Promise.withResolvers<Response>();
    try {
      this.#ask(this.#targetOf(input), init, reply);
    } catch (error) {
      reply.reject(error);
    }
    return reply.promise;
  }

  close(): void {
    this.#isClosed = true;
    for (const { agent } of this.#lines.values()) agent.destroy();
    for (const exchange of this.#underWay) exchange.fail(closed());
  }

  #ask(target: Target, init: RequestInit, { resolve, reject }: PromiseWithResolvers<Response>): void {
    const outgoing = toOutgoing(target, init);
    if (this.#isClosed) throw closed();
    outgoing.signal?.throwIfAborted();
    new Exchange(outgoing, this.#linesOf(target.protocol)).onAnswer = (exchange, answer) => {
      if (!answer) return reject(exchange.failure);
      const redirect = redirectIn(answer, target);
      // Rejects by itself.
      if (redirect) exchange.fail(redirect);
      else resolve(new TransportResponse(answer, { exchange, url: target.url, maxBytes: this.#maxReplyBytes }));
    };
  }

  #linesOf(protocol: string): Lines {
    const lines = this.#lines.get(protocol) ?? this.#open(protocol);
    this.#lines.set(protocol, lines);
    return lines;
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

function redirectIn({ headers, statusCode: status = 0 }: IncomingMessage, { url }: Target): AgentError | undefined {
  if (status < 300 || status >= 400 || headers.location === undefined) return undefined;
  const { origin } = new URL(url);
  return new AgentError('model-request-refused', `${origin} answered with a redirect to ${headers.location}.`, {
    status,
    remedy: 'Set the address of this provider to where it redirects; redirects are not followed.',
  });
}
