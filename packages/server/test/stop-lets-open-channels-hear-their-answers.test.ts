// The promise: a server that stops lets what runs end and its answer arrive on every channel; then all of them close, and so does it.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { WebSocketClientTransport } from '@modelcontextprotocol/sdk/client/websocket.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { agentOf } from './contract/people.ts';
import { gate, hallOf } from './support/house.ts';
import { channels, handshake, openMcp, toWs } from './support/mcp-channels.ts';
import { rawClient } from './support/raw-client.ts';

test.each(channels)('%s', async (_, connect) => {
  const { opened, open } = gate();
  const hall = hallOf([agentOf('slow', () => ({ text: 'At last.', until: opened }))]);
  const house = await openMcp(hall);
  const client = await connect(house.url);
  const idle = await connect(house.url);
  const answer = client.callTool({ name: 'slow', arguments: { text: 'Go.' } });
  await expect.poll(() => hall.running).toBe(1);
  const stopped = house.stop(5_000);
  expect(await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, 50, 'waits'))])).toBe('waits');
  // Who has a channel may still use it for what starts nothing.
  expect((await idle.listTools()).tools).toHaveLength(1);
  open();
  expect(await answer).toMatchObject({ content: [{ text: 'At last.' }] });
  await stopped;
});

test('a call that waits for a person hears what comes of it', async () => {
  const asker = agentOf('asker', () => ({ calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }), {
    ask: 'person',
  });
  const house = await openMcp(hallOf([asker]));
  const client = new Client({ name: 'a test', version: '1' }, { capabilities: { elicitation: {} } });
  const asked = gate();
  const { opened: answered, open: answer } = gate();
  client.setRequestHandler(ElicitRequestSchema, async () => {
    asked.open();
    await answered;
    return { action: 'decline' };
  });
  await client.connect(new WebSocketClientTransport(new URL(`${toWs(house.url)}/mcp/ws`)));
  const result = client.callTool({ name: 'asker', arguments: { text: 'Go.' } });
  await asked.opened;
  const stopped = house.stop(5_000);
  setTimeout(answer, 20);
  expect(JSON.stringify(await result)).toContain('Which?');
  await stopped;
});

test('a WebSocket is told that the server goes, and is let go', async () => {
  const house = await openMcp(hallOf([]));
  const socket = new WebSocket(`${toWs(house.url)}/mcp/ws`);
  await new Promise((resolve) => socket.once('open', resolve));
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  const began = performance.now();
  await house.stop(5_000);
  expect(await closed).toBe(1_001);
  expect(performance.now() - began).toBeLessThan(900);
});

test('who does not say that it has heard keeps nobody', async () => {
  const house = await openMcp(hallOf([]));
  const client = await rawClient(house.port, { allowHalfOpen: true });
  client.send(handshake());
  await expect.poll(client.received).toContain(' 101 ');
  await house.stop(5_000);
});

test('a listener that closes leaves a WebSocket alone for as long as it is told, and no longer', async () => {
  const { listening, url } = await openMcp(hallOf([]));
  const socket = new WebSocket(`${toWs(url)}/mcp/ws`);
  await new Promise((resolve) => socket.once('open', resolve));
  const closed = new Promise((resolve) => socket.on('close', resolve));
  listening.drain();
  const settled = listening.close(200);
  const pong = new Promise((resolve) => socket.once('pong', resolve));
  socket.ping();
  await pong;
  await settled;
  await closed;
});
