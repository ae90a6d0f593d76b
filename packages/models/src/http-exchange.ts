// One request on one connection: from sending it to its last byte, its abort or its failure.

import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { AgentError, isAgentError } from '@ai-agent/core';
import { http, https } from './node-http.ts';

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
  readonly response: IncomingMessage | undefined;
  /** The connection was a kept one that the server had given up: it died at once, without a byte of an answer. */
  readonly isStale: boolean;
}

/**
 * A server that closes a kept connection has not seen what we put on it that moment. Whatever dies later may have been
 * worked on, and paid for.
 */
const staleWithinMs = 250;
/** How long the body of a complete reply may stay open. */
const endWithinMs = 250;

/** Always settles with an answer; who reads the body ends the exchange. */
export function exchange(request: OutgoingRequest, agent: Agent): Promise<Answer> {
  return new Promise((resolve) => new Exchange(request, agent, resolve));
}

export class Exchange {
  readonly #request: ClientRequest;
  readonly #signal: AbortSignal | undefined;
  readonly #underWay: Set<Exchange>;
  readonly #connectTimeoutMs: number;
  readonly #settle: (answer: Answer) => void;
  #failure: unknown;
  #isOver = false;
  #isAnswered = false;
  #isResting = false;
  #bytesBefore = 0;
  #sentAt: [number, number] = [0, 0];
  /** Told once when the exchange fails after its headers. */
  onFail: (() => void) | undefined;

  constructor(outgoing: OutgoingRequest, agent: Agent, settle: (answer: Answer) => void) {
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
    this.#request.on('close', this.#onClose);
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
    if (this.onFail) this.onFail();
    else this.#settle({ exchange: this, response: undefined, isStale });
  }

  /** Nobody reads the body yet: neither the process nor the signal is held for it. */
  rest(): void {
    this.#isResting = true;
    this.#signal?.removeEventListener('abort', this.#onAbort);
    this.#request.socket?.unref();
  }

  /** Somebody reads the body. */
  attend(): void {
    if (this.#isOver || !this.#isResting) return;
    this.#isResting = false;
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#request.socket?.ref();
    if (this.#signal?.aborted) this.#onAbort();
  }

  /** The reply is complete, and its body should end now: then the connection is kept, else it is closed. */
  leave(body: Readable): Promise<void> {
    const since = process.hrtime();
    const close = () => this.fail(new AgentError('model-network', 'The body went on after the reply.'));
    const { socket } = this.#request;
    socket?.setTimeout(endWithinMs, close);
    body.on('data', () => {
      if (msSince(since) > endWithinMs) close();
    });
    return new Promise((resolve) => {
      this.onFail = resolve;
      body.once('end', () => {
        socket?.off('timeout', close);
        resolve();
      });
    });
  }

  /** A failure while the body was read, in our words. */
  failReading(error: unknown): void {
    if (!this.#isOver) this.fail(isAgentError(error) ? error : cutOff(error));
  }

  readonly #onSocket = (socket: Socket): void => {
    this.#bytesBefore = socket.bytesRead;
    this.#sentAt = process.hrtime();
    if (!socket.connecting) return;
    const tooSlow = () => this.fail(connectTimedOut(this.#request.host, this.#connectTimeoutMs));
    // Its pool gives the socket another timeout as soon as it is unused.
    socket.setTimeout(this.#connectTimeoutMs, tooSlow);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => socket.off('timeout', tooSlow));
  };

  readonly #onResponse = (response: IncomingMessage): void => {
    this.#isAnswered = true;
    // A response that breaks before anybody reads would be an uncaught error.
    response.on('error', (error) => this.failReading(error));
    this.#settle({ exchange: this, response, isStale: false });
  };

  readonly #onError = (error: Error): void => {
    const isUntouched = (this.#request.socket?.bytesRead ?? 0) === this.#bytesBefore;
    const isStale = this.#request.reusedSocket && isUntouched && msSince(this.#sentAt) < staleWithinMs;
    this.fail(connectionFailed(this.#request.host, error), isStale);
  };

  /** Some answers are none, such as a change of the protocol: Node says nothing but this. */
  readonly #onClose = (): void => {
    if (!this.#isAnswered) this.fail(new AgentError('model-network', `No answer from ${this.#request.host}.`));
  };

  readonly #onAbort = (): void => this.fail(this.#signal?.reason);
}

/** Not the clock of the day: how long something took. */
function msSince(start: [number, number]): number {
  const [seconds, nanoseconds] = process.hrtime(start);
  return seconds * 1000 + nanoseconds / 1e6;
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
