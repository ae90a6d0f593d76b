// What a session has said, kept for a client whose stream broke off: the newest of it, within bounds.

import type { EventStore, JSONRPCMessage, RequestId } from '@modelcontextprotocol/server';

export interface KeptEventsOptions {
  /** Events of a session. From 1. @default 200 */
  readonly maxEvents?: number;
  /** What they come to in characters; the newest is kept whatever it comes to. @default 1 Mi */
  readonly maxLength?: number;
}

interface KeptStream {
  readonly id: string;
  readonly number: number;
  /** The request whose answer it carries; none is the stream for everything else. */
  readonly call: RequestId | undefined;
  /** Of the event that was said last. */
  last: number;
  /** How many of its events are kept: when it is over it is forgotten with the last of them. */
  kept: number;
  isOver: boolean;
}

interface KeptEvent {
  readonly stream: KeptStream;
  readonly number: number;
  /** Empty for what only tells the client where it is. */
  readonly text: string;
}

export const keptDefaults = { maxEvents: 200, maxLength: 2 ** 20 } as const;

export class KeptEvents implements EventStore {
  readonly #maxEvents: number;
  readonly #maxLength: number;
  readonly #callNow: () => RequestId | undefined;
  readonly #byId = new Map<string, KeptStream>();
  readonly #byNumber = new Map<number, KeptStream>();
  readonly #events: KeptEvent[] = [];
  #length = 0;
  #streams = 0;

  /** Is asked for which request something is said, whenever something is. */
  constructor(callNow: () => RequestId | undefined, options: KeptEventsOptions = {}) {
    this.#callNow = callNow;
    const { maxEvents, maxLength } = { ...keptDefaults, ...options };
    this.#maxEvents = maxEvents;
    this.#maxLength = maxLength;
  }

  get size(): number {
    return this.#events.length;
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const stream = this.#byId.get(streamId) ?? this.#open(streamId);
    stream.last += 1;
    if (!stream.isOver) this.#keep(stream, 'jsonrpc' in message ? JSON.stringify(message) : '');
    if ('result' in message || 'error' in message) stream.isOver = true;
    return `${stream.number}-${stream.last}`;
  }

  async getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return this.#find(eventId)?.stream.id;
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { readonly send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const found = this.#find(lastEventId);
    if (!found) return '';
    const { stream, number: last } = found;
    const missed = this.#events.filter((event) => event.stream === stream && event.number > last && event.text !== '');
    for (const { number, text } of missed) await send(`${stream.number}-${number}`, JSON.parse(text));
    return stream.id;
  }

  /** Where a client is that has heard this event: nothing when nobody knows it any more. */
  placeOf(eventId: string): { readonly call: RequestId | undefined; readonly isAtEnd: boolean } | undefined {
    const found = this.#find(eventId);
    if (!found) return undefined;
    const { stream, number } = found;
    return { call: stream.call, isAtEnd: stream.isOver && number >= stream.last };
  }

  /** Nothing more is said for this request, and nobody asks for what was. */
  dismiss(call: RequestId): void {
    for (const stream of this.#byNumber.values()) {
      if (stream.call !== call || stream.isOver) continue;
      stream.isOver = true;
      // Whatever its client has heard, it is at the end.
      stream.last = 0;
      this.#forget(stream);
    }
  }

  #open(id: string): KeptStream {
    this.#streams += 1;
    const stream = { id, number: this.#streams, call: this.#callNow(), last: 0, kept: 0, isOver: false };
    this.#byId.set(id, stream);
    this.#byNumber.set(stream.number, stream);
    return stream;
  }

  #keep(stream: KeptStream, text: string): void {
    this.#events.push({ stream, number: stream.last, text });
    stream.kept += 1;
    this.#length += text.length;
    while (this.#events.length > this.#maxEvents || (this.#length > this.#maxLength && this.#events.length > 1))
      this.#drop();
  }

  #drop(): void {
    const oldest = this.#events.shift();
    if (!oldest) return;
    const { stream, text } = oldest;
    this.#length -= text.length;
    stream.kept -= 1;
    this.#forget(stream);
  }

  /** One that goes on is known as long as it does: its client may have heard nothing for long. */
  #forget(stream: KeptStream): void {
    if (!stream.isOver || stream.kept > 0) return;
    this.#byId.delete(stream.id);
    this.#byNumber.delete(stream.number);
  }

  /** Also for events that are not kept any more, as long as their stream is known. */
  #find(eventId: string): { readonly stream: KeptStream; readonly number: number } | undefined {
    const [, streamNumber, number] = /^(\d{1,15})-(\d{1,15})$/.exec(eventId) ?? [];
    const stream = this.#byNumber.get(Number(streamNumber));
    return stream && { stream, number: Number(number) };
  }
}
