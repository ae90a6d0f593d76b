// Over a network: a session that ran out, a server that goes away in a call, one that refuses us, one that sends too much.

import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { expect, test } from 'vitest';
import { readServerConfig } from '../src/mcp/server-config.ts';
import { callOptions, eventually, never, openConnections, textOf } from './support/mcp.ts';
import { createServer } from './support/servers/good-server.ts';
import { asNodeHandler, listen, listenSocket, listenSse, serveSocket } from './support/web-server.ts';

interface Asked {
  readonly id?: unknown;
  readonly method?: string;
  readonly params: { readonly name: string };
}

const hello = '{"word":"hello"}';

/** Streamable HTTP with sessions; `calls` are those that a server saw, `tamper` may answer instead. */
async function listenHttp(tamper: (message: Asked, signal: AbortSignal) => Response | undefined = () => undefined) {
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const calls: string[] = [];
  const ended: string[] = [];
  const begin = async () => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (session) => void sessions.set(session, transport),
    });
    await createServer().connect(transport);
    return transport;
  };
  const post = async (request: Request, transport: WebStandardStreamableHTTPServerTransport | undefined) => {
    const body = (await request.json()) as Asked;
    if (body.method === 'tools/call') calls.push(body.params.name);
    return tamper(body, request.signal) ?? (transport ?? (await begin())).handleRequest(request, { parsedBody: body });
  };
  const { port, stop } = await listen(
    asNodeHandler(async (request) => {
      const id = request.headers.get('mcp-session-id');
      const known = sessions.get(id ?? '');
      if (id && !known) return new Response('Session not found', { status: 404 });
      if (request.method === 'POST') return post(request, known);
      if (request.method === 'DELETE' && id) ended.push(id);
      return known ? known.handleRequest(request) : new Response('', { status: 405 });
    }),
  );
  const server = readServerConfig('far', { url: `http://127.0.0.1:${port}/mcp` });
  return { server, sessions, calls, ended, stop, port };
}

test('a session that the server forgot is begun anew, and the call made', async () => {
  const { server, sessions, calls } = await listenHttp();
  const { link } = await openConnections().lease(server, { signal: never() });
  sessions.clear();
  expect(textOf(await link.call('echo', { word: 'hello' }, callOptions()))).toBe(hello);
  expect(calls).toEqual(['echo']);
});

test.each([
  [
    'an answer that ends in the middle',
    new Response(new ReadableStream({ start: (stream) => stream.close() }), {
      headers: { 'content-type': 'text/event-stream' },
    }),
  ],
  [
    'an answer that breaks off',
    new Response(new ReadableStream({ start: (stream) => stream.error(new Error('broken')) }), {
      headers: { 'content-type': 'application/json' },
    }),
  ],
])('%s is the failure of the call, as network, and the call is made once', async (_, answer) => {
  let isBroken = true;
  const { server, calls } = await listenHttp(({ method }) =>
    method === 'tools/call' && isBroken ? answer : undefined,
  );
  const { link } = await openConnections().lease(server, { signal: never() });
  const call = link.call('echo', {}, callOptions());
  await expect(call).rejects.toMatchObject({ code: 'tool-failed', class: 'network', retryable: true });
  await expect(call).rejects.toThrow('It is not known whether the work was done.');
  expect(calls).toEqual(['echo']);
  isBroken = false;
  expect(textOf(await link.call('echo', { word: 'hello' }, callOptions()))).toBe(hello);
});

test('one that may be repeated is', async () => {
  let broken = 1;
  const cut = () =>
    new Response(new ReadableStream({ start: (stream) => stream.close() }), {
      headers: { 'content-type': 'text/event-stream' },
    });
  const { server, calls } = await listenHttp(({ method }) =>
    method === 'tools/call' && broken-- > 0 ? cut() : undefined,
  );
  const { link } = await openConnections().lease(server, { signal: never() });
  const result = await link.call('echo', { word: 'hello' }, callOptions({ isRepeatable: true }));
  expect(textOf(result)).toBe(hello);
  expect(calls).toEqual(['echo', 'echo']);
});

test('a session that is left after that is ended at the server, too', async () => {
  const { server, sessions, ended } = await listenHttp(({ method, params }) =>
    method === 'tools/call' && params.name === 'pid'
      ? new Response('', { headers: { 'content-type': 'text/event-stream' } })
      : undefined,
  );
  const { link } = await openConnections().lease(server, { signal: never() });
  const [first = ''] = sessions.keys();
  await expect(link.call('pid', {}, callOptions())).rejects.toMatchObject({ class: 'network' });
  await eventually(() => ended.includes(first));
});

