// A transport with somebody beside it, who sees what goes through, and who says so when an answer can no longer come.

import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';

export interface Watcher {
  sent(message: JSONRPCMessage): void;
  received(message: JSONRPCMessage): void;
  failed(error: Error): void;
}

/** The answer to a request whose stream ended without one. Nobody sends this: it is known by its code and its data. */
const lostCode = -32_000;
const lostData = 'ai-agent: the stream of this request ended';

/** How long a stream may go on after its answer. */
const streamEndMs = 1_000;

export function isLost(error: unknown): boolean {
  const { code, data } = (error ?? {}) as { readonly code?: unknown; readonly data?: unknown };
  return code === lostCode && data === lostData;
}

export class Watched implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  readonly hasPerRequestStream?: boolean;
  readonly #inner: Transport;
  readonly #watcher: Watcher;
  /** Each with what ends its stream. */
  readonly #waiting = new Map<RequestId, AbortController>();

  constructor(inner: Transport, watcher: Watcher) {
    this.#inner = inner;
    this.#watcher = watcher;
    if (inner.hasPerRequestStream !== undefined) this.hasPerRequestStream = inner.hasPerRequestStream;
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => {
      watcher.failed(error);
      this.onerror?.(error);
    };
    inner.onmessage = (message, extra) => {
      try {
        this.#take(message);
      } catch (error) {
        this.onerror?.(error as Error);
      }
      this.onmessage?.(message, extra);
    };
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  send(message: JSONRPCMessage, options: TransportSendOptions = {}): Promise<void> {
    this.#watcher.sent(message);
    if (!this.hasPerRequestStream || !isJSONRPCRequest(message) || options.onRequestStreamEnd)
      return this.#inner.send(message, options);
    const ending = new AbortController();
    this.#waiting.set(message.id, ending);
    const onRequestStreamEnd = () => this.#lose(message.id);
    const requestSignal = options.requestSignal
      ? AbortSignal.any([options.requestSignal, ending.signal])
      : ending.signal;
    return this.#inner.send(message, { ...options, requestSignal, onRequestStreamEnd });
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  #take(message: JSONRPCMessage): void {
    this.#watcher.received(message);
    if ((isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) && message.id !== undefined)
      this.#settle(message.id);
  }

  /** Most servers end the stream themselves, and its connection serves the next request. */
  #settle(id: RequestId): void {
    const ending = this.#waiting.get(id);
    if (!ending) return;
    this.#waiting.delete(id);
    setTimeout(() => ending.abort(), streamEndMs).unref();
  }

  /** The SDK would wait for its time limit. */
  #lose(id: RequestId): void {
    if (!this.#waiting.delete(id)) return;
    const error = { code: lostCode, message: 'The connection broke off.', data: lostData };
    this.onmessage?.({ jsonrpc: '2.0', id, error });
  }
}

/** One channel for everything. The SDK knows this kind by these two fields, and takes silence for an older server. */
export class WatchedChannel extends Watched {
  readonly pid = null;
  readonly stderr = null;
}
