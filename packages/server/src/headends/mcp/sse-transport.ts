// The protocol over a stream of events, with posts beside it: what is sent goes down the stream, what is posted comes in.

import {
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';
import type { Caller } from '../../caller.ts';
import { SseStream } from '../../sse.ts';
import { Channel } from './channel.ts';

export interface SseTransportOptions {
  /** Where messages are to be posted, relative to where the stream is. */
  readonly endpoint: string;
  /** How often something is written, so that nobody on the way takes it for dead; who has once answered must go on answering. */
  readonly pingMs: number;
  /** Whoever has more than this waiting when something new comes is cut off. */
  readonly maxWaitingBytes: number;
}

export class SseTransport extends Channel {
  readonly stream: SseStream;
  readonly #timer: NodeJS.Timeout;
  readonly #pings = new Pings();
  /** Who calls, of calls that are not answered. */
  readonly #callers = new Map<RequestId, Caller>();

  constructor({ endpoint, pingMs, maxWaitingBytes }: SseTransportOptions) {
    super();
    this.stream = new SseStream({ maxBytes: maxWaitingBytes, onGone: () => this.gone() });
    this.stream.sendJson('endpoint', endpoint);
    this.#timer = setInterval(() => this.#ping(), pingMs).unref();
  }

  /** Called where the older revision is spoken: only there may a server ask. */
  setProtocolVersion(): void {
    this.#pings.mayAsk = true;
  }

  /** As the request says that brought it. */
  post(message: JSONRPCMessage, caller: Caller | undefined): void {
    if (this.#pings.isAnswer(message)) return;
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

  /** A stream that leads nowhere takes what is written to it for a long time. */
  #ping(): void {
    if (this.#pings.isLost) {
      void this.close();
      return;
    }
    const ping = this.#pings.next();
    if (ping) this.write(JSON.stringify(ping));
    else this.stream.comment('still here');
  }
}

/** Questions whether somebody is there. Who has never answered one is asked once: it may not know how. */
class Pings {
  mayAsk = false;
  #asked = 0;
  #answered = 0;
  /** Those in a row that nobody answered. */
  #missed = 0;

  get isLost(): boolean {
    return this.#answered > 0 && this.#missed >= mostMissed;
  }

  next(): JSONRPCMessage | undefined {
    if (!this.mayAsk) return undefined;
    if (this.#asked > 0) this.#missed++;
    if (this.#asked > 0 && this.#answered === 0) return undefined;
    return { jsonrpc: '2.0', id: `${idStart}${++this.#asked}`, method: 'ping' };
  }

  isAnswer(message: JSONRPCMessage): boolean {
    // Whatever it says, it is there.
    this.#missed = 0;
    if (!isJSONRPCResultResponse(message) || !String(message.id).startsWith(idStart)) return false;
    this.#answered++;
    return true;
  }
}

/** Requests of the SDK have numbers. */
const idStart = 'still there ';
const mostMissed = 2;
