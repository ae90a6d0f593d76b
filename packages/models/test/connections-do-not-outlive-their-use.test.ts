// A connection is kept as long as it may be, and nobody waits for an answer that will not come or is not read.

import { execFile } from 'node:child_process';
import { getEventListeners } from 'node:events';
import { promisify } from 'node:util';
import { createTransport, type TransportOptions } from '@ai-agent/models';
import { expect, onTestFinished, test, vi } from 'vitest';
import { replyIsComplete } from '../src/http/transport.ts';
import { failureOf } from './support/calling.ts';
import { serve, serveBytes } from './support/raw-server.ts';

function open(options?: TransportOptions) {
  const transport = createTransport(options);
  onTestFinished(() => transport.close());
  return transport.fetch;
}

test('unused connections are closed after their time, and above their number at once', async () => {
  let isReady = false;
  const waiting: (() => void)[] = [];
  const server = await serve((_, response) => {
    waiting.push(() => response.end('fine'));
    if (waiting.length === 6 || isReady) for (const go of waiting) go();
  });
  server.server.keepAliveTimeout = 0;
  const count = () => new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));
  const fetch = open({ maxIdleSockets: 2, idleTimeoutMs: 400 });
  await Promise.all(Array.from({ length: 6 }, async () => (await fetch(server.baseUrl)).text()));
  isReady = true;
  await vi.waitFor(async () => expect(await count()).toBe(2));
  await (await fetch(server.baseUrl)).text();
  expect(server.connections).toBe(6);
  await vi.waitFor(async () => expect(await count()).toBe(0), { timeout: 5000 });
});

test('a body that nobody reads holds neither the signal nor a later failure', async () => {
  const { baseUrl, server } = await serve((_, response) => response.write('never complete'));
  const fetch = open();
  const { signal } = new AbortController();
  const responses = await Promise.all(Array.from({ length: 5 }, () => fetch(baseUrl, { signal })));
  await vi.waitFor(() => expect(getEventListeners(signal, 'abort')).toHaveLength(0));
  server.closeAllConnections();
  for (const response of responses) expect((await failureOf(response.text())).code).toBe('model-network');
});

test('an abort between the headers and the first reading is noticed', async () => {
  let closed = 0;
  const { baseUrl } = await serve((_, response) => {
    response.on('close', () => closed++);
    response.write('begun');
  });
  const controller = new AbortController();
  const response = await open()(baseUrl, { signal: controller.signal });
  await vi.waitFor(() => expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0));
  controller.abort();
  await expect(response.text()).rejects.toBe(controller.signal.reason);
  await vi.waitFor(() => expect(closed).toBe(1));
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
});

test('a body that nobody reads does not keep the process', async () => {
  const { baseUrl } = await serve((_, response) => response.end('fine'));
  const program = `
    import { createTransport } from '@ai-agent/models';
    await createTransport().fetch('${baseUrl}');
    process.stdout.write('asked');
  `;
  const args = ['--input-type=module', '-e', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname, timeout: 10_000 });
  expect(stdout).toBe('asked');
});

test('a transport that was closed before its first request sends none', async () => {
  const server = await serve((_, response) => response.end('fine'));
  const transport = createTransport();
  transport.close();
  expect(await failureOf(transport.fetch(server.baseUrl))).toMatchObject({ code: 'model-network', retryable: false });
  expect(server.connections).toBe(0);
});

test('an answer that changes the protocol is no answer', async () => {
  const baseUrl = await serveBytes('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n');
  expect(await failureOf(open()(baseUrl))).toMatchObject({ code: 'model-network' });
});

test('what comes before the answer is not the answer', async () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n';
  const baseUrl = await serveBytes(`${early}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine`);
  expect(await (await open()(baseUrl)).text()).toBe('fine');
});

test('a stream of the body is not read before somebody reads it', async () => {
  const { baseUrl } = await serve((_, response) => response.end('fine'));
  const response = await open()(baseUrl);
  expect([response.body instanceof ReadableStream, response.bodyUsed]).toEqual([true, false]);
  expect(await response.text()).toBe('fine');
});

test('who leaves a body that has ended meanwhile waits for nothing, and its connection is kept', async () => {
  const server = await serve((_, response) => response.end('fine'));
  const fetch = open();
  const reader = (await fetch(server.baseUrl)).body?.getReader();
  await reader?.read();
  await new Promise((resolve) => setImmediate(resolve));
  await reader?.cancel(replyIsComplete);
  await (await fetch(server.baseUrl)).text();
  expect(server.connections).toBe(1);
});

test('an IPv6 address is an address', async () => {
  const { server } = await serve((request, response) => response.end(request.headers.host), '::1');
  const { port } = server.address() as { port: number };
  expect(await (await open()(`http://[::1]:${port}/`)).text()).toBe(`[::1]:${port}`);
});
