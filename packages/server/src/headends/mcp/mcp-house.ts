// The rooms of the protocol: sessions of the older revision, requests of the newer, and connections that are one channel for everything.

import { setImmediate } from 'node:timers/promises';
import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import { callerOf } from '../../caller.ts';
import type { Hall } from '../../hall.ts';
import type { Visitor } from '../../visitor.ts';
import { AgentServers } from './agent-servers.ts';
import { OpenConnections } from './connections.ts';
import { EventStreams } from './event-streams.ts';
import { HttpSessions, type HttpSessionsOptions } from './http-sessions.ts';
import { refuseHeaders } from './param-headers.ts';
import { readPost } from './read-post.ts';
import { serverStopping } from './rpc-refusal.ts';
import type { WebSockets } from './web-sockets.ts';

export interface McpOptions {
  /** What the body of a request may come to. @default 1 MiB */
  readonly maxBodyBytes?: number;
  /** What the server says its version is. */
  readonly version?: string;
  /** WebSockets at once, and as many streams of events of the older kind; more are turned away with 503. From 1. @default 1000 */
  readonly maxConnections?: number;
  /**
   * How often the other end of a connection must show that it is there: a WebSocket that answers no ping ends after twice this
   * time, a stream of events after three times, if it has ever answered. @default 30 seconds
   */
  readonly pingMs?: number;
  /** How much may wait for the reader of a connection when something new comes; more, and it is cut off. @default 4 MB */
  readonly maxWaitingBytes?: number;
  /** Sessions of the older revision over HTTP. */
  readonly sessions?: HttpSessionsOptions;
  /** How long a person at a client of the older revision may take to answer a question. @default a day */
  readonly answerWithinMs?: number;
  /** Whether the instructions of agents are offered as prompts. @default true */
  readonly prompts?: boolean;
}

export const mcpDefaults = {
  maxBodyBytes: 2 ** 20,
  maxConnections: 1_000,
  pingMs: 30_000,
  maxWaitingBytes: 4 * 2 ** 20,
} as const;

export class McpHouse {
  readonly #hall: Hall;
  readonly #servers: AgentServers;
  readonly #sessions: HttpSessions;
  readonly #requests: McpHttpHandler;
  readonly #maxBodyBytes: number;
  readonly #unfollow: () => void;
  readonly #streams: EventStreams;
  readonly #openWebSockets: () => Promise<WebSockets>;
  readonly #connections: readonly OpenConnections[];
  #webSockets: Promise<WebSockets> | undefined;
  #isClosed = false;

  constructor(hall: Hall, options: McpOptions) {
    const { version = '0.1.0', prompts = true } = options;
    const { maxBodyBytes, maxConnections, pingMs, maxWaitingBytes } = { ...mcpDefaults, ...options };
    this.#hall = hall;
    this.#maxBodyBytes = maxBodyBytes;
    this.#servers = new AgentServers(hall, { ...options, version });
    this.#sessions = new HttpSessions(hall, this.#servers, options.sessions);
    const streams = new OpenConnections(hall, this.#servers, maxConnections);
    const sockets = new OpenConnections(hall, this.#servers, maxConnections);
    this.#connections = [streams, sockets];
    this.#streams = new EventStreams(streams, { maxBodyBytes, pingMs, maxWaitingBytes });
    this.#openWebSockets = async () => {
      const { WebSockets } = await import('./web-sockets.ts');
      return new WebSockets(sockets, { maxBodyBytes, pingMs, maxWaitingBytes });
    };
    this.#requests = createMcpHandler(
      ({ authInfo }) => {
        const visitor = authInfo?.extra?.visitor as Visitor;
        return this.#servers.forRequest({ visitor, callerOf: (sent) => sent && callerOf(sent.headers) });
      },
      { legacy: 'reject' },
    );
    this.#unfollow = hall.onAgents(() => {
      this.#requests.notify.toolsChanged();
      if (prompts) this.#requests.notify.promptsChanged();
    });
  }

  async overHttp(request: Request, visitor: Visitor): Promise<Response> {
    if (this.#isClosed) return serverStopping();
    if (request.method !== 'POST')
      return knowsNoSessions(request) ? this.#requests.fetch(request) : this.#sessions.handle(request, visitor);
    const read = await readPost(request, this.#maxBodyBytes);
    if ('refusal' in read) return read.refusal;
    const { message: parsedBody } = read;
    if (await isLegacyRequest(request, parsedBody)) return this.#sessions.handle(request, visitor, parsedBody);
    const refusal = refuseHeaders(this.#hall, visitor, { headers: request.headers, message: parsedBody });
    if (refusal) return refusal;
    // As the SDK hands on whoever was let in; what is known of them here is all that counts.
    const authInfo = { token: '', clientId: visitor.key ?? '', scopes: [], extra: { visitor } };
    return this.#requests.fetch(request, { authInfo, parsedBody });
  }

  overSse(request: Request, visitor: Visitor): Response {
    return this.#streams.open(request, visitor);
  }

  takeMessage(request: Request, visitor: Visitor): Promise<Response> {
    return this.#streams.take(request, visitor);
  }

  async overWebSocket(request: Request, visitor: Visitor): Promise<Response> {
    this.#webSockets ??= this.#openWebSockets();
    return (await this.#webSockets).open(request, visitor);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // What came of the last runs is on its way to the streams.
    await setImmediate();
    this.#unfollow();
    this.#servers.close();
    const connections = this.#connections.map((each) => each.close());
    await Promise.allSettled([this.#sessions.close(), this.#requests.close(), ...connections]);
  }
}

/** What is no POST is about a session; the newer revision has none. */
function knowsNoSessions({ headers }: Request): boolean {
  const version = headers.get('mcp-protocol-version') ?? '';
  return !headers.has('mcp-session-id') && version >= '2026-07-28';
}
