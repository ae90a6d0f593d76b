// The promise: who answers no ping, or takes nothing of what waits for it, is cut off, and its runs end.

import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { agentOf } from './contract/people.ts';
import { hallOf } from './support/house.ts';
import { frame, handshake, initialize, openMcp, toWs } from './support/mcp-channels.ts';
import { rawClient } from './support/raw-client.ts';

const call = JSON.stringify({
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'slow', arguments: { text: 'Go.' } },
});

const slow = () => agentOf('slow', () => ({ text: 'Never.', until: new Promise(() => {}) }));

test('half of a connection ends, and with it what ran for it', async () => {
  const hall = hallOf([slow()]);
  const { port } = await openMcp(hall, { pingMs: 60 });
  const client = await rawClient(port);
  client.socket.write(handshake() + frame(initialize) + frame(call), 'latin1');
  await expect.poll(() => hall.running).toBe(1);
  await client.closed;
  await expect.poll(() => hall.running).toBe(0);
});

test('who answers pings stays, however long it says nothing', async () => {
  const { url } = await openMcp(hallOf([slow()]), { pingMs: 150 });
  const socket = new WebSocket(`${toWs(url)}/mcp/ws`);
  let pings = 0;
  socket.on('ping', () => {
    pings++;
  });
  await expect.poll(() => pings).toBeGreaterThan(3);
  expect(socket.readyState).toBe(WebSocket.OPEN);
  socket.terminate();
});

test.each([
  ['answers', frame('{"jsonrpc":"2.0","id":3,"method":"tools/list"}')],
  ['pongs', frame('x'.repeat(125), 9)],
])('who takes nothing is cut off when too many %s wait', async (_, ask) => {
  const hall = hallOf([slow()]);
  const { port } = await openMcp(hall, { maxWaitingBytes: 50_000 });
  const client = await rawClient(port, { isDeaf: true });
  client.socket.write(handshake() + frame(initialize) + frame(call), 'latin1');
  await expect.poll(() => hall.running).toBe(1);
  const ended = new Promise((resolve) => client.socket.once('close', resolve));
  const timer = setInterval(() => client.socket.write(ask.repeat(2_000), 'latin1'), 5);
  await Promise.race([ended, expect.poll(() => hall.running, { timeout: 8_000 }).toBe(0)]);
  clearInterval(timer);
  await expect.poll(() => hall.running).toBe(0);
});
