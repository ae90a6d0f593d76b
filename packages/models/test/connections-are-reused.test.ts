// Calls one after the other share a connection; one that the server closed meanwhile is replaced without anybody noticing.

import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { contextOf, failureOf, modelAt, requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

const reply = JSON.stringify({
  id: '1',
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello' }, finish_reason: 'stop' }],
});
const events = [
  'data: {"id":"1","model":"m","choices":[{"index":0,"delta":{"content":"Hello"}}]}',
  'data: {"id":"1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  'data: [DONE]',
].join('\n\n');
const answer = (body: string) => (JSON.parse(body).stream ? `${events}\n\n` : reply);

test.each(ways)('a hundred calls, one connection: %s', async (_, context) => {
  const server = await serve((_, response, body) => response.end(answer(body)));
  const model = await modelAt(server.baseUrl);
  for (let i = 0; i < 100; i++) await model.call(requestOf(), context());
  expect(server.connections).toBe(1);
});

test('a failed call gives its connection back too', async () => {
  const server = await serve((_, response) => response.writeHead(500).end('{"error":{"message":"no"}}'));
  const model = await modelAt(server.baseUrl);
  for (let i = 0; i < 10; i++) await failureOf(model.call(requestOf(), contextOf()));
  expect(server.connections).toBe(1);
});

test('calls at the same time have a connection each, and none waits', async () => {
  const waiting: (() => void)[] = [];
  const server = await serve((_, response, body) => {
    waiting.push(() => response.end(answer(body)));
    if (waiting.length === 50) for (const go of waiting) go();
  });
  const model = await modelAt(server.baseUrl);
  await Promise.all(Array.from({ length: 50 }, () => model.call(requestOf(), contextOf())));
  expect(server.connections).toBe(50);
});

test.each(ways)('a kept connection that dies unused is replaced: %s', async (_, context) => {
  const used = new Set<Socket>();
  let asked = 0;
  const server = await serve((request, response, body) => {
    asked++;
    // The second request on a connection finds it closing: the server decided so before it could know of the request.
    if (used.has(request.socket)) return void request.socket.destroy();
    used.add(request.socket);
    response.end(answer(body));
  });
  const model = await modelAt(server.baseUrl);
  await model.call(requestOf(), context());
  expect(await model.call(requestOf(), context())).toMatchObject({ finishReason: 'stop' });
  expect([asked, server.connections]).toEqual([3, 2]);
});

test('a new connection that dies is not tried again', async () => {
  let asked = 0;
  const { baseUrl } = await serve((request) => {
    asked++;
    request.socket.destroy();
  });
  await failureOf((await modelAt(baseUrl)).call(requestOf(), contextOf()));
  expect(asked).toBe(1);
});

test('a kept connection that dies in the middle of an answer is not tried again', async () => {
  let asked = 0;
  const { baseUrl } = await serve((request, response, body) => {
    if (++asked === 1) response.end(answer(body));
    else request.socket.write('HTTP/1.1 200', () => request.socket.destroy());
  });
  const model = await modelAt(baseUrl);
  await model.call(requestOf(), contextOf());
  expect((await failureOf(model.call(requestOf(), contextOf()))).code).toBe('model-network');
  expect(asked).toBe(2);
});

test('it is tried again once, not for ever', async () => {
  let asked = 0;
  const { baseUrl } = await serve((request, response, body) => {
    if (++asked === 1) response.end(answer(body));
    else request.socket.destroy();
  });
  const model = await modelAt(baseUrl);
  await model.call(requestOf(), contextOf());
  await failureOf(model.call(requestOf(), contextOf()));
  expect(asked).toBe(3);
});
