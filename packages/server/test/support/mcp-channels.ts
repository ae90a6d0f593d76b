// A house that speaks the Model Context Protocol on a port, and clients of both SDKs on channels of their own.

import { Client as NewClient, SSEClientTransport as NewSse, type Transport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { onTestFinished } from 'vitest';
import { createApp, type Hall, type Listening, type ListenOptions, listen, mcp, rest } from '../../src/index.ts';

export type McpRoutes = NonNullable<Parameters<typeof mcp>[0]>;

export interface McpHouseOptions extends McpRoutes {
  readonly door?: Parameters<typeof createApp>[2];
  readonly listen?: ListenOptions;
}

export interface McpPort {
  readonly port: number;
  readonly url: string;
  readonly listening: Listening;
  /** As a server stops: what runs ends first. */
  stop(graceMs?: number): Promise<void>;
}

export async function openMcp(hall: Hall, options: McpHouseOptions = {}): Promise<McpPort> {
  const { door = {}, listen: listening, ...routes } = options;
  const headend = mcp(routes);
  const app = createApp(hall, routes.isAlone === undefined ? [rest(), headend] : [headend], door);
  const open = await listen(app, { port: 0, onBug: hall.onBug, ...listening });
  const stop = async (graceMs = 1_000) => {
    open.drain();
    await hall.stop(graceMs);
    await headend.close?.();
    await open.close(1_000);
  };
  onTestFinished(() => stop(0));
  return { port: open.port, url: open.url, listening: open, stop };
}

const info = { name: 'a test', version: '1' };

/** What all of them can. */
export interface AnyClient {
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>;
  listTools(): Promise<{ readonly tools: readonly { readonly name: string }[] }>;
  close(): Promise<void>;
}

export type ConnectChannel = (url: string) => Promise<AnyClient>;

/** Each kind of client on each kind of channel. */
export const channels: readonly (readonly [name: string, connect: ConnectChannel])[] = [
  ['WebSocket, SDK 1.x', async (url) => older(new WebSocketClientTransport(new URL(`${toWs(url)}/mcp/ws`)))],
  ['events, SDK 1.x', async (url) => older(new SSEClientTransport(new URL(`${url}/mcp/sse`)))],
  ['WebSocket, SDK 2.x, newer revision', async (url) => newer(overWebSocket(url), 'auto')],
  ['WebSocket, SDK 2.x, older revision', async (url) => newer(overWebSocket(url), 'legacy')],
  ['events, SDK 2.x, newer revision', async (url) => newer(new NewSse(new URL(`${url}/mcp/sse`)), 'auto')],
  ['events, SDK 2.x, older revision', async (url) => newer(new NewSse(new URL(`${url}/mcp/sse`)), 'legacy')],
];

export function toWs(url: string): string {
  return url.replace(/^http/, 'ws');
}

async function older(transport: Parameters<Client['connect']>[0]): Promise<AnyClient> {
  const client = new Client(info);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client as AnyClient;
}

async function newer(transport: Transport, mode: 'auto' | 'legacy'): Promise<AnyClient> {
  const client = new NewClient(info, { versionNegotiation: { mode } });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

/** The newer SDK has none of its own; that of the older one fits. */
function overWebSocket(url: string): Transport {
  return new WebSocketClientTransport(new URL(`${toWs(url)}/mcp/ws`)) as unknown as Transport;
}

/** The head of a handshake, written by hand; what is named anew stands in the place of what is usual. */
export function handshake(path = '/mcp/ws', headers: Readonly<Record<string, string | undefined>> = {}): string {
  const all: Record<string, string | undefined> = {
    host: '127.0.0.1',
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => (value === undefined ? '' : `${name}: ${value}\r\n`));
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
}

/** A frame as clients send them, in latin1; opcode 1 is text. */
export function frame(payload: string | Buffer, opcode = 1): string {
  const bytes = Buffer.from(payload);
  const length =
    bytes.length < 126 ? [0x80 | bytes.length] : [0x80 | 126, (bytes.length >> 8) & 0xff, bytes.length & 0xff];
  // A mask of zeros leaves them as they are.
  return Buffer.concat([Buffer.from([0x80 | opcode, ...length, 0, 0, 0, 0]), bytes]).toString('latin1');
}

export const initialize = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info },
});
