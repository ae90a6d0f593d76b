// The rooms of the protocol: sessions of the older revision, requests of the newer, and connections that are one channel for everything.

import { createMcpHandler, isLegacyRequest, type McpHttpHandler } from '@modelcontextprotocol/server';
import { callerOf } from '../../caller.ts';
import type { Hall } from '../../hall.ts';
import type { Visitor } from '../../visitor.ts';
import { AgentServers } from './agent-servers.ts';
import { HttpSessions } from './http-sessions.ts';

export interface McpOptions {
  /** What the body of a request may come to. @default 1 MiB */
  readonly maxBodyBytes?: number;
  /** What the server says its version is. */
  readonly version?: string;
  /** Whether the instructions of agents are offered as prompts. @default true */
  readonly prompts?: boolean;
}

export class McpHouse {
  readonly #servers: AgentServers;
  readonly #sessions: HttpSessions;
  readonly #requests: McpHttpHandler;
  readonly #maxBodyBytes: number;
  readonly #unfollow: () => void;

  constructor(hall: Hall, { maxBodyBytes = 2 ** 20, version = '0.1.0', prompts = true }: McpOptions) {
    this.#maxBodyBytes = maxBodyBytes;
    this.#servers = new AgentServers(hall, { version, prompts });
    this.#sessions = new HttpSessions(this.#servers, maxBodyBytes);
    this.#requests = createMcpHandler(
      ({ authInfo }) => {
        const visitor = authInfo?.extra?.visitor as Visitor;
        return this.#servers.forRequest({ visitor, callerOf: (sent) => sent && callerOf(sent.headers) });
      },
      { legacy: 'reject', maxRequestBodySize: maxBodyBytes },
    );
    this.#unfollow = hall.onAgents(() => {
      this.#requests.notify.toolsChanged();
      if (prompts) this.#requests.notify.promptsChanged();
    });
  }

  async overHttp(request: Request, visitor: Visitor): Promise<Response> {
    if (await isLegacyRequest(request, undefined, { maxRequestBodySize: this.#maxBodyBytes }))
      return this.#sessions.handle(request, visitor);
    // As the SDK hands on whoever was let in; what is known of them here is all that counts.
    const authInfo = { token: '', clientId: visitor.key ?? '', scopes: [], extra: { visitor } };
    return this.#requests.fetch(request, { authInfo });
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
    this.#unfollow();
    this.#servers.close();
    await Promise.allSettled([this.#sessions.close(), this.#requests.close()]);
  }
}
