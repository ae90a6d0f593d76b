// Calls one after the other share a connection; one that the server closed meanwhile is replaced without anybody noticing.

import { createTransport, type Transport } from '@ai-agent/models';
import { expect, onTestFinished, test } from 'vitest';
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

test.each(ways)('a hundred calls, one connection, and nothing left on it: %s', async (_, context) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  let answered = 0;
  const server = await serve((_, response, body) => {
    if (++answered % 2) return void response.end(answer(body));
    // The end of the body comes later than its last word.
    response.write(answer(body), () => setTimeout(() => response.end(), 5));
  });
  const model = await modelAt(server.baseUrl);
  for (let i = 0; i < 100; i++) await model.call(requestOf(), context());
  expect([server.connections, warnings]).toEqual([1, []]);
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

test.each(ways)('a kept connection that the server gave up meanwhile is replaced: %s', async (_, context) => {
  let asked = 0;
  const server = await serve((_, response, body) => {
    asked++;
    response.end(answer(body));
  });
  const model = await modelAt(server.baseUrl);
  await model.call(requestOf(), context());
  // We cannot know of it yet when we use the connection again.
  server.server.closeAllConnections();
  expect(await model.call(requestOf(), context())).toMatchObject({ finishReason: 'stop' });
  expect([asked, server.connections]).toEqual([2, 2]);
});

test('a request that the server worked on is not repeated, though its kept connection dies without a byte', async () => {
  let asked = 0;
  const { baseUrl } = await serve((request, response, body) => {
    if (++asked === 1) response.end(answer(body));
    else setTimeout(() => request.socket.destroy(), 400);
  });
  const model = await modelAt(baseUrl);
  await model.call(requestOf(), contextOf());
  expect(await failureOf(model.call(requestOf(), contextOf()))).toMatchObject({ code: 'model-network' });
  expect(asked).toBe(2);
});

test.each([
  ['an abort', (controller: AbortController) => controller.abort(), 'cancelled'],
  ['closing the transport', (_: AbortController, transport: Transport) => transport.close(), 'model-network'],
] as const)('%s between the two tries ends it', async (_, end, code) => {
  let asked = 0;
  const server = await serve((_, response, body) => {
    asked++;
    response.end(answer(body));
  });
  const transport = createTransport();
  onTestFinished(() => transport.close());
  const model = await modelAt(server.baseUrl, { transport });
  await model.call(requestOf(), contextOf());
  server.server.closeAllConnections();
  const controller = new AbortController();
  const { signal } = controller;
  // The first try has just failed when it stops to listen.
  signal.removeEventListener = (...args: Parameters<AbortSignal['removeEventListener']>) => {
    AbortSignal.prototype.removeEventListener.apply(signal, args);
    end(controller, transport);
  };
  expect((await failureOf(model.call(requestOf(), contextOf({ signal })))).code).toBe(code);
  expect([asked, server.connections]).toEqual([1, 1]);
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