test('a stream that goes on after its answer is ended', async () => {
  const closed = Promise.withResolvers<void>();
  const { server } = await listenHttp(({ id, method }, signal) => {
    if (method !== 'tools/call') return undefined;
    signal.addEventListener('abort', () => closed.resolve());
    const answer = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'all' }] } };
    const body = new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(answer)}\n\n`)),
    });
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  });
  const { link } = await openConnections().lease(server, { signal: never() });
  expect(textOf(await link.call('echo', {}, callOptions()))).toBe('all');
  await closed.promise;
});

test('a server that is gone fails the call as network', async () => {
  const { server, stop } = await listenHttp();
  const { link } = await openConnections().lease(server, { signal: never() });
  await stop();
  const call = link.call('echo', {}, callOptions());
  await expect(call).rejects.toMatchObject({ class: 'network', retryable: true });
  // On a connection of before it may have been on its way when that was closed.
  await expect(call).rejects.toThrow(/The server far (?:refuses connections|broke off)/);
});

test.each(['breaks off', 'is forgotten'])('what %s for one call leaves the others alone', async (how) => {
  const isTime = Promise.withResolvers<void>();
  const slowly = (id: unknown) => async (stream: ReadableStreamDefaultController) => {
    await isTime.promise;
    const answer = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'slow' }] } };
    stream.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(answer)}\n\n`));
    stream.close();
  };
  const headers = { 'content-type': 'text/event-stream' };
  const { server, calls, sessions } = await listenHttp(({ id, method, params }) => {
    if (method !== 'tools/call') return undefined;
    if (params.name === 'pid') return new Response(new ReadableStream({ start: slowly(id) }), { headers });
    return how === 'breaks off'
      ? new Response(new ReadableStream({ start: (cut) => cut.close() }), { headers })
      : undefined;
  });
  const { link } = await openConnections().lease(server, { signal: never() });
  const slow = link.call('pid', {}, callOptions());
  await eventually(() => calls.includes('pid'));
  if (how === 'is forgotten') sessions.clear();
  const other = await link.call('echo', { word: 'hello' }, callOptions()).then(textOf, (error) => error.class);
  expect(other).toBe(how === 'breaks off' ? 'network' : hello);
  isTime.resolve();
  expect(textOf(await slow)).toBe('slow');
});

test.each([
  [401, 'auth'],
  [403, 'auth'],
  [404, 'config'],
  [500, 'network'],
])('a server that answers %i fails at the start as %s, with its words', async (status, failureClass) => {
  const { port } = await listen((_, response) => response.writeHead(status).end('not today, sir'));
  const config = { url: `http://127.0.0.1:${port}/mcp`, oauth: false, startTimeoutMs: 3_000 };
  const leasing = openConnections().lease(readServerConfig('far', config), { signal: never() });
  await expect(leasing).rejects.toMatchObject({ code: 'tool-source-failed', class: failureClass, status });
  await expect(leasing).rejects.toThrow(/The server far .*not today, sir/);
});

test.each([
  [403, 'auth', false],
  [429, 'rate_limit', true],
  [503, 'network', true],
])('a call that is answered with %i fails as %s', async (status, failureClass, retryable) => {
  const { server } = await listenHttp(({ method }) =>
    method === 'tools/call' ? new Response('no', { status }) : undefined,
  );
  const { link } = await openConnections().lease(server, { signal: never() });
  await expect(link.call('echo', {}, callOptions())).rejects.toMatchObject({ class: failureClass, retryable, status });
});

test('an answer that is too long is not read to its end', async () => {
  let sent = 0;
  const endless = () =>
    new Response(
      new ReadableStream({
        pull(stream) {
          sent += 1024 * 1024;
          stream.enqueue(new Uint8Array(1024 * 1024).fill(120));
        },
      }),
      { headers: { 'content-type': 'text/event-stream' } },
    );
  const { server } = await listenHttp(({ method }) => (method === 'tools/call' ? endless() : undefined));
  const { link } = await openConnections().lease(server, { signal: never() });
  await expect(link.call('echo', {}, callOptions())).rejects.toMatchObject({ class: 'network' });
  expect(sent).toBeLessThan(40 * 1024 * 1024);
});

test('SSE: a stream that breaks off is known of, and the next call connects again', async () => {
  const { url, breakOff } = await listenSse(() => createServer());
  const { link } = await openConnections().lease(readServerConfig('far', { url, type: 'sse' }), { signal: never() });
  breakOff();
  const text = () => link.call('echo', { word: 'hello' }, callOptions({ isRepeatable: true })).then(textOf);
  expect(await text()).toBe(hello);
});

test('WebSocket: an end in a call fails it as network, and the next call connects again', async () => {
  let opened = 0;
  const { url } = await listenSocket((side) => {
    opened++;
    const serve = serveSocket(() => createServer())(side);
    return (text) => (text.includes('"pid"') ? side.end() : serve(text));
  });
  const { link } = await openConnections().lease(readServerConfig('far', { url }), { signal: never() });
  await expect(link.call('pid', {}, callOptions())).rejects.toMatchObject({ class: 'network', retryable: true });
  expect(textOf(await link.call('echo', { word: 'hello' }, callOptions()))).toBe(hello);
  expect(opened).toBe(2);
});

test('WebSocket: a message that is too long ends it', async () => {
  const { url } = await listenSocket((side) => {
    const serve = serveSocket(() => createServer())(side);
    return (text) => (text.includes('"pid"') ? side.send('x'.repeat(11 * 1024 * 1024)) : serve(text));
  });
  const { link } = await openConnections().lease(readServerConfig('far', { url }), { signal: never() });
  await expect(link.call('pid', {}, callOptions())).rejects.toMatchObject({ class: 'network' });
});

test('WebSocket: one that refuses us does so as auth', async () => {
  const { server, port } = await listen(() => {});
  server.on('upgrade', (_, socket) => socket.end('HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n'));
  const leasing = openConnections().lease(readServerConfig('far', { url: `ws://127.0.0.1:${port}` }), {
    signal: never(),
  });
  await expect(leasing).rejects.toMatchObject({ code: 'tool-source-failed', class: 'auth' });
});

test('a cancel over HTTP reaches the server', async () => {
  const seen: (string | undefined)[] = [];
  const silent = () => new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } });
  const { server } = await listenHttp(({ method }) => {
    seen.push(method);
    return method === 'tools/call' ? silent() : undefined;
  });
  const { link } = await openConnections().lease(server, { signal: never() });
  const controller = new AbortController();
  const call = link.call('echo', {}, callOptions({ signal: controller.signal }));
  await eventually(() => seen.includes('tools/call'));
  controller.abort('enough');
  await expect(call).rejects.toBe('enough');
  await eventually(() => seen.includes('notifications/cancelled'));
});
