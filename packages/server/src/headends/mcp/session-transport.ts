// The transport of one session: the SDK's, which also knows for which request each thing is said, and tells when one is answered.

import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type HandleRequestOptions,
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { KeptEvents, type KeptEventsOptions } from './kept-events.ts';

export interface SessionTransportOptions {
  readonly id: string;
  /** After how long clients come back whose stream broke off. */
  readonly retryMs: number;
  readonly kept: KeptEventsOptions;
  readonly onAnswered: (id: RequestId) => void;
}

/** The store of events is told of streams only; whose they are is known around the calls that lead to it. */
const callNow = new AsyncLocalStorage<RequestId | undefined>();

export class SessionTransport extends WebStandardStreamableHTTPServerTransport {
  readonly kept: KeptEvents;
  readonly #onAnswered: SessionTransportOptions['onAnswered'];

  constructor({ id, retryMs, kept: bounds, onAnswered }: SessionTransportOptions) {
    const kept = new KeptEvents(() => callNow.getStore(), bounds);
    super({ sessionIdGenerator: () => id, eventStore: kept, retryInterval: retryMs });
    this.kept = kept;
    this.#onAnswered = onAnswered;
  }

  override handleRequest(request: Request, options: HandleRequestOptions = {}): Promise<Response> {
    const { parsedBody: message } = options;
    return callNow.run(isJSONRPCRequest(message) ? message.id : undefined, () => super.handleRequest(request, options));
  }

  override async send(message: JSONRPCMessage, options: { readonly relatedRequestId?: RequestId } = {}): Promise<void> {
    const answered = 'method' in message ? undefined : message.id;
    await callNow.run(answered ?? options.relatedRequestId, () => super.send(message, options));
    if (answered !== undefined) this.#onAnswered(answered);
  }

  /** Ends the stream of a request that is not answered any more, and what the SDK knows of it. */
  async dismiss(id: RequestId): Promise<void> {
    this.kept.dismiss(id);
    this.closeSSEStream(id);
    // Nobody hears it: it is how a request is taken off the books.
    await this.send({ jsonrpc: '2.0', id, error: { code: -32_000, message: 'Cancelled' } }).catch(() => {});
  }
}
