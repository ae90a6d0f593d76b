// Provider packages find in our transport what they use of fetch; what it does not do, it says.

import { createServer as createTcpServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createTransport, type TransportOptions } from '@ai-agent/models';
import { expect, onTestFinished, test, vi } from 'vitest';
import { failureOf } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

function open(options?: TransportOptions) {
  const transport = createTransport(options);
  onTestFinished(() => transport.close());
  return transport.fetch;
}

test('what is sent arrives: method, path, headers, text and bytes', async () => {
  const { baseUrl } = await serve((request, response, body) => {
    const { method, url, headers } = request;
    response.end(
      JSON.stringify({ method, url, type: headers['content-type'], length: headers['content-length'], body }),
    );
  });
  const fetch = open();
  const ask = async (init: RequestInit) => (await fetch(`${baseUrl}/x?y=1`, init)).json();
  expect(await ask({})).toEqual({ method: 'GET', url: '/v1/x?y=1', body: '' });
  const sent = { method: 'POST', url: '/v1/x?y=1', type: 'text/plain', body: 'Grüße ☃', length: '11' };
  expect(await ask({ method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: 'Grüße ☃' })).toEqual(sent);
  const bytes = new TextEncoder().encode('Grüße ☃');
  expect(await ask({ method: 'POST', headers: [['content-type', 'text/plain']], body: bytes })).toEqual(sent);
  const headers = new Headers({ 'content-type': 'text/plain' });
  expect(await ask({ method: 'POST', headers, body: bytes })).toEqual(sent);
});

test('the host is that of the address, or the caller’s own', async () => {
  const { baseUrl } = await serve((request, response) => response.end(request.headers.host));
  const ask = async (init: RequestInit) => (await open()(baseUrl, init)).text();
  expect(await ask({ method: 'POST' })).toBe(new URL(baseUrl).host);
  expect(await ask({ method: 'POST', headers: { Host: 'other.test' } })).toBe('other.test');
});

test('what is answered is read as from fetch', async () => {
  const { baseUrl } = await serve((_, response) => {
    response.writeHead(418, 'Teapot', { 'x-one': '1', 'set-cookie': ['a=1', 'b=2'] }).end('\ufeffshort and stout');
  });
  const fetch = open();
  const response = await fetch(new URL(baseUrl));
  expect([response.status, response.ok, response.statusText, response.url]).toEqual([418, false, 'Teapot', baseUrl]);
  expect([response.headers.get('X-One'), response.headers.get('nothing'), response.headers.has('x-one')]).toEqual([
    '1',
    null,
    true,
  ]);
  expect(Object.fromEntries([...response.headers])).toMatchObject({ 'x-one': '1', 'set-cookie': 'a=1, b=2' });
  expect([...response.headers.entries()]).toEqual(
    [...response.headers.keys()].map((name) => [name, response.headers.get(name)]),
  );
  expect(response.bodyUsed).toBe(false);
  expect(await response.text()).toBe('short and stout');
  expect(response.bodyUsed).toBe(true);
  expect((await failureOf(response.text())).message).toContain('read already');
  const again = await fetch(baseUrl);
  expect(again.body).toBeInstanceOf(ReadableStream);
  let text = '';
  for await (const chunk of again.body ?? []) text += new TextDecoder().decode(chunk);
  expect(text).toBe('short and stout');
});

test.each([
  ['gzip', gzipSync],
  ['X-GZip', gzipSync],
  [' GZIP', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
] as const)('no encoding is asked for; %s is understood, and noticed when cut', async (encoding, encode) => {
  const body = encode(Buffer.from('word '.repeat(5000)));
  let isCut = false;
  const { baseUrl } = await serve((request, response) => {
    expect(request.headers['accept-encoding']).toBe('identity');
    response.writeHead(200, { 'content-encoding': encoding }).end(isCut ? body.subarray(0, -5) : body);
  });
  const fetch = open();
  expect(await (await fetch(baseUrl)).text()).toBe('word '.repeat(5000));
  isCut = true;
  expect((await failureOf((await fetch(baseUrl)).text())).code).toBe('model-network');
});

test('nothing at all is nothing, whatever it is encoded as', async () => {
  const { baseUrl } = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end());
  expect(await (await open()(baseUrl)).text()).toBe('');
});

test('what is not encoded as it says is noticed', async () => {
  const { baseUrl } = await serve((_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('not packed at all'),
  );
  expect((await failureOf((await open()(baseUrl)).text())).code).toBe('model-network');
});

test('an unknown encoding is said', async () => {
  const { baseUrl } = await serve((_, response) =>
    response.writeHead(200, { 'content-encoding': 'rot13' }).end('uryyb'),
  );
  expect((await failureOf((await open()(baseUrl)).text())).message).toContain('rot13');
});

test('what nobody reads stays with the server', async () => {
  let written = 0;
  let isFull = false;
  const { baseUrl } = await serve((_, response) => {
    const piece = Buffer.alloc(64 * 1024);
    const write = () => {
      while (written < 64 * 1024 * 1024) {
        written += piece.length;
        if (!response.write(piece)) {
          isFull = true;
          response.once('drain', write);
          return;
        }
      }
      response.end();
    };
    write();
  });
  const response = await open()(baseUrl);
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  await reader.read();
  await vi.waitFor(() => expect(isFull).toBe(true));
  let before = 0;
  // Until nothing more is taken: buffers of the system are large, but not that large.
  await vi.waitFor(() => {
    const now = written;
    [before, isFull] = [now, before === now];
    expect(isFull).toBe(true);
  });
  expect(written).toBeLessThan(32 * 1024 * 1024);
  let received = 0;
  reader.releaseLock();
  for await (const chunk of response.body ?? []) received += chunk.length;
  expect(received).toBeGreaterThan(60 * 1024 * 1024);
});

test('a reader that leaves closes the connection', async () => {
  let closed = 0;
  const { baseUrl } = await serve((_, response) => {
    response.on('close', () => closed++);
    response.write('endless');
  });
  const response = await open()(baseUrl);
  await response.body?.cancel();
  await vi.waitFor(() => expect(closed).toBe(1));
});

test('a host that never completes the connection is given up', async () => {
  // Accepts TCP and never answers the TLS greeting.
  const server = createTcpServer(() => {}).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const failure = await failureOf(open({ connectTimeoutMs: 50 })(`https://127.0.0.1:${port}/`));
  expect(failure).toMatchObject({ code: 'model-network' });
  expect(failure.message).toContain('0.05 s');
});

test('an answer that takes longer than the connection may is waited for', async () => {
  const { baseUrl } = await serve((_, response) => setTimeout(() => response.end('late'), 300));
  expect(await (await open({ connectTimeoutMs: 50, idleTimeoutMs: 50 })(baseUrl)).text()).toBe('late');
});

test('more requests than connections wait for one', async () => {
  const server = await serve((_, response) => response.end('fine'));
  const fetch = open({ maxSockets: 2 });
  await Promise.all(Array.from({ length: 20 }, async () => (await fetch(server.baseUrl)).text()));
  expect(server.connections).toBe(2);
});

test('forms, other addresses and copies are refused in words', async () => {
  const { baseUrl } = await serve((_, response) => response.end('fine'));
  const fetch = open();
  expect((await failureOf(fetch(baseUrl, { method: 'POST', body: new FormData() }))).message).toContain('not FormData');
  expect((await failureOf(fetch('file:///etc/passwd'))).message).toContain('not an http or https address');
  const response = await fetch(baseUrl);
  expect(() => response.clone()).toThrow('read once');
  await response.text();
});
