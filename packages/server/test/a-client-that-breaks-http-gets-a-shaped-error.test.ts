// The promise: bytes that never become a request are answered in the one shape of errors, in time, and the connection is closed.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Listening, listen } from '../src/index.ts';
import { rawClient, readError } from './support/raw-client.ts';

let listening: Listening;

beforeAll(async () => {
  const app = { fetch: async (request: Request) => new Response(`${await request.text()}.`) };
  listening = await listen(app, {
    port: 0,
    headersTimeoutMs: 150,
    requestTimeoutMs: 300,
    keepAliveTimeoutMs: 100,
    checkMs: 25,
    maxHeaderBytes: 2_048,
  });
});

afterAll(() => listening.close(0));

test('who speaks the older HTTP need not name the host', async () => {
  const talk = async (version: string) => {
    const client = await rawClient(listening.port);
    client.send(`GET / HTTP/${version}\r\nconnection: close\r\n\r\n`);
    return (await client.closed).slice(0, 12);
  };
  expect([await talk('1.0'), await talk('1.1')]).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});

test.each([
  ['no HTTP', 'hello\r\n\r\n', 400, 'request-invalid'],
  ['a method that nobody knows', 'NOPE / HTTP/1.1\r\nhost: a\r\n\r\n', 400, 'request-invalid'],
  [
    'headers that are too large',
    `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(4_000)}\r\n\r\n`,
    431,
    'headers-too-large',
  ],
  [
    'two lengths',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
    400,
    'request-invalid',
  ],
  [
    'a length and chunks',
    'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
    'request-invalid',
  ],
  [
    'a chunk without a size',
    'POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n',
    400,
    'request-invalid',
  ],
  ['a tunnel', 'CONNECT example.org:443 HTTP/1.1\r\nhost: a\r\n\r\n', 400, 'request-invalid'],
  ['half of the headers', 'GET / HTTP/1.1\r\nhost:', 408, 'request-slow'],
  ['nothing at all', '', 408, 'request-slow'],
  ['half of a body', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 100\r\n\r\nabc', 408, 'request-slow'],
])('%s', async (_, bytes, status, code) => {
  const client = await rawClient(listening.port);
  client.send(bytes);
  const reply = await client.closed;
  expect(readError(reply)).toEqual({ status, code });
  expect(reply.toLowerCase()).toContain('connection: close');
});

test('a question that is too long for an address is told where to go', async () => {
  const client = await rawClient(listening.port);
  client.send(`GET /v1/note?q=${'x'.repeat(4_000)} HTTP/1.1\r\nhost: a\r\n\r\n`);
  const reply = await client.closed;
  expect(readError(reply)).toEqual({ status: 431, code: 'headers-too-large' });
  expect(reply).toContain('a long question goes into the body of a POST.');
});

test.each([
  ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ['a host that is none', 'GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n'],
  ['an address that is none', 'GET http://[ HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n'],
  ['an expectation that nobody knows', 'GET / HTTP/1.1\r\nhost: a\r\nexpect: wonders\r\nconnection: close\r\n\r\n'],
])('a request with %s is refused in the same shape', async (_, bytes) => {
  const client = await rawClient(listening.port);
  client.send(bytes);
  expect(readError(await client.closed)).toEqual({ status: 400, code: 'request-invalid' });
});

test('a body that comes drop by drop is cut off, however often a drop comes', async () => {
  const client = await rawClient(listening.port);
  client.send('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n');
  const began = performance.now();
  const drops = setInterval(() => client.send('x'), 20);
  const reply = await client.closed.finally(() => clearInterval(drops));
  expect(readError(reply)).toEqual({ status: 408, code: 'request-slow' });
  expect(performance.now() - began).toBeLessThan(3_000);
});

test('half a request and an end is answered before the end', async () => {
  const client = await rawClient(listening.port, { allowHalfOpen: true });
  client.socket.end('GET / HTTP/1.1\r\nhos');
  expect(readError(await client.closed).status).toBe(400);
});

test('a wish for another protocol is not heard, and one for a go-ahead is', async () => {
  const client = await rawClient(listening.port);
  client.send('GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade, close\r\nupgrade: websocket\r\n\r\n');
  expect(await client.closed).toMatch(/^HTTP\/1\.1 200 [\s\S]*\r\n\r\n\.$/);
  const other = await rawClient(listening.port);
  other.send('POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n');
  await expect.poll(other.received).toContain('100 Continue');
  other.send('hi');
  expect(await other.closed).toMatch(/hi\.$/);
});

test('a connection is kept for a next request, and let go when none comes', async () => {
  const client = await rawClient(listening.port);
  client.send('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await expect.poll(client.received).toContain('\r\n\r\n.');
  client.send('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  expect((await client.closed).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
});
