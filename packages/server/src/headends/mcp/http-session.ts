// A session of the older revision over HTTP: a server of the protocol behind one id, what it is asked, and the streams on which it answers.

import { randomUUID } from 'node:crypto';
import type { Clock } from '@ai-agent/core';
import { isJSONRPCNotification, isJSONRPCRequest, type RequestId, type Server } from '@modelcontextprotocol/server';
import { callerOf } from '../../caller.ts';
import type { Visitor } from '../../visitor.ts';
import type { AgentServers } from './agent-servers.ts';
import { HttpCall } from './http-call.ts';
import type { KeptEventsOptions } from './kept-events.ts';
import { refuse } from './rpc-refusal.ts';
import { SessionTransport } from './session-transport.ts';
import { watchBody } from './watch-body.ts';

export interface HttpSessionOptions {
  readonly servers: AgentServers;
  readonly clock: Clock;
  readonly graceMs: number;
  readonly retryMs: number;
  readonly kept: KeptEventsOptions;
  /** Told whenever it is used, or not any more. */
  readonly onUse: (session: HttpSession, isInUse: boolean) => void;
  /** Told once. */
  readonly onEnd: (session: HttpSession) => void;
}

export class HttpSession {
  readonly id = randomUUID();
  /** Whoever began it, and their key. */
  readonly visitor: Visitor;
  readonly owner: string | null;
  readonly #options: HttpSessionOptions;
  readonly #transport: SessionTransport;
  readonly #server: Server;
  readonly #calls = new Map<RequestId, HttpCall>();
  /** Requests that are taken, and streams that are open. */
  #uses = 0;
  #isInUse = false;
  #isOver = false;

  constructor(visitor: Visitor, options: HttpSessionOptions) {
    const { servers, retryMs, kept } = options;
    this.visitor = visitor;
    this.owner = visitor.key;
    this.#options = options;
    this.#transport = new SessionTransport({ id: this.id, retryMs, kept, onAnswered: (id) => this.#forget(id) });
    this.#transport.onclose = () => this.#end();
    this.#server = servers.forConnection({
      visitor,
      callerOf: (sent) => sent && callerOf(sent.headers),
      lost: (id) => ({ signal: this.#signalOf(id), done() {} }),
    });
  }

  /** Takes the request that is to begin it. */
  async begin(request: Request, message: unknown): Promise<Response> {
    await this.#server.connect(this.#transport);
    const response = await this.handle(request, message);
    if (!this.hasBegun) await this.close();
    return response;
  }

  /** Whether a client has begun it: only then there is something that it can come back to. */
  get hasBegun(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  /** Whether something that was asked has no answer yet, its beginning included. */
  get isWorking(): boolean {
    return this.#calls.size > 0 || !this.hasBegun;
  }

  async handle(request: Request, message?: unknown): Promise<Response> {
    this.#use(1);
    try {
      if (isJSONRPCRequest(message)) return await this.#ask(request, message);
      if (request.method === 'GET') return await this.#listen(request);
      const response = await this.#transport.handleRequest(request, { parsedBody: message });
      const isCancelling = isJSONRPCNotification(message) && message.method === 'notifications/cancelled';
      if (isCancelling && response.ok) await this.#dismiss(message.params?.requestId as RequestId);
      return response;
    } finally {
      this.#use(-1);
    }
  }

  /** Whatever runs for it is cancelled, and its streams end. */
  close(): Promise<void> {
    return this.#transport.close();
  }

  async #ask(request: Request, message: { readonly id: RequestId }): Promise<Response> {
    const { id } = message;
    if (this.#calls.has(id))
      return refuse({ status: 400, code: -32_600, message: 'Invalid Request: this id is in use', id });
    const call = new HttpCall(this.#options);
    this.#calls.set(id, call);
    const response = await this.#transport.handleRequest(request, { parsedBody: message });
    if (isStream(response)) return this.#watch(response, call);
    this.#forget(id);
    return response;
  }

  /** For what is said to nobody in particular, or, after an event that was heard, for the rest of that stream. */
  async #listen(request: Request): Promise<Response> {
    const lastEventId = request.headers.get('last-event-id');
    const place = lastEventId === null ? undefined : this.#transport.kept.placeOf(lastEventId);
    // Clients ask again and again for a stream that only ends; this they take for an answer.
    if (place?.isAtEnd)
      return refuse({
        status: 405,
        message: 'There is nothing more on this stream.',
        headers: { allow: 'POST, DELETE' },
      });
    // Whoever comes back knows better than we that the stream before is broken.
    if (place?.call !== undefined) this.#transport.closeSSEStream(place.call);
    else if (place) this.#transport.closeStandaloneSSEStream();
    const response = await this.#transport.handleRequest(request);
    if (!isStream(response)) return response;
    return this.#watch(response, place?.call === undefined ? undefined : this.#calls.get(place.call));
  }

  #watch(response: Response, call: HttpCall | undefined): Response {
    this.#use(1);
    call?.attend();
    return watchBody(response, () => {
      call?.leave();
      this.#use(-1);
    });
  }

  #signalOf(id: RequestId): AbortSignal {
    return this.#calls.get(id)?.signal ?? AbortSignal.abort();
  }

  async #dismiss(id: RequestId): Promise<void> {
    if (this.#calls.has(id)) await this.#transport.dismiss(id);
  }

  #forget(id: RequestId): void {
    this.#calls.get(id)?.close();
    this.#calls.delete(id);
    this.#use(0);
  }

  #use(more: number): void {
    this.#uses += more;
    const isInUse = this.#uses > 0 || this.#calls.size > 0;
    if (isInUse === this.#isInUse || this.#isOver) return;
    this.#isInUse = isInUse;
    this.#options.onUse(this, isInUse);
  }

  #end(): void {
    this.#isOver = true;
    for (const call of this.#calls.values()) call.close();
    this.#calls.clear();
    this.#transport.kept.close();
    this.#options.onEnd(this);
  }
}

function isStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') ?? false;
}
