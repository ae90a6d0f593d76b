// Calls to a process that was started here, and over a WebSocket that stays on this machine, say in their `_meta` how deep they are and in
// whose service, each its own; no others do, and nothing else that is sent does.

import { createMcpHandler } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { metaOfCaller } from '../src/calling.ts';
import { readServerConfig, type ServerConfig } from '../src/mcp/server-config.ts';
import { callOptions, good, never, openConnections } from './support/mcp.ts';
import { createServer } from './support/servers/good-server.ts';
import { asNodeHandler, listen, listenSocket, listenSse, serveSocket } from './support/web-server.ts';

test('to a process', async () => {
  expect(await saidOf(good())).toEqual(all);
});

test('over a WebSocket of this machine', async () => {
  const { url } = await listenSocket(serveSocket(() => createServer()));
  expect(await saidOf(readServerConfig('good', { url }))).toEqual(all);
});

test('over HTTP and SSE nothing: their requests have headers', async () => {
  const handler = createMcpHandler(() => createServer(), { legacy: 'reject' });
  const { port } = await listen(asNodeHandler((request) => handler.fetch(request)));
  expect(await saidOf(readServerConfig('good', { url: `http://127.0.0.1:${port}/mcp` }))).toEqual([]);
  const { url } = await listenSse(() => createServer());
  expect(await saidOf(readServerConfig('good', { url, type: 'sse' }))).toEqual([]);
});

test.each([
  ['ws://localhost:90/', true],
  ['ws://[::1]:90/', true],
  ['wss://tools.localhost/', true],
  ['wss://127.0.0.1.example/', false],
  ['wss://far.example/', false],
  ['ws://10.0.0.1/', false],
  ['', false],
])('over a WebSocket to %j: %s', (url, isHere) => {
  const meta = metaOfCaller({ callPath: 'root', originId: 'tree' }, { type: 'websocket', url });
  expect(Object.keys(meta)).toHaveLength(isHere ? 3 : 0);
});

const token = expect.stringMatching(/^[\da-f]{32}$/);
const all = [
  { 'ai-agent/depth': 1, 'ai-agent/ancestry': 'first', 'ai-agent/tree': token },
  { 'ai-agent/depth': 2, 'ai-agent/ancestry': 'second:b%C3%BCro', 'ai-agent/tree': token },
];

/** What two calls side by side say; fails when anything else that is sent says something. */
async function saidOf(server: ServerConfig): Promise<readonly unknown[]> {
  const said: { readonly method: string; readonly meta: object }[] = [];
  const connections = openConnections({
    onTraffic({ direction, text }) {
      if (direction !== 'sent') return;
      const { method, params } = JSON.parse(text);
      const ours = Object.entries(params?._meta ?? {}).filter(([key]) => key.startsWith('ai-agent/'));
      if (ours.length > 0) said.push({ method, meta: Object.fromEntries(ours) });
    },
  });
  const { link, release } = await connections.lease(server, { signal: never() });
  await link.tools(never());
  const calls = ['first', 'second:büro'].map((callPath) =>
    link.call('echo', {}, callOptions({ calling: { callPath, originId: callPath } })),
  );
  await Promise.all(calls);
  await release();
  expect(said.every(({ method }) => method === 'tools/call')).toBe(true);
  const metas = said.map(({ meta }) => meta);
  expect(new Set(metas.map((meta) => Object.values(meta).at(-1))).size).toBe(metas.length);
  return metas;
}
