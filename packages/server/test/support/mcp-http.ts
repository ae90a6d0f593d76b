// A server with MCP over HTTP for tests of its sessions: on a clock that stands still, with a client that says exactly what it is told.

import type { Agent, Outcome } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { onTestFinished } from 'vitest';
import { createApp, Hall, hashOf, Keys, listen, type McpRoutesOptions, mcp } from '../../src/index.ts';
import { heldAgent, secretOf } from './governed.ts';

export const mcpRevision = '2025-11-25';

export interface McpHttpOptions extends McpRoutesOptions {
  /** @default `slow`, which answers when it is released */
  readonly agents?: readonly Agent[];
  /** Names of keys. @default none */
  readonly keys?: readonly string[];
  readonly places?: { readonly running?: number; readonly waiting?: number };
}

export function mcpHttp({ agents, keys, places = {}, ...routes }: McpHttpOptions = {}) {
  const clock = new FakeClock();
  const slow = heldAgent('slow');
  const served = (agents ?? [slow.agent]).map((agent) => ({ name: agent.name, agent }));
  const bugs: unknown[] = [];
  const ended: (Outcome['status'] | 'never began')[] = [];
  const hall = new Hall({
    agents: () => served,
    ports: fakePorts({ clock }),
    places: { mcp: places },
    onBug: (error) => bugs.push(error),
    onEnd: (_head, outcome) => ended.push(outcome?.status ?? 'never began'),
  });
  const headend = mcp(routes);
  const held = keys?.map((name) => [name, { hash: hashOf(secretOf(name)) }] as const);
  const app = createApp(hall, [headend], held ? { keys: new Keys(Object.fromEntries(held), clock) } : {});
  const send = async (method: string, { body, key, ...more }: Sent = {}) =>
    app.request('/mcp', {
      method,
      headers: {
        accept: 'application/json, text/event-stream',
        ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
        ...(key === undefined ? {} : { authorization: `Bearer ${secretOf(key)}` }),
        ...(more.session === undefined ? {} : { 'mcp-session-id': more.session, 'mcp-protocol-version': mcpRevision }),
        ...more.headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
  return {
    app,
    hall,
    clock,
    slow,
    bugs,
    /** What came of each run. */
    ended,
    headend,
    send,
    post: (body: object | string, sent: Omit<Sent, 'body'> = {}) => send('POST', { body, ...sent }),
    /** A session that has begun. */
    async begin(key?: string): Promise<string> {
      const response = await send('POST', { body: initialize, ...(key === undefined ? {} : { key }) });
      await response.text();
      const session = response.headers.get('mcp-session-id');
      if (session === null) throw new TypeError(`${response.status}: there is no session`);
      return session;
    },
  };
}

export type McpHttp = ReturnType<typeof mcpHttp>;

interface Sent {
  readonly body?: object | string;
  readonly session?: string;
  readonly key?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: mcpRevision, capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};

export function callOf(id: number | string, name = 'slow', meta: object = {}) {
  return {
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name, arguments: { text: 'Go.' }, ...('progressToken' in meta ? { _meta: meta } : {}) },
  };
}

export const ping = { jsonrpc: '2.0', id: 'ping', method: 'ping' };

export function cancelOf(requestId: number | string) {
  return { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } };
}

/** The error of a refusal, with its status. */
export async function rpcErrorOf(response: Response): Promise<readonly [number, number, string]> {
  const { jsonrpc, error } = (await response.json()) as { jsonrpc: string; error: { code: number; message: string } };
  if (jsonrpc !== '2.0') throw new TypeError('no message of the protocol');
  return [response.status, error.code, error.message];
}

export interface Heard {
  readonly id?: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: whatever the server says.
  readonly message?: any;
}

/** What a stream says, to its end. */
export async function heardOn(response: Response): Promise<readonly Heard[]> {
  return toHeard(await response.text());
}

/** A stream that is read as far as one wants. */
export function listenTo(response: Response) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  let text = '';
  const done = (async () => {
    for (;;) {
      const piece = await reader.read();
      if (piece.done) return;
      text += Buffer.from(piece.value).toString();
    }
  })();
  return { done, heard: () => toHeard(text), drop: () => reader.cancel() };
}

function toHeard(text: string): readonly Heard[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '' && !block.startsWith(':'))
    .map((block) => {
      const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
      const data = field('data');
      return { id: field('id'), ...(data ? { message: JSON.parse(data) } : {}) };
    });
}

export async function onPort(house: McpHttp) {
  const listening = await listen(house.app, { port: 0, onBug: (error) => house.bugs.push(error) });
  onTestFinished(() => listening.close(0));
  return { ...listening, endpoint: new URL(`${listening.url}/mcp`) };
}

/** As it goes over the wire. */
export function rawPost(message: object, headers: Readonly<Record<string, string>>): string {
  const body = JSON.stringify(message);
  const all = {
    host: '127.0.0.1',
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
    'content-length': String(body.length),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return ['POST /mcp HTTP/1.1', ...lines, '', body].join('\r\n');
}
