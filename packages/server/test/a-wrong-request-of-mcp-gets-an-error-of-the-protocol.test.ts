// The promise: whatever is sent to MCP over HTTP, the answer has its right status and an error of the protocol, and is no defect of ours.

import { request as httpRequest } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { callOf, initialize, listenTo, mcpHttp, onPort, ping, rpcErrorOf } from './support/mcp-http.ts';

const house = mcpHttp({ maxBodyBytes: 2_000 });
const { begin, post, send, bugs, app } = house;

afterEach(() => {
  expect(bugs).toEqual([]);
});

const json = 'application/json';
const both = 'application/json, text/event-stream';

test.each<[string, Parameters<typeof post>, readonly [number, number, RegExp]]>([
  [
    'another kind of content',
    [initialize, { headers: { 'content-type': 'text/plain' } }],
    [415, -32_000, /application\/json/],
  ],
  [
    'content of a kind that only looks like it',
    [initialize, { headers: { 'content-type': 'application/jsonp' } }],
    [415, -32_000, /application\/json/],
  ],
  ['who takes no stream', [initialize, { headers: { accept: json } }], [406, -32_000, /text\/event-stream/]],
  ['who takes only pages', [initialize, { headers: { accept: 'text/html' } }], [406, -32_000, /must accept/]],
  ['broken JSON', ['{"jsonrpc":"2.0",'], [400, -32_700, /^Parse error/]],
  ['nothing', [''], [400, -32_700, /^Parse error/]],
  ['several messages at once', [[ping, ping]], [400, -32_600, /one message/]],
  ['no messages at once', [[]], [400, -32_600, /one message/]],
  ['null', ['null'], [400, -32_600, /./]],
  ['a number', ['7'], [400, -32_600, /./]],
  ['an object that is no message', [{ hello: 'world' }], [400, -32_600, /./]],
  ['a request without a session', [ping], [400, -32_000, /Mcp-Session-Id/]],
  ['a wrong beginning', [{ ...initialize, params: {} }], [400, -32_000, /Mcp-Session-Id/]],
  ['an encoded body', [initialize, { headers: { 'content-encoding': 'gzip' } }], [400, -32_700, /gzip/]],
  [
    'a newer revision without what it needs',
    [ping, { headers: { 'mcp-protocol-version': '2026-07-28' } }],
    [400, -32_602, /./],
  ],
])('%s', async (_, sent, [status, code, words]) => {
  expect(await rpcErrorOf(await post(...sent))).toEqual([status, code, expect.stringMatching(words)]);
});

test.each<[string, string, Record<string, string>, readonly [number, number, RegExp]]>([
  ['a GET without a session', 'GET', {}, [400, -32_000, /Mcp-Session-Id/]],
  ['a DELETE without a session', 'DELETE', {}, [400, -32_000, /Mcp-Session-Id/]],
  ['a GET of who knows no sessions', 'GET', { 'mcp-protocol-version': '2026-07-28' }, [405, -32_000, /not allowed/]],
  ['a PUT', 'PUT', {}, [405, -32_000, /not allowed/]],
  ['a PATCH', 'PATCH', {}, [405, -32_000, /not allowed/]],
])('%s', async (_, method, headers, [status, code, words]) => {
  const response = await send(method, { headers });
  if (status === 405) expect(response.headers.get('allow')).toMatch(/^(GET, POST, DELETE|POST)$/);
  expect(await rpcErrorOf(response)).toEqual([status, code, expect.stringMatching(words)]);
});

test('what is wrong within a session', async () => {
  const session = await begin();
  const wrong = async (...sent: Parameters<typeof send>) => rpcErrorOf(await send(...sent));
  const version = { 'mcp-protocol-version': '1999-01-01' };
  const unknown = [400, -32_000, expect.stringMatching(/Unsupported protocol version: 1999-01-01/)];
  expect(await wrong('POST', { body: ping, session, headers: version })).toEqual(unknown);
  expect(await wrong('GET', { session, headers: version })).toEqual(unknown);
  expect(await wrong('DELETE', { session, headers: version })).toEqual(unknown);
  expect(await wrong('GET', { session, headers: { accept: json } })).toEqual([406, -32_000, expect.any(String)]);
  expect(await wrong('POST', { body: initialize, session })).toEqual([400, -32_600, expect.stringMatching(/already/)]);
  expect(await wrong('GET', { session, headers: { 'last-event-id': 'nonsense' } })).toEqual([
    400,
    -32_000,
    expect.any(String),
  ]);
  const stream = listenTo(await send('GET', { session }));
  expect(await wrong('GET', { session })).toEqual([409, -32_000, expect.any(String)]);
  await stream.drop();
});

test('an id that is in use is not taken again', async () => {
  const session = await begin();
  const { slow, ended } = house;
  const stream = listenTo(await post(callOf(1), { session }));
  await expect.poll(slow.started).toBe(1);
  const refused = await post(callOf(1), { session });
  expect(await rpcErrorOf(refused)).toEqual([400, -32_600, 'Invalid Request: this id is in use']);
  slow.release();
  await stream.done;
  expect(ended).toEqual(['completed']);
  // When it is answered it may be.
  const again = listenTo(await post(callOf(1), { session }));
  await expect.poll(slow.started).toBe(1);
  slow.release();
  await again.done;
  expect(again.heard().at(-1)?.message.result.content[0].text).toBe('I am slow.');
});

const tooLarge = [413, -32_000, 'The body is larger than the 2000 bytes that are taken.'];

test('a body that is too large, in either revision', async () => {
  const text = 'a'.repeat(2_000);
  expect(await rpcErrorOf(await post({ ...initialize, text }))).toEqual(tooLarge);
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  expect(await rpcErrorOf(await post({ ...ping, text }, { headers }))).toEqual(tooLarge);
});

test('a body without end is left after the limit, and read once', async () => {
  let pulled = 0;
  const left = Promise.withResolvers<void>();
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(100).fill(97));
      },
      cancel: () => left.resolve(),
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': json, accept: both };
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  expect(await rpcErrorOf(await app.request('/mcp', init))).toEqual(tooLarge);
  await left.promise;
  expect(pulled).toBeLessThanOrEqual(22);
});

test('a body that breaks off', async () => {
  const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new TypeError('gone')) });
  const headers = { 'content-type': json, accept: both };
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  expect(await rpcErrorOf(await app.request('/mcp', init))).toEqual([
    400,
    -32_700,
    'The body broke off before its end.',
  ]);
});

test('over a socket: who says too much, and who only sends it', async () => {
  const { endpoint } = await onPort(house);
  for (const length of [undefined, '1000000']) {
    const status = await new Promise((resolve) => {
      const headers = {
        'content-type': json,
        accept: both,
        ...(length === undefined ? {} : { 'content-length': length }),
      };
      const request = httpRequest(endpoint, { method: 'POST', agent: false, headers }, (reply) => {
        resolve(reply.statusCode);
        request.destroy();
      });
      request.on('error', () => {});
      request.write('a'.repeat(length === undefined ? 20_000 : 10));
    });
    expect([length, status]).toEqual([length, 413]);
  }
});
