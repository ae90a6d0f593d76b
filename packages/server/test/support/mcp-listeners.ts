// Clients of both makers that hear what is told of a run: in memory, or through a socket.

import type { JsonObject } from '@ai-agent/core';
import { Client as NewerClient, StreamableHTTPClientTransport as NewerTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema, LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { onTestFinished } from 'vitest';
import { createApp, type Hall, listen, mcp } from '../../src/index.ts';

export interface Note {
  readonly progress: number;
  readonly message?: string | undefined;
  readonly total?: number | undefined;
}

export interface LogNote {
  readonly level: string;
  readonly logger?: string | undefined;
  readonly data: unknown;
}

export interface Calling {
  /** @default words that say nothing */
  readonly args?: Record<string, unknown>;
  readonly onprogress?: (note: Note) => void;
  readonly _meta?: JsonObject;
  readonly signal?: AbortSignal;
}

export interface Listener {
  /** All entries of the log so far. */
  readonly logged: readonly LogNote[];
  call(name: string, calling?: Calling): Promise<Readonly<Record<string, unknown>>>;
  setLevel(level: string): Promise<unknown>;
}

export type Connect = (hall: Hall, over: Over) => Promise<Listener>;
export type Over = 'memory' | 'sockets';

const info = { name: 'listener', version: '1' };

/** Everything that is told of a run by both makers' clients, over both wires. */
export const listeners: readonly (readonly [name: string, connect: Connect, over: Over])[] = [
  ['2025-11-25 with SDK 1.x in memory', older, 'memory'],
  ['2025-11-25 with SDK 1.x over sockets', older, 'sockets'],
  ['2026-07-28 with SDK 2.x in memory', newer, 'memory'],
  ['2026-07-28 with SDK 2.x over sockets', newer, 'sockets'],
];

/** With a person who answers, where there is one. */
export async function older(hall: Hall, over: Over, person?: () => Promise<string>): Promise<Listener> {
  const client = new OlderClient(info, { capabilities: person ? { elicitation: {} } : {} });
  if (person)
    client.setRequestHandler(ElicitRequestSchema, async () => ({
      action: 'accept',
      content: { answer: await person() },
    }));
  const logged: LogNote[] = [];
  client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => void logged.push(params));
  const { url, fetch } = await openWire(hall, over);
  // Its own types disagree with each other under strict options.
  await client.connect(new OlderTransport(url, { fetch }) as Parameters<typeof client.connect>[0]);
  onTestFinished(() => client.close());
  return {
    logged,
    call: (name, { _meta, args = { text: 'Go.' }, ...options } = {}) =>
      client.callTool({ name, arguments: args, ...(_meta ? { _meta } : {}) }, undefined, options),
    setLevel: (level) => client.setLoggingLevel(level as 'info'),
  };
}

export async function newer(hall: Hall, over: Over): Promise<Listener> {
  const client = new NewerClient(info, { versionNegotiation: { mode: 'auto' } });
  const logged: LogNote[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void logged.push(params));
  const { url, fetch } = await openWire(hall, over);
  await client.connect(new NewerTransport(url, { fetch }));
  onTestFinished(() => client.close());
  return {
    logged,
    call: (name, { _meta, args = { text: 'Go.' }, ...options } = {}) =>
      client.callTool({ name, arguments: args, ...(_meta ? { _meta } : {}) }, options),
    setLevel: () => Promise.reject(new Error('There is no such thing in this revision.')),
  };
}

async function openWire(hall: Hall, over: Over): Promise<{ url: URL; fetch: typeof globalThis.fetch }> {
  const headend = mcp();
  const app = createApp(hall, [headend]);
  onTestFinished(() => headend.close?.());
  if (over === 'memory') {
    const fetch = async (input: string | URL | Request, init?: RequestInit) => app.request(input, init);
    return { url: new URL('http://localhost/mcp'), fetch };
  }
  const listening = await listen(app, { port: 0 });
  onTestFinished(() => listening.close());
  return { url: new URL(`${listening.url}/mcp`), fetch: globalThis.fetch };
}
