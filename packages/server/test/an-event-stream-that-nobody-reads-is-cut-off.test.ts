// The promise: who opens a stream of events and takes nothing of it is cut off when too much waits, and its runs end.

import { expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { hallOf } from './support/house.ts';
import { initialize, openMcp } from './support/mcp-channels.ts';
import { rawClient } from './support/raw-client.ts';

const long = 'x'.repeat(100_000);

test('a stream that nobody reads', { timeout: 15_000 }, async () => {
  const slow = agentOf('slow', () => ({ text: 'Never.', until: new Promise(() => {}) }));
  const hall = hallOf([slow, agentOf('long', () => 'Done.', { description: long })]);
  const { port, url } = await openMcp(hall, { maxWaitingBytes: 100_000 });
  const client = await rawClient(port, { isDeaf: true });
  client.send('GET /mcp/sse HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  await new Promise((resolve) => client.socket.once('readable', resolve));
  const [, endpoint = ''] = /data: (.*)\n/.exec(String(client.socket.read())) ?? [];
  let id = 1;
  const post = async (method: string, params: object) => {
    const body = method === 'initialize' ? initialize : JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params });
    const headers = { 'content-type': 'application/json' };
    return (await fetch(`${url}${endpoint}`, { method: 'POST', headers, body })).status;
  };
  expect(await post('initialize', {})).toBe(202);
  expect(await post('tools/call', { name: 'slow', arguments: { text: 'Go.' } })).toBe(202);
  await expect.poll(() => hall.running).toBe(1);
  await expect.poll(() => post('tools/list', {}), { interval: 1, timeout: 12_000 }).toBe(404);
  await expect.poll(() => hall.running).toBe(0);
});
