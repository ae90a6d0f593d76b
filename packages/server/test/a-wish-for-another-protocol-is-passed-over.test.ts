// The promise: who would rather speak HTTP/2, as some clients ask with every request, gets its reply as if it had not asked.

import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../src/index.ts';
import { rawClient } from './support/raw-client.ts';

const fetch = async (request: Request) =>
  new Response(`${request.method} ${new URL(request.url).pathname} ${await request.text()}`);

async function serve() {
  const listening = await listen({ fetch }, { port: 0 });
  onTestFinished(() => listening.close(0));
  return listening.port;
}

const wish = 'Host: a\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAA\r\n';

test('a GET, then POSTs with their bodies in pieces, then one more', async () => {
  const client = await rawClient(await serve());
  client.send(`GET /one HTTP/1.1\r\n${wish}\r\n`);
  await expect.poll(client.received).toContain('GET /one ');
  client.send(`POST /two HTTP/1.1\r\n${wish}Content-Length: 10\r\n\r\n12345`);
  await new Promise((resolve) => setImmediate(resolve));
  client.send(`67890POST /more HTTP/1.1\r\n${wish}Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n`);
  await new Promise((resolve) => setImmediate(resolve));
  client.send('2\r\nde\r\n0\r\n\r\nGET /three HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
  const all = await client.closed;
  expect(all).toContain('POST /two 1234567890');
  expect(all).toContain('POST /more abcde');
  expect(all).toContain('GET /three ');
  expect(all.match(/HTTP\/1\.1 200/g)).toHaveLength(4);
});

test('replies to what was asked before come before', async () => {
  const client = await rawClient(await serve());
  client.send(
    `GET /one HTTP/1.1\r\nHost: a\r\n\r\nGET /two HTTP/1.1\r\n${wish}\r\nGET /three HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
  );
  expect((await client.closed).match(/GET \/\w+/g)).toEqual(['GET /one', 'GET /two', 'GET /three']);
});

test('a wish for a WebSocket that nobody fulfils is answered, behind what was asked before', async () => {
  const client = await rawClient(await serve());
  client.send(
    'GET /one HTTP/1.1\r\nHost: a\r\n\r\nGET /two HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\nbytes',
  );
  const all = await client.closed;
  expect(all.match(/GET \/\w+/g)).toEqual(['GET /one', 'GET /two']);
  expect(all.toLowerCase()).toContain('connection: close');
});

test('whoever asks every time leaves nothing behind on its connection', async () => {
  const warnings: Error[] = [];
  const hear = (warning: Error) => void warnings.push(warning);
  process.on('warning', hear);
  onTestFinished(() => void process.off('warning', hear));
  const client = await rawClient(await serve());
  for (let i = 0; i < 15; i++) {
    client.send(`GET /${i} HTTP/1.1\r\n${wish}\r\n`);
    await expect.poll(client.received, { interval: 5 }).toContain(`GET /${i} `);
  }
  expect(warnings).toEqual([]);
});
