// The promise: a page that goes before it is told which session it has started leaves nothing at work; who has a key of its own may go.

import { expect, test } from 'vitest';
import { heldAgent, onSocket, secretOf } from './support/governed.ts';
import { rawClient } from './support/raw-client.ts';
import { BreakableStore } from './support/stores.ts';

const origin = 'https://www.example.com';
const keys = { site: { origins: [origin], agents: ['slow'], requestsPerMinute: 100 }, desk: {} };
const body = JSON.stringify({ agent: 'slow', input: 'Go.' });

async function house() {
  const store = new BreakableStore();
  const slow = heldAgent('slow');
  const { port, hall } = await onSocket({ keys, agents: [slow.agent], store });
  const start = async (key: keyof typeof keys) => {
    const client = await rawClient(port);
    const head = ['POST /v1/sessions HTTP/1.1', 'host: 127.0.0.1', `authorization: Bearer ${secretOf(key)}`];
    const rest = [`origin: ${origin}`, 'content-type: application/json', `content-length: ${body.length}`];
    client.send(`${[...head, ...rest].join('\r\n')}\r\n\r\n${body}`);
    return client;
  };
  return { store, slow, hall, start };
}

test('before the reply is written', async () => {
  const { store, slow, hall, start } = await house();
  // Nobody is told of a session that is not kept.
  store.hold();
  const client = await start('site');
  await expect.poll(() => slow.started()).toBe(1);
  const [live] = hall.lives;
  client.socket.destroy();
  await expect.poll(() => live?.head.status).toBe('cancelled');
  store.release();
  await expect.poll(() => hall.running).toBe(0);
});

test('with its reply it goes as it likes, and so does who has a secret', async () => {
  const { store, slow, hall, start } = await house();
  const told = await start('site');
  await expect.poll(() => told.received()).toContain('201 Created');
  told.socket.destroy();
  store.hold();
  const other = await start('desk');
  await expect.poll(() => slow.started()).toBe(2);
  other.socket.destroy();
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(hall.lives.map(({ head }) => head.status)).toEqual(['running', 'running']);
  store.release();
  for (let i = 0; i < 2; i++) slow.release();
  await expect.poll(() => hall.running).toBe(0);
});
