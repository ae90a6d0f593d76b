// The promise: who has only a publishable key costs nothing once its rate is used up, and never sends much: what it says is not even read.

import { expect, test } from 'vitest';
import { as, onSocket, secretOf } from './support/governed.ts';
import { rawClient, readError } from './support/raw-client.ts';

const origin = 'https://www.example.com';
const keys = { site: { origins: [origin], agents: ['echo'], requestsPerMinute: 2 }, desk: {} };
const megabyte = 1024 * 1024;

async function house() {
  const { url, port } = await onSocket({ keys });
  const start = async (body: string) => {
    const init = as('site', { origin, 'content-type': 'application/json' });
    return (await fetch(`${url}/v1/sessions`, { method: 'POST', ...init, body })).status;
  };
  /** Says what it would send, and sends nothing of it. */
  const announce = async (path: string, bytes: number, key: keyof typeof keys = 'site') => {
    const client = await rawClient(port);
    const head = [`POST ${path} HTTP/1.1`, 'host: 127.0.0.1', `authorization: Bearer ${secretOf(key)}`];
    const rest = [`origin: ${origin}`, 'content-type: application/json', `content-length: ${bytes}`];
    client.send(`${[...head, ...rest].join('\r\n')}\r\n\r\n`);
    return client;
  };
  return { start, announce };
}

const asked = JSON.stringify({ agent: 'echo', input: 'Hello.' });
const isWhole = (reply: string) => reply.includes('}}');

test.each(['/v1/sessions', '/v1/sessions/s1/answer'])('%s is refused by its head alone', async (path) => {
  const { start, announce } = await house();
  expect(await start(asked)).toBe(201);
  // What cannot be understood was asked all the same.
  expect(await start('nothing')).toBe(400);
  const client = await announce(path, 1_000);
  await expect.poll(() => isWhole(client.received())).toBe(true);
  expect(readError(client.received())).toEqual({ status: 429, code: 'too-many-requests' });
});

test('a run is counted once', async () => {
  const { start } = await house();
  expect([await start(asked), await start(asked), await start(asked)]).toEqual([201, 201, 429]);
});

test('more than a mebibyte is for those whose key is a secret', async () => {
  const { start, announce } = await house();
  expect(await start(JSON.stringify({ agent: 'echo', input: 'a'.repeat(megabyte - 100) }))).toBe(201);
  const refused = await announce('/v1/sessions', megabyte + 1);
  await expect.poll(() => isWhole(refused.received())).toBe(true);
  expect(readError(refused.received())).toEqual({ status: 413, code: 'request-too-large' });
  const awaited = await announce('/v1/sessions', megabyte + 1, 'desk');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(awaited.received()).toBe('');
});
