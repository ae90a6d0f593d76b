// The work of the transport: pooled keep-alive connections, with no patience limit of their own and no retries but one.

import type { IncomingMessage } from 'node:http';
import { AgentError } from '@ai-agent/core';
import { Exchange, type Lines } from './http-exchange.ts';
import { type OutgoingRequest, type Target, toOutgoing, toTarget } from './http-outgoing.ts';
import { TransportResponse } from './http-response.ts';
import { http, https } from './node-http.ts';
import type { TransportOptions } from './transport.ts';

type Reply = PromiseWithResolvers<Response>;

export class Pools {
  readonly #lines: Record<string, Lines>;
  readonly #maxReplyBytes: number;
  readonly #underWay = new Set<Exchange>();
  // A transport talks to a handful of addresses, again and again.
  readonly #targets = new Map<string, Target>();
  #isClosed = false;

  constructor(options: TransportOptions) {
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
    this.#lines = {
      'http:': { pooled: new http.Agent(pooled), fresh: new http.Agent(), ...shared },
      'https:': { pooled: new https.Agent(pooled), fresh: new https.Agent(), ...shared },
    };
    this.#maxReplyBytes = options.maxReplyBytes ?? 64 * 1024 * 1024;
  }

  /** Not async: what waits for the answer would keep the request. */
  fetch(input: Parameters<typeof globalThis.fetch>[0], init: RequestInit = {}): Promise<Response> {
    const reply = Promise.withResolvers<Response>();
    try {
      this.#ask(toOutgoing(this.#targetOf(input), init), 'pooled', reply);
    } catch (error) {
      reply.reject(error);
    }
    return reply.promise;
  }

  close(): void {
    this.#isClosed = true;
    for (const { pooled, fresh } of Object.values(this.#lines)) {
      pooled.destroy();
      fresh.destroy();
    }
    for (const exchange of this.#underWay) exchange.fail(closed());
  }

  #ask(outgoing: OutgoingRequest, agent: 'pooled' | 'fresh', reply: Reply): void {
    const { target, signal } = outgoing;
    if (this.#isClosed) throw closed();
    signal?.throwIfAborted();
    const lines = this.#lines[target.protocol] as Lines;
    new Exchange(outgoing, lines, lines[agent]).onAnswer = (exchange, answer) => {
      if (answer) this.#deliver(answer, exchange, { target, reply });
      else if (exchange.unseen) this.#askAgain(exchange.unseen, reply);
      else reply.reject(exchange.failure);
    };
  }

  /** A kept connection may be closed by the server at the moment we use it: then, and only then, asks once more. */
  #askAgain(outgoing: OutgoingRequest, reply: Reply): void {
    try {
      this.#ask(outgoing, 'fresh', reply);
    } catch (error) {
      reply.reject(error);
    }
  }

  #deliver(
    answer: IncomingMessage,
    exchange: Exchange,
    { target, reply }: { readonly target: Target; readonly reply: Reply },
  ): void {
    const redirect = redirectIn(answer, target);
    // Rejects by itself.
    if (redirect) exchange.fail(redirect);
    else reply.resolve(new TransportResponse(answer, { exchange, url: target.url, maxBytes: this.#maxReplyBytes }));
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
