// Clients of the official SDKs, of both majors, revisions and every transport that is listened on: each makes calls of the team.

import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport as OldSse } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import type { Transport as OldTransport } from '@modelcontextprotocol/sdk/shared/transport.js';

export interface Called {
  readonly text: string;
  readonly usage: unknown;
  readonly status: unknown;
  /** Messages of progress. */
  readonly told: readonly string[];
}

export interface LoadClient {
  /** Calls the team with this word. */
  call(word: string, signal?: AbortSignal): Promise<Called>;
  /** As a client that is done: a session is told that it is over. */
  close(): Promise<void>;
  /** Without a word. */
  leave(): Promise<void>;
}

export const kinds: Readonly<Record<string, (url: string) => Promise<LoadClient>>> = {
  'http 2026, SDK 2': (url) => connectNew('auto', new StreamableHTTPClientTransport(new URL(`${url}/mcp`))),
  'http 2025, SDK 2': (url) => connectNew('legacy', new StreamableHTTPClientTransport(new URL(`${url}/mcp`))),
  'http 2025, SDK 1': (url) => connectOld(new OldHttp(new URL(`${url}/mcp`))),
  'sse, SDK 2': (url) => connectNew('legacy', new SSEClientTransport(new URL(`${url}/mcp/sse`))),
  'sse, SDK 1': (url) => connectOld(new OldSse(new URL(`${url}/mcp/sse`))),
  'ws 2026, SDK 2': (url) => connectNew('auto', toSocket(url)),
  'ws 2025, SDK 1': (url) => connectOld(toSocket(url)),
};

/** The second major has no client over WebSockets; it takes the one of the first. */
function toSocket(url: string): WebSocketClientTransport & Transport {
  return new WebSocketClientTransport(new URL(`${url.replace('http', 'ws')}/mcp/ws`)) as WebSocketClientTransport &
    Transport;
}

/** A session that is told that it is over, where there is one. */
type Ending = { terminateSession?(): Promise<void> };

async function connectNew(mode: 'auto' | 'legacy', transport: Transport & Ending): Promise<LoadClient> {
  const client = new Client({ name: 'load', version: '2' }, { versionNegotiation: { mode } });
  await client.connect(transport);
  if (client.getProtocolEra() !== (mode === 'auto' ? 'modern' : 'legacy'))
    throw new TypeError('It is the other revision.');
  return {
    async call(word, signal) {
      const told: string[] = [];
      const result = await client.callTool(toCall(word), { ...limits, ...hear(told), ...(signal ? { signal } : {}) });
      return toCalled(result, told);
    },
    async close() {
      await transport.terminateSession?.();
      await client.close();
    },
    leave: () => client.close(),
  };
}

async function connectOld(transport: OldTransport & Ending): Promise<LoadClient> {
  const client = new OldClient({ name: 'load', version: '1' });
  await client.connect(transport);
  return {
    async call(word, signal) {
      const told: string[] = [];
      const options = { ...limits, ...hear(told), ...(signal ? { signal } : {}) };
      const result = await client.callTool(toCall(word), undefined, options);
      return toCalled(result, told);
    },
    async close() {
      await transport.terminateSession?.();
      await client.close();
    },
    leave: () => client.close(),
  };
}

const limits = { timeout: 60_000 };

function toCall(word: string) {
  return { name: 'team', arguments: { text: word } };
}

function hear(told: string[]) {
  return { onprogress: ({ message }: { readonly message?: string | undefined }) => void told.push(message ?? '') };
}

interface Outcome {
  readonly status?: unknown;
  readonly usage?: unknown;
}

function toCalled(result: Readonly<Record<string, unknown>>, told: readonly string[]): Called {
  const { content, _meta } = result as {
    readonly content?: readonly { readonly text?: string }[];
    readonly _meta?: Readonly<Record<string, Outcome>>;
  };
  const { status, usage } = _meta?.['ai-agent/outcome'] ?? {};
  return { text: content?.[0]?.text ?? '', status, usage, told };
}
