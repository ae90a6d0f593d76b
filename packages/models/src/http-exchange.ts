// One request on one connection: from sending it to its last byte, its abort or its failure.

import http from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { AgentError, isAgentError } from '@ai-agent/core';

export interface Target {
  readonly url: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly port: number | undefined;
  readonly path: string;
}

export interface OutgoingRequest {
  readonly target: Target;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string | Uint8Array | undefined;
  readonly signal: AbortSignal | undefined;
  readonly connectTimeoutMs: number;
  /** Every exchange that is not over. */
  readonly underWay: Set<Exchange>;
}

export interface Answer {
  readonly exchange: Exchange;
  /** Headers have arrived; without it, `exchange.failure` says why not. */
  readonly response: http.IncomingMessage | undefined;
  /** The connection was a kept one and died before a single byte of the answer. */
  readonly isStale: boolean;
}

/** Always settles with an answer; who reads the body ends the exchange. */
export function exchange(request: OutgoingRequest, agent: http.Agent): Promise<Answer> {
  return new Promise((resolve) => new Exchange(request, agent, resolve));
}

export class Exchange {
  readonly #request: http.ClientRequest;
  readonly #signal: AbortSignal | undefined;
  readonly #underWay: Set<Exchange>;
  readonly #connectTimeoutMs: number;
  readonly #settle: (answer: Answer) => void;
  #failure: unknown;
  #isOver = false;
  #bytesBefore = 0;
  /** Told once when the exchange fails after its headers. */
  onFail: ((failure: unknown) => void) | undefined;

  constructor(outgoing: OutgoingRequest, agent: http.Agent, settle: (answer: Answer) => void) {
    const { target, method, headers, body, signal } = outgoing;
    this.#settle = settle;
    this.#signal = signal;
    this.#underWay = outgoing.underWay;
    this.#connectTimeoutMs = outgoing.connectTimeoutMs;
    const { request } = target.protocol === 'https:' ? https : http;
    const { hostname, port, path } = target;
    this.#request = request({ agent, method, headers, hostname, port, path });
    this.#request.on('socket', this.#onSocket);
    this.#request.on('response', this.#onResponse);
    this.#request.on('error', this.#onError);
    this.#underWay.add(this);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#request.end(body);
  }

  get failure(): unknown {
    return this.#failure;
  }

  /** The whole answer was read. */
  complete(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#underWay.delete(this);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  /** Ends it at once: the server sees the connection close. The first failure stays. */
  fail(failure: unknown, isStale = false): void {
    if (this.#isOver) return;
    this.complete();
    this.#failure = failure;
    this.#request.destroy();
    if (this.onFail) this.onFail(failure);
    else this.#settle({ exchange: this, response: undefined, isStale });
  }

  /** A failure while the body was read, in our words. */
  failReading(error: unknown): void {
    if (!this.#isOver) this.fail(isAgentError(error) ? error : cutOff(error));
  }

  readonly #onSocket = (socket: Socket): void => {
    this.#bytesBefore = socket.bytesRead;
    if (!socket.connecting) return;
    const tooSlow = () => this.fail(connectTimedOut(this.#request.host, this.#connectTimeoutMs));
    const idleTimeoutMs = socket.timeout ?? 0;
    socket.setTimeout(this.#connectTimeoutMs, tooSlow);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      socket.off('timeout', tooSlow);
      socket.setTimeout(idleTimeoutMs);
    });
  };

  readonly #onResponse = (response: http.IncomingMessage): void => {
    // Without a listener, a body that breaks before anybody reads would be an uncaught error.
    response.on('error', (error) => this.failReading(error));
    this.#settle({ exchange: this, response, isStale: false });
  };

  readonly #onError = (error: Error & { code?: string }): void => {
    const isUntouched = (this.#request.socket?.bytesRead ?? 0) === this.#bytesBefore;
    const isClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE';
    this.fail(connectionFailed(this.#request.host, error), this.#request.reusedSocket && isUntouched && isClosed);
  };

  readonly #onAbort = (): void => this.fail(this.#signal?.reason);
}

function connectionFailed(host: string, error: Error): AgentError {
  // A name that resolves to several addresses fails with one error per address, and a blank message.
  const errors = error instanceof AggregateError ? error.errors : [error];
  const reasons = errors.map((one: Error & { code?: string }) => one.message || one.code || one.name);
  return new AgentError('model-network', `No answer from ${host}: ${reasons.join('; ')}.`, { cause: error });
}

function connectTimedOut(host: string, timeoutMs: number): AgentError {
  return new AgentError('model-network', `No connection to ${host} within ${timeoutMs / 1000} s.`);
}

function cutOff(cause: unknown): AgentError {
  return new AgentError('model-network', 'The connection broke off before the reply was complete.', { cause });
}
