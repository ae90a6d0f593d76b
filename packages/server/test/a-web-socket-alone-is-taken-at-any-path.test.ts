// The promise: on a port of its own a WebSocket is taken wherever a client asks for it; beside others only at its address.

import { expect, test } from 'vitest';
import { hallOf } from './support/house.ts';
import { handshake, openMcp } from './support/mcp-channels.ts';
import { rawClient } from './support/raw-client.ts';

async function statusOf(port: number, path: string): Promise<number> {
  const client = await rawClient(port);
  client.send(handshake(path));
  await expect.poll(client.received).toContain('\r\n\r\n');
  client.socket.destroy();
  return Number(client.received().split(' ')[1]);
}

test.each([
  [true, [101, 101, 101]],
  [false, [404, 404, 101]],
])('alone: %s', async (isAlone, statuses) => {
  const { port, url } = await openMcp(hallOf([]), { transports: ['ws'], isAlone });
  expect(await Promise.all(['/', '/any/path?x=1', '/mcp/ws'].map((path) => statusOf(port, path)))).toEqual(statuses);
  expect((await fetch(`${url}/any/path`)).status).toBe(404);
  expect((await fetch(`${url}/mcp`)).status).toBe(404);
});
