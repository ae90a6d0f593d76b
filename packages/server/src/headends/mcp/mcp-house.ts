// The rooms of the protocol: sessions of the older revision, requests of the newer, and connections that are one channel for everything.

import { setImmediate } from 'node:timers/promises';
import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import { callerOf } from '../../caller.ts';
import type { Hall } from '../../hall.ts';
import type { Visitor } from '../../visitor.ts';
import { AgentServers } from './agent-servers.ts';
import { HttpSessions, type HttpSessionsOptions } from './http-sessions.ts';
import { readMessage } from './read-message.ts';
import { serverStopping } from './rpc-refusal.ts';

export interface McpOptions {
  /** What the body of a request may come to. @default 1 MiB */
  readonly maxBodyBytes?: number;
  /** What the server says its version is. */
  readonly version?: string;
  /** Sessions of the older revision over HTTP. */
  readonly sessions?: HttpSessionsOptions;
}

export class McpHouse {
  readonly #servers: AgentServers;
  readonly #sessions: HttpSessions;
  readonly #requests: McpHttpHandler;
  readonly #maxBodyBytes: number;
  readonly #unfollow: () => void;
  #isClosed = false;

  constructor(hall: Hall, { maxBodyBytes = 2 ** 20, version = '0.1.0', sessions }: McpOptions) {
    this.#maxBodyBytes = maxBodyBytes;
    this.#servers = new AgentServers(hall, version);
    this.#sessions = new HttpSessions(hall, this.#servers, sessions);
    this.#requests = createMcpHandler(
      ({ authInfo }) => {
        const visitor = authInfo?.extra?.visitor as Visitor;
        return this.#servers.forRequest({ visitor, callerOf: (sent) => sent && callerOf(sent.headers) });
      },
      { legacy: 'reject' },
    );
    this.#unfollow = hall.onAgents(() => {
      this.#requests.notify.toolsChanged();
      this.#requests.notify.promptsChanged();
    });
  }

  async overHttp(request: Request, visitor: Visitor): Promise<Response> {
    if (this.#isClosed) return serverStopping();
    if (request.method !== 'POST')
      return knowsNoSessions(request) ? this.#requests.fetch(request) : this.#sessions.handle(request, visitor);
    const read = await readMessage(request, this.#maxBodyBytes);
    if ('refusal' in read) return read.refusal;
    const { message: parsedBody } = read;
    if (await isLegacyRequest(request, parsedBody)) return this.#sessions.handle(request, visitor, parsedBody);
    // As the SDK hands on whoever was let in; what is known of them here is all that counts.
    const authInfo = { token: '', clientId: visitor.key ?? '', scopes: [], extra: { visitor } };
    return this.#requests.fetch(request, { authInfo, parsedBody });
  }

  overSse(_request: Request, _visitor: Visitor): Response {
    throw new Error('later');
  }

  takeMessage(_request: Request, _visitor: Visitor): Promise<Response> {
    throw new Error('later');
  }

  overWebSocket(_request: Request, _visitor: Visitor): Response {
    throw new Error('later');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // What came of the last runs is on its way to the streams.
    await setImmediate();
    this.#unfollow();
    this.#servers.close();
    await Promise.allSettled([this.#sessions.close(), this.#requests.close()]);
  }
}

/** What is no POST is about a session; the newer revision has none. */
function knowsNoSessions({ headers }: Request): boolean {
  const version = headers.get('mcp-protocol-version') ?? '';
  return !headers.has('mcp-session-id') && version >= '2026-07-28';
}
