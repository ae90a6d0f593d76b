// Streams of events of the protocol, and the posts that belong to them: by an id that nobody guesses, and only of the same key.

import { randomUUID } from 'node:crypto';
import { AgentError } from '@ai-agent/core';
import { isJsonContentType } from '@modelcontextprotocol/server';
import { callerOf } from '../../caller.ts';
import { toReply } from '../../direct-reply.ts';
import { toErrorResponse, toSafeFailure } from '../../failure-status.ts';
import { readBody } from '../../read-body.ts';
import { sseHeaders } from '../../sse.ts';
import { isSame, type Visitor } from '../../visitor.ts';
import type { OpenConnections } from './connections.ts';
import { readMessage } from './read-message.ts';
import { SseTransport, type SseTransportOptions } from './sse-transport.ts';

export interface EventStreamsOptions extends Omit<SseTransportOptions, 'endpoint'> {
  /** What one message may come to. */
  readonly maxBodyBytes: number;
}

interface OpenStream {
  readonly visitor: Visitor;
  readonly transport: SseTransport;
}

export class EventStreams {
  readonly #connections: OpenConnections;
  readonly #options: EventStreamsOptions;
  readonly #open = new Map<string, OpenStream>();

  constructor(connections: OpenConnections, options: EventStreamsOptions) {
    this.#connections = connections;
    this.#options = options;
  }

  /** Throws what a full server says. */
  open(request: Request, visitor: Visitor): Response {
    // Nobody would read it.
    if (request.method === 'HEAD') return new Response(null, { headers: sseHeaders });
    this.#connections.checkRoom();
    const id = randomUUID();
    const endpoint = `${pathOf(request)}/message?sessionId=${id}`;
    const transport = new SseTransport({ ...this.#options, endpoint });
    this.#open.set(id, { visitor, transport });
    void transport.closed.then(() => this.#open.delete(id));
    this.#connections.serve({ visitor, callerOf: (_request, call) => transport.callerOf(call) }, transport);
    return toReply(request, transport.stream, { headers: sseHeaders });
  }

  /** Throws `session-unknown`, `request-invalid` and `request-too-large`. */
  async take(request: Request, visitor: Visitor): Promise<Response> {
    const id = new URL(request.url).searchParams.get('sessionId') ?? '';
    this.#find(id, visitor);
    if (!isJsonContentType(request.headers.get('content-type')))
      return toErrorResponse(toSafeFailure(notJson()), { status: 415 });
    const caller = callerOf(request.headers);
    const read = readMessage(await readBody(request, this.#options.maxBodyBytes));
    if ('fault' in read) throw new AgentError('request-invalid', `The body cannot be read: ${read.fault.problem}.`);
    // It may have ended meanwhile.
    this.#find(id, visitor).transport.post(read.message, caller);
    return new Response('Accepted', { status: 202 });
  }

  #find(id: string, visitor: Visitor): OpenStream {
    const found = this.#open.get(id);
    if (found && isSame(found.visitor, visitor)) return found;
    throw new AgentError('session-unknown', 'There is no such stream of yours.');
  }
}

function notJson(): AgentError {
  return new AgentError('request-invalid', 'A message is sent as application/json.');
}

/** As the client knows it: who passes requests on may have taken the first part of it away, and says so. */
function pathOf({ url, headers }: Request): string {
  const prefix = headers.get('x-forwarded-prefix') ?? '';
  const { pathname } = new URL(url);
  return /^(?:\/[\w.~-]+)+$/.test(prefix) ? `${prefix}${pathname}` : pathname;
}
