// The promise: a model server on this machine is found by its first model; whatever else is there, the answer is quick and none.

import { createTransport, findLocalOllama } from '@ai-agent/models';
import { expect, onTestFinished, test } from 'vitest';
import { closedPort } from './support/closed-port.ts';
import { type Handler, serve, serveBytes } from './support/raw-server.ts';

const tags = JSON.stringify({ models: [{ name: 'qwen3:8b', size: 1 }, { name: 'llama3.2:latest' }] });

async function find(handler: Handler, end = '') {
  const { baseUrl } = await serve(handler);
  return findLocalOllama({ baseUrl: `${new URL(baseUrl).origin}${end}`, timeoutMs: 5000 });
}

test.each(['', '/', '/v1', '/v1/', '/api', '/api/'])(
  'it is asked at its host, also when the address ends with %j',
  async (end) => {
    const asked: unknown[] = [];
    const name = await find(({ method, url }, response) => {
      asked.push([method, url]);
      response.end(tags);
    }, end);
    expect([name, asked]).toEqual(['qwen3:8b', [['GET', '/api/tags']]]);
  },
);

test('it may be below a path', async () => {
  const name = await find(({ url }, response) => response.end(url === '/ollama/api/tags' ? tags : '{}'), '/ollama/v1');
  expect(name).toBe('qwen3:8b');
});

test.each([
  '',
  'null',
  '7',
  '[]',
  '{}',
  '{"models":null}',
  '{"models":{}}',
  '{"models":[]}',
  '{"models":[null]}',
  '{"models":[{}]}',
  '{"models":[{"name":7}]}',
  '{"models":[{"name":""}]}',
  '{"models":[{"name":"a\\u001b[31m"}]}',
  '<html>Hello</html>',
  tags.slice(0, 20),
])('nothing is found in %j', async (body) => {
  expect(await find((_, response) => response.end(body))).toBeUndefined();
});

test.each([302, 401, 404, 500])('nothing is found behind a status %i', async (status) => {
  expect(await find((_, response) => response.writeHead(status, { location: '/v1' }).end(tags))).toBeUndefined();
});

test('a list that is far too long is no list', async () => {
  const long = JSON.stringify({ ...JSON.parse(tags), more: ' '.repeat(2 * 1024 * 1024) });
  expect(await find((_, response) => response.end(long))).toBeUndefined();
});

test('a list without end is not read to the end', async () => {
  let written = 0;
  const name = await find((_, response) => {
    response.on('error', () => {});
    const more = () => {
      while (!response.destroyed && response.write(' '.repeat(65536))) written += 65536;
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  });
  expect(name).toBeUndefined();
  expect(written).toBeLessThan(64 * 1024 * 1024);
});

test('nobody there is nobody', async () => {
  expect(await findLocalOllama({ baseUrl: `http://127.0.0.1:${await closedPort()}` })).toBeUndefined();
});

test.each(['', 'localhost', 'ftp://127.0.0.1'])('%j is no address', async (baseUrl) => {
  expect(await findLocalOllama({ baseUrl })).toBeUndefined();
});

test.each([
  ['says nothing', ''],
  ['stops in the middle', 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{"models":[{"name":"a"'],
])('a server that %s is not waited for', async (_, bytes) => {
  const baseUrl = await serveBytes(bytes);
  const start = performance.now();
  expect(await findLocalOllama({ baseUrl, timeoutMs: 100 })).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(2000);
});

test('a transport that hears no signal, or throws, is not waited for either', async () => {
  const never = { fetch: () => new Promise<never>(() => {}), close() {} };
  expect(await findLocalOllama({ transport: never, timeoutMs: 20 })).toBeUndefined();
  const throwing = { fetch: () => expect.fail('No.'), close() {} };
  expect(await findLocalOllama({ transport: throwing })).toBeUndefined();
});

test('a transport that was handed in stays open', async () => {
  const { baseUrl } = await serve((_, response) => response.end(tags));
  const transport = createTransport();
  onTestFinished(() => transport.close());
  for (let i = 0; i < 2; i++) expect(await findLocalOllama({ baseUrl, transport, timeoutMs: 5000 })).toBe('qwen3:8b');
});
