// One request on one connection: from sending it to its last byte, its abort or its failure.

import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { AgentError, type AgentErrorOptions, isAgentError } from '@ai-agent/core';
import { msSince } from './elapsed.ts';
import type { OutgoingRequest } from './http-outgoing.ts';
import { httpOf } from './node-http.ts';
import { NoConnectionError } from './transport.ts';

/** What all exchanges with servers of one protocol share. */
export interface Lines {
  readonly agent: Agent;
  readonly connectTimeoutMs: number;
  /** Every exchange that is not over. */
  readonly underWay: Set<Exchange>;
}

/** How long the body of a complete reply may stay open. */
const endWithinMs = 250;

/** Holds no request while it waits for the answer: a request is a whole conversation, and thousands may wait. */
export class Exchange {
  readonly #request: ClientRequest;
  readonly #signal: AbortSignal | undefined;
  readonly #lines: Lines;
  #failure: unknown;
  #isOver = false;
  /** True if the request may have been sent. */
  #isConnected = false;
  #isAnswered = false;
  #isResting = false;
  /** Told once: with the answer when its headers have arrived, without when there is none. */
  onAnswer: ((exchange: Exchange, answer: IncomingMessage | undefined) => void) | undefined;
  /** Told once when the exchange fails after its headers. */
  onFail: (() => void) | undefined;

  /** Who reads the body of the answer ends the exchange. */
  constructor(outgoing: OutgoingRequest, lines: Lines) {
    const { target, method, headers, body, signal } = outgoing;
    const { protocol, hostname, port, path } = target;
    this.#signal = signal;
    this.#lines = lines;
    this.#request = httpOf(protocol).request({ agent: lines.agent, method, headers, hostname, port, path });
    this.#request.once('socket', this.#onSocket);
    this.#request.on('response', this.#onResponse);
    this.#request.on('error', this.#onError);
    this.#request.on('close', this.#onClose);
    lines.underWay.add(this);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    // Sent by themselves the headers become one text; joined to the body they stay the many pieces they were made of.
    this.#request.flushHeaders();
    this.#request.end(body);
  }

  /** Why there is no answer, or no whole one. */
  get failure(): unknown {
    return this.#failure;
  }

  /** The whole answer was read. */
  complete(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#lines.underWay.delete(this);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }

  /** Ends it at once: the server sees the connection close. The first failure stays. */
  fail(failure: unknown): void {
    if (this.#isOver) return;
    this.complete();
    this.#failure = failure;
    this.#request.destroy();
    if (this.onFail) this.onFail();
    else this.onAnswer?.(this, undefined);
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
    if (this.#isOver) return Promise.resolve();
    const since = process.hrtime();
    const wentOn = () => this.fail(new AgentError('model-network', 'The body went on after the reply.'));
    // A process that was busy hears of the time before it hears of the end: what has come already is read first.
    const close = () => void setImmediate(wentOn);
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
    this.#isConnected = !socket.connecting;
    if (this.#isConnected) return;
    const { connectTimeoutMs } = this.#lines;
    const tooSlow = () =>
      this.#failUnanswered(`No connection to ${this.#request.host} within ${connectTimeoutMs / 1000} s.`);
    // Its pool gives the socket another timeout as soon as it is unused.
    socket.setTimeout(connectTimeoutMs, tooSlow);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      this.#isConnected = true;
      socket.off('timeout', tooSlow);
    });
  };

  readonly #onResponse = (response: IncomingMessage): void => {
    this.#isAnswered = true;
    // A response that breaks before anybody reads would be an uncaught error.
    response.on('error', (error) => this.failReading(error));
    this.onAnswer?.(this, response);
  };

  /** A kept connection that its server has given up fails like any other: who called decides whether to ask again. */
  readonly #onError = (cause: Error): void => {
    // A name that resolves to several addresses fails with one error per address, and a blank message.
    const errors = cause instanceof AggregateError ? cause.errors : [cause];
    const reasons = errors.map((one: Error & { code?: string }) => one.message || one.code || one.name);
    this.#failUnanswered(`No answer from ${this.#request.host}: ${reasons.join('; ')}.`, { cause });
  };

  /** Some answers are none, such as a change of the protocol: Node says nothing but this. */
  readonly #onClose = (): void => {
    if (!this.#isAnswered) this.#failUnanswered(`No answer from ${this.#request.host}.`);
  };

  readonly #onAbort = (): void => this.fail(this.#signal?.reason);

  #failUnanswered(message: string, options?: AgentErrorOptions): void {
    const ErrorClass = this.#isConnected ? AgentError : NoConnectionError;
    this.fail(new ErrorClass('model-network', message, options));
  }
}

function cutOff(cause: unknown): AgentError {
  return new AgentError('model-network', 'The connection broke off before the reply was complete.', { cause });
}
