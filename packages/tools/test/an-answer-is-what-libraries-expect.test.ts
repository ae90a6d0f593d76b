// Answers and requests are those of the platform: libraries that know nothing of us can use them.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { OAuthErrorCode, parseErrorResponse } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Outbound } from '../src/outbound/outbound.ts';
import { type HttpRequest, type HttpServer, serveHttp } from './support/http-server.ts';

let server: HttpServer;
let outbound: Outbound;
beforeAll(async () => {
  server = await serveHttp(({ path }, response) => {
    if (path === '/empty') response.writeHead(204).end();
    else if (path === '/refused') response.writeHead(400).end(JSON.stringify({ error: 'invalid_grant' }));
    else if (path === '/drip') {
      response.writeHead(200, { 'set-cookie': ['a=1', 'b=2'] });
      response.write('one');
    } else response.end('ok');
  });
  outbound = new Outbound({ named: [server.host] });
});
afterAll(async () => {
  await outbound.close();
  await server.close();
});

const last = () => server.requests.at(-1) as HttpRequest;

test('an error of a login is read by the protocol library', async () => {
  const answer = await outbound.fetch(`${server.origin}/refused`);
  expect(answer).toBeInstanceOf(Response);
  expect((await parseErrorResponse(answer)).code).toBe(OAuthErrorCode.InvalidGrant);
});

test('an answer has its status, its address, its headers, and no body where there is none', async () => {
  const answer = await outbound.fetch(`${server.origin}/empty`);
  expect([answer.status, answer.url, answer.body]).toEqual([204, `${server.origin}/empty`, null]);
});

test('a body comes as it is written, and ends when it is called off', async () => {
  const controller = new AbortController();
  const answer = await outbound.fetch(`${server.origin}/drip`, { signal: controller.signal });
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect(await reader?.read()).toEqual({ done: false, value: 'one' });
  controller.abort(new RangeError('enough'));
  await expect(reader?.read()).rejects.toThrow('enough');
});

test('a form arrives with its file', async () => {
  const form = new FormData();
  form.append('title', 'mine');
  form.append('file', new File(['content'], 'a.txt', { type: 'text/plain' }));
  await outbound.fetch(`${server.origin}/form`, { method: 'POST', body: form });
  expect(last().headers['content-type']).toContain('multipart/form-data; boundary=');
  for (const part of ['name="title"', 'mine', 'filename="a.txt"', 'content']) expect(last().body).toContain(part);
});

test('a request of the platform is sent as it is', async () => {
  const request = new Request(`${server.origin}/request`, { method: 'PUT', body: 'text', headers: { 'x-mine': '1' } });
  await outbound.fetch(request);
  expect(last()).toMatchObject({ method: 'PUT', path: '/request', body: 'text' });
  expect(last().headers['x-mine']).toBe('1');
});

test('connections are kept for the next request', async () => {
  const sockets = new Set<number | undefined>();
  const own = await serveHttp((_, response) => {
    sockets.add(response.socket?.remotePort);
    response.end();
  });
  const kept = new Outbound({ named: [own.host] });
  for (let i = 0; i < 3; i++) {
    await (await kept.fetch(own.origin)).text();
    // An answer that was read gives its connection back a moment later.
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(sockets.size).toBe(1);
  await kept.close();
  await own.close();
});

test('a process ends although a connection is kept, and an answer outlives a collection of garbage', async () => {
  const script = fileURLToPath(new URL('support/fetch-once.ts', import.meta.url));
  const child = spawn(process.execPath, ['--expose-gc', script, `${server.origin}/late`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  child.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const begun = performance.now();
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearTimeout(timer);
  const { text, readAt } = JSON.parse(said) as { text: string; readAt: number };
  expect([code, text]).toEqual([0, 'ok']);
  // Kept connections are let go after four seconds: it did not wait for that.
  expect(Date.now() - readAt).toBeLessThan(3_000);
  expect(performance.now() - begun).toBeLessThan(15_000);
});
