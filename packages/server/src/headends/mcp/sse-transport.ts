// The protocol over a stream of events, with posts beside it: what is sent goes down the stream, what is posted comes in.

import { isJSONRPCRequest, type JSONRPCMessage, type RequestId } from '@modelcontextprotocol/server';
import type { Caller } from '../../caller.ts';
import { SseStream } from '../../sse.ts';
import { Channel } from './channel.ts';

export interface SseTransportOptions {
  /** Where messages are to be posted, relative to where the stream is. */
  readonly endpoint: string;
  /** How often something is written where nothing is said, so that nobody on the way takes it for dead. */
  readonly pingMs: number;
  /** Whoever has more than this waiting when something new comes is cut off. */
  readonly maxWaitingBytes: number;
}

export class SseTransport extends Channel {
  readonly stream: SseStream;
  readonly #timer: NodeJS.Timeout;
  /** Who calls, of calls that are not answered. */
  readonly #callers = new Map<RequestId, Caller>();

  constructor({ endpoint, pingMs, maxWaitingBytes }: SseTransportOptions) {
    super();
    this.stream = new SseStream({ maxBytes: maxWaitingBytes, onGone: () => this.gone() });
    this.stream.sendJson('endpoint', endpoint);
    this.#timer = setInterval(() => this.stream.comment('still here'), pingMs).unref();
  }

  /** As the request says that brought it. */
  post(message: JSONRPCMessage, caller: Caller | undefined): void {
    if (caller && isJSONRPCRequest(message) && message.method === 'tools/call') this.#callers.set(message.id, caller);
    this.receive(message);
  }

  callerOf(id: RequestId): Caller | undefined {
    return this.#callers.get(id);
  }

  protected write(json: string): void {
    this.stream.sendJson('message', json);
  }

  protected end(): void {
    this.stream.tellLast();
    this.stream.end();
  }

  protected override settle(id: RequestId): void {
    this.#callers.delete(id);
    super.settle(id);
  }

  protected override gone(): void {
    clearInterval(this.#timer);
    this.#callers.clear();
    super.gone();
  }
}
