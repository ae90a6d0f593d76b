// Sessions of the older revision over HTTP: each has an id that nobody guesses, belongs to its key, and ends when nobody uses it.

import { randomUUID } from 'node:crypto';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { callerOf } from '../../caller.ts';
import type { Visitor } from '../../visitor.ts';
import type { AgentServers } from './agent-servers.ts';

interface HttpSession {
  readonly owner: string | null;
  readonly transport: WebStandardStreamableHTTPServerTransport;
}

export class HttpSessions {
  readonly #servers: AgentServers;
  readonly #maxBodyBytes: number;
  readonly #open = new Map<string, HttpSession>();

  constructor(servers: AgentServers, maxBodyBytes: number) {
    this.#servers = servers;
    this.#maxBodyBytes = maxBodyBytes;
  }

  async handle(request: Request, visitor: Visitor): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id === null) return this.#begin(request, visitor);
    const session = this.#open.get(id);
    if (!session || session.owner !== visitor.key) return unknownSession();
    return session.transport.handleRequest(request);
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.#open.values()].map(({ transport }) => transport.close()));
    this.#open.clear();
  }

  async #begin(request: Request, visitor: Visitor): Promise<Response> {
    const server = this.#servers.forConnection({ visitor, callerOf: (sent) => sent && callerOf(sent.headers) });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.#maxBodyBytes,
      onsessioninitialized: (id) => void this.#open.set(id, { owner: visitor.key, transport }),
      onsessionclosed: (id) => void this.#open.delete(id),
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await server.close();
    return response;
  }
}

function unknownSession(): Response {
  const error = { code: -32_001, message: 'Session not found' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}
