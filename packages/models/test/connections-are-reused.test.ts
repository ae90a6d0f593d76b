// Calls one after the other share a connection; one that the server closes is replaced, and no request is sent twice.

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

test('a process that was busy when the end of a body came keeps the connection all the same', async () => {
  const server = await serve((_, response, body) => {
    response.write(answer(body), () => {
      setTimeout(() => response.end(), 5);
      setImmediate(() => setImmediate(beBusy, 400));
    });
  });
  const model = await modelAt(server.baseUrl);
  for (let i = 0; i < 2; i++) await model.call(requestOf(), contextOf({ onDelta: () => {} }));
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

test.each(ways)(
  'a kept connection that the server gives up the moment it is used is a failure, and the next call has a new one: %s',
  async (_, context) => {
    let asked = 0;
    const server = await serve((_, response, body) => {
      asked++;
      response.end(answer(body));
    });
    const model = await modelAt(server.baseUrl);
    await model.call(requestOf(), context());
    // We cannot know of it yet when we use the connection again.
    server.server.closeAllConnections();
    const failure = await failureOf(model.call(requestOf(), context()));
    expect(failure).toMatchObject({ code: 'model-network', retryable: true });
    expect([asked, server.connections]).toEqual([1, 1]);
    expect(await model.call(requestOf(), context())).toMatchObject({ finishReason: 'stop' });
    expect([asked, server.connections]).toEqual([2, 2]);
  },
);

test('a kept connection that the server has given up is not used again', async () => {
  const server = await serve((_, response, body) => response.end(answer(body)));
  const model = await modelAt(server.baseUrl);
  await model.call(requestOf(), contextOf());
  server.server.closeAllConnections();
  // Long enough to hear of it.
  await new Promise((resolve) => setTimeout(resolve, 50));
  await model.call(requestOf(), contextOf());
  expect(server.connections).toBe(2);
});

test('a connection is kept no longer than its server says', async () => {
  const server = await serve((_, response, body) => {
    response.writeHead(200, { connection: 'keep-alive', 'keep-alive': 'timeout=1' }).end(answer(body));
  });
  const closed = new Promise((resolve) => {
    server.server.on('connection', (socket) => socket.once('close', resolve));
  });
  const model = await modelAt(server.baseUrl);
  await model.call(requestOf(), contextOf());
  // By us: the server itself would wait for five seconds.
  await closed;
  await model.call(requestOf(), contextOf());
  expect(server.connections).toBe(2);
}, 4000);

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

test('a kept connection that dies without a byte is not tried again', async () => {
  let asked = 0;
  const { baseUrl } = await serve((request, response, body) => {
    if (++asked === 1) response.end(answer(body));
    else request.socket.destroy();
  });
  const model = await modelAt(baseUrl);
  await model.call(requestOf(), contextOf());
  expect((await failureOf(model.call(requestOf(), contextOf()))).code).toBe('model-network');
  expect(asked).toBe(2);
});

function beBusy(forMs: number): void {
  const until = performance.now() + forMs;
  while (performance.now() < until);
}
