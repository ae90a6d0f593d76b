// Streamable HTTP, SSE and WebSocket, with the newest revision and an older one. The type is found out where it is not said.

import { createMcpHandler, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { readServerConfig } from '../src/mcp/server-config.ts';
import { callOptions, never, openConnections, textOf } from './support/mcp.ts';
import { createServer } from './support/servers/good-server.ts';
import { asNodeHandler, listen, listenSocket, listenSse, serveSocket } from './support/web-server.ts';

/** Connects, lists, calls; and which of the first messages were sent. */
async function use(config: Readonly<Record<string, unknown>>) {
  const sent: string[] = [];
  const connections = openConnections({
    onTraffic: ({ direction, text }) => direction === 'sent' && sent.push(text),
  });
  const { link, release } = await connections.lease(readServerConfig('good', config), { signal: never() });
  expect(link.instructions).toBe('Be good.');
  expect((await link.tools(never())).map(({ name }) => name)).toEqual(['echo', 'progress', 'more', 'pid']);
  const told: string[] = [];
  await link.call('progress', {}, callOptions({ onProgress: (text) => told.push(text) }));
  expect(told).toEqual(['1/2']);
  const text = textOf(await link.call('echo', { word: 'hello' }, callOptions()));
  await release();
  return { text, revision: sent.some((line) => line.includes('"initialize"')) ? 'older' : 'newest' };
}

test('Streamable HTTP, newest', async () => {
  const handler = createMcpHandler(() => createServer(), { legacy: 'reject' });
  const headers: unknown[] = [];
  const { port } = await listen(
    asNodeHandler((request) => {
      headers.push(request.headers.get('x-mine'));
      return handler.fetch(request);
    }),
  );
  const config = { url: `http://127.0.0.1:${port}/mcp`, headers: { 'x-mine': 'me' } };
  expect(await use(config)).toEqual({ text: '{"word":"hello"}', revision: 'newest' });
  expect(new Set(headers)).toEqual(new Set(['me']));
});

test('Streamable HTTP, older, with a session that is ended in peace', async () => {
  const methods: (string | undefined)[] = [];
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const { port } = await listen(
    asNodeHandler(async (request) => {
      methods.push(request.method);
      const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
      if (known) return known.handleRequest(request);
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
      await createServer().connect(transport);
      return transport.handleRequest(request);
    }),
  );
  expect(await use({ url: `http://127.0.0.1:${port}/mcp` })).toEqual({ text: '{"word":"hello"}', revision: 'older' });
  expect(methods).toContain('DELETE');
});

test('SSE, when it is said, newest', async () => {
  const { url } = await listenSse(() => createServer());
  expect(await use({ url, type: 'sse' })).toEqual({ text: '{"word":"hello"}', revision: 'newest' });
});

test('SSE, when nothing else is answered', async () => {
  const { url } = await listenSse(() => createServer());
  expect((await use({ url })).text).toBe('{"word":"hello"}');
});

test('WebSocket, newest', async () => {
  const { url } = await listenSocket(serveSocket(() => createServer()));
  expect(await use({ url })).toEqual({ text: '{"word":"hello"}', revision: 'newest' });
});

test.each(['silence', 'an end'])('WebSocket, older, that answers the probe with %s', async (how) => {
  const seen: unknown[] = [];
  const { url } = await listenSocket((side) => {
    seen.push([side.headers['sec-websocket-protocol'], side.headers['x-mine']]);
    const serve = serveSocket(() => createServer())(side);
    return (text) => {
      if (!text.includes('server/discover')) serve(text);
      else if (how === 'an end') side.end();
    };
  });
  const config = { url, headers: { 'x-mine': 'me' }, startTimeoutMs: 2_000 };
  expect(await use(config)).toEqual({ text: '{"word":"hello"}', revision: 'older' });
  expect(seen).toEqual(Array(how === 'an end' ? 2 : 1).fill(['mcp', 'me']));
});
