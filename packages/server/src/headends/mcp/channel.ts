// A connection that is one channel for everything, as the SDK wants one; who knows how bytes travel does the rest.

import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';

export abstract class Channel implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** Settles when nothing travels any more. */
  readonly closed: Promise<void>;
  readonly #tellClosed: () => void;
  readonly #lost = new AbortController();
  /** Requests of theirs that have no answer yet. */
  readonly #open = new Set<RequestId>();
  #tellAnswered: (() => void) | undefined;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#tellClosed = resolve;
  }

  /** Aborts when nobody waits any more for anything that was asked here. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    // Whoever has gone hears nothing.
    if (this.lost.aborted) return;
    await this.write(JSON.stringify(message));
    if ((isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) && message.id !== undefined)
      this.settle(message.id);
  }

  /** Ends politely: what was sent arrives. */
  async close(): Promise<void> {
    if (this.lost.aborted) return;
    this.end();
    this.gone();
  }

  /** Settles when every request has its answer, or when the time is over. */
  async answered(withinMs: number): Promise<void> {
    if (this.#open.size === 0) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, withinMs);
    this.#tellAnswered = resolve;
    await promise;
    clearTimeout(timer);
  }

  /** One line of JSON. Settles when there is room for the next. */
  protected abstract write(json: string): void | Promise<void>;

  protected abstract end(): void;

  protected receive(message: JSONRPCMessage): void {
    if (this.lost.aborted) return;
    if (isJSONRPCRequest(message) && !staysOpen.has(message.method)) this.#open.add(message.id);
    // Whoever has cancelled waits for nothing.
    if (isJSONRPCNotification(message) && message.method === 'notifications/cancelled')
      this.settle(message.params?.requestId as RequestId);
    this.onmessage?.(message);
  }

  /** The request of this id waits for nothing any more. */
  protected settle(id: RequestId): void {
    this.#open.delete(id);
    if (this.#open.size === 0) this.#tellAnswered?.();
  }

  /** Nothing travels any more, whoever ended it: what runs for it ends. */
  protected gone(): void {
    if (this.lost.aborted) return;
    this.#lost.abort();
    this.#open.clear();
    this.#tellAnswered?.();
    this.onclose?.();
    this.#tellClosed();
  }
}

/** Requests whose answer is that they are over: nobody waits for it. */
const staysOpen: ReadonlySet<string> = new Set(['subscriptions/listen']);
