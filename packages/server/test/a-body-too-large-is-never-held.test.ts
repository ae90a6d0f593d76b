// The promise: a body beyond the limit is refused as soon as that is known, and no more of it is read than the limit.

import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { refusalOf, restApp } from './support/rest-app.ts';

const echo = () => agentOf('echo', () => 'Yes.');

test('up to the limit it is taken, beyond it is not', async () => {
  const { post } = restApp([echo()], { maxBodyBytes: 10 });
  expect((await post('/v1/echo', '0123456789')).status).toBe(200);
  const refused = await refusalOf(await post('/v1/echo', '0123456789A'));
  expect(refused).toEqual([413, 'request-too-large', 'The body is larger than the 10 bytes that are taken.']);
  // Bytes count, not letters.
  expect((await post('/v1/echo', '✓✓✓✓')).status).toBe(413);
});

test('by default it is a mebibyte', async () => {
  const { post } = restApp([echo()]);
  expect((await post('/v1/echo', 'a'.repeat(1024 * 1024))).status).toBe(200);
  expect((await post('/v1/echo', 'a'.repeat(1024 * 1024 + 1))).status).toBe(413);
});

test('a body without end is left after the limit', async () => {
  let pulled = 0;
  let isLeft = false;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(1_000).fill(97));
      },
      cancel() {
        isLeft = true;
      },
    },
    { highWaterMark: 0 },
  );
  const { app } = restApp([echo()], { maxBodyBytes: 10_000 });
  const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
  expect((await refusalOf(await app.request('/v1/echo', init))).slice(0, 2)).toEqual([413, 'request-too-large']);
  expect(pulled).toBeLessThanOrEqual(12);
  expect(isLeft).toBe(true);
});

test('a body that breaks off is refused, and is no defect of ours', async () => {
  const bugs: unknown[] = [];
  const { app } = restApp([echo()], { onBug: (error) => bugs.push(error) });
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.error(new TypeError('gone'));
    },
  });
  const response = await app.request('/v1/echo', { method: 'POST', body, duplex: 'half' } as RequestInit);
  const refused = await refusalOf(response);
  expect(refused).toEqual([400, 'request-invalid', 'The body broke off before its end.']);
  expect(bugs).toEqual([]);
});

async function serving(bugs: unknown[]) {
  const { app, hall } = restApp([echo()], { maxBodyBytes: 10_000, onBug: (error) => bugs.push(error) });
  const listening = await listen(app, { port: 0 });
  onTestFinished(() => listening.close());
  return { ...listening, hall };
}

test('over a socket: who says too much, and who only sends it', async () => {
  const bugs: unknown[] = [];
  const { url } = await serving(bugs);
  for (const length of [undefined, '1000000']) {
    const status = await new Promise((resolve) => {
      const headers = length === undefined ? {} : { 'content-length': length };
      const request = httpRequest(`${url}/v1/echo`, { method: 'POST', agent: false, headers }, (reply) => {
        resolve(reply.statusCode);
        request.destroy();
      });
      request.on('error', () => {});
      request.write('a'.repeat(length === undefined ? 20_000 : 10));
    });
    expect([length, status]).toEqual([length, 413]);
  }
  expect(bugs).toEqual([]);
});

test('over a socket: who goes in the middle of a body starts nothing, and is no defect of ours', async () => {
  const bugs: unknown[] = [];
  const { port, hall, url } = await serving(bugs);
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  const head = 'POST /v1/echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\nContent-Type: text/plain\r\n\r\n';
  await new Promise<void>((resolve) => socket.write(`${head}half`, () => resolve()));
  socket.destroy();
  await new Promise<void>((resolve) => socket.once('close', () => resolve()));
  // Whoever comes after is served.
  expect(await (await fetch(`${url}/v1/echo?q=a`)).text()).toBe('Yes.');
  expect([hall.running, bugs]).toEqual([0, []]);
});
