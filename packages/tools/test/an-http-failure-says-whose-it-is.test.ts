// An answer that is not a good one, and no answer at all, are failures with a class and with the server's words, bounded.

import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import type { Traffic } from '../src/surroundings.ts';
import { call, failureIn, openTool, serve, testSurroundings } from './support/http-tools.ts';

async function failureOf(
  status: number,
  more: { body?: string; headers?: Record<string, string>; method?: string } = {},
) {
  const { url } = await serve((_, response) => response.writeHead(status, more.headers).end(more.body ?? 'sorry'));
  return failureIn(await call(await openTool({ url, method: more.method ?? 'GET' }, { name: 'shop' })));
}

test('each status has its class', async () => {
  const classes = {
    400: 'tool',
    401: 'auth',
    403: 'auth',
    404: 'tool',
    408: 'timeout',
    409: 'tool',
    418: 'tool',
    422: 'tool',
    429: 'rate_limit',
    500: 'tool',
    501: 'tool',
    502: 'network',
    503: 'network',
    504: 'timeout',
  };
  for (const [status, kind] of Object.entries(classes)) {
    const failure = await failureOf(Number(status));
    expect(failure).toMatchObject({ class: kind, status: Number(status), message: `HTTP ${status}: sorry` });
  }
});

test('the words of the server are bounded, and on one line', async () => {
  const { message } = await failureOf(404, { body: `first\nsecond\u001b[31m${'x'.repeat(100_000)}` });
  expect(message).toMatch(/^HTTP 404: first second \[31mx+…$/);
  expect(message.length).toBeLessThan(2100);
});

test('who is told to wait says so', async () => {
  const failure = await failureOf(429, { headers: { 'retry-after': '7' } });
  expect(failure).toMatchObject({ retryable: true, retryAfterMs: 7000 });
  expect(failure.message).toContain('wait 7 s');
  const later = await failureOf(503, { headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() } });
  expect(later.retryAfterMs).toBeGreaterThan(50_000);
});

test('what may have been done already is not to be tried again', async () => {
  expect((await failureOf(503, { method: 'POST' })).retryable).toBe(false);
  expect((await failureOf(503, { method: 'PUT' })).retryable).toBe(true);
});

test('auth leads to the set-up', async () => {
  expect((await failureOf(401)).remedy).toContain('restTools.shop');
});

test('nobody there is the network', async () => {
  const { url } = await serve();
  const closed = await openTool({ url: 'http://127.0.0.1:1/' });
  expect(failureIn(await call(closed))).toMatchObject({ class: 'network', code: 'tool-failed' });
  expect(url).toContain('127.0.0.1');
});

test('a connection that breaks in the middle is the network', async () => {
  const server = createServer((socket) => {
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf', () => socket.destroy());
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as { port: number };
    const output = await call(await openTool({ url: `http://127.0.0.1:${port}/` }));
    expect(failureIn(output).class).toBe('network');
  } finally {
    server.close();
  }
});

test('words that never end are not waited for', async () => {
  const { url } = await serve((_, response) => void response.writeHead(429).write('too many, '));
  const waiting = Promise.withResolvers<() => void>();
  const after = (durationMs: number, wake: () => void) => {
    expect(durationMs).toBe(2000);
    waiting.resolve(wake);
    return () => {};
  };
  const surroundings = { ...testSurroundings(), clock: { now: () => 0, monotonicMs: () => 0, after } };
  const calling = call(await openTool({ url }, { surroundings }));
  const wake = await waiting.promise;
  setImmediate(wake);
  expect(failureIn(await calling)).toMatchObject({ class: 'rate_limit', message: 'HTTP 429: too many,' });
});

test('a call that is called off in the middle of them has no result', async () => {
  const { url } = await serve((_, response) => void response.writeHead(500).write('well, '));
  const off = new AbortController();
  const onTraffic = ({ direction }: Traffic) => direction === 'received' && setImmediate(() => off.abort());
  const tool = await openTool({ url }, { surroundings: { ...testSurroundings(), onTraffic } });
  await expect(call(tool, {}, { signal: off.signal })).rejects.toMatchObject({ name: 'AbortError' });
});
