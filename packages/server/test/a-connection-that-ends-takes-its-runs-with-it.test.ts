// The promise: who closes its channel ends what runs for it at once, and nothing of anybody else's.

import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { agentOf } from './contract/people.ts';
import { gate, hallOf } from './support/house.ts';
import { channels, initialize, openMcp, toWs } from './support/mcp-channels.ts';

test.each(channels)('%s', async (_, connect) => {
  const { opened, open } = gate();
  const hall = hallOf([agentOf('slow', () => ({ text: 'At last.', until: opened }))]);
  const { url } = await openMcp(hall);
  const [leaver, stayer] = await Promise.all([connect(url), connect(url)]);
  const lost = [1, 2].map(() => leaver.callTool({ name: 'slow', arguments: { text: 'Go.' } }).catch(() => 'gone'));
  const kept = stayer.callTool({ name: 'slow', arguments: { text: 'Go.' } });
  await expect.poll(() => hall.running).toBe(3);
  await leaver.close();
  await expect.poll(() => hall.running).toBe(1);
  expect(await Promise.all(lost)).toEqual(['gone', 'gone']);
  open();
  expect(await kept).toMatchObject({ content: [{ text: 'At last.' }] });
});

test('also where two calls came under one id, and one of them has its answer', async () => {
  const slow = agentOf('slow', () => ({ text: 'Never.', until: new Promise(() => {}) }));
  const hall = hallOf([slow]);
  const { url } = await openMcp(hall);
  const socket = new WebSocket(`${toWs(url)}/mcp/ws`);
  await new Promise((resolve) => socket.once('open', resolve));
  const heard: string[] = [];
  socket.on('message', (data) => heard.push(data.toString()));
  socket.send(initialize);
  const params = { name: 'slow', arguments: { text: 'Go.' } };
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params }));
  await expect.poll(() => hall.running).toBe(1);
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }));
  await expect.poll(() => heard).toHaveLength(2);
  socket.terminate();
  await expect.poll(() => hall.running).toBe(0);
});
