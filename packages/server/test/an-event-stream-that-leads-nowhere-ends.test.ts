// The promise: who has once answered whether it is there, and then does not any more, is gone, and its runs end; who never answers stays.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { PingRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, onTestFinished, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { hallOf } from './support/house.ts';
import { initialize, openMcp } from './support/mcp-channels.ts';

const headers = { 'content-type': 'application/json' };

async function open(pingMs: number) {
  const hall = hallOf([agentOf('slow', () => ({ text: 'Never.', until: new Promise(() => {}) }))]);
  const { url } = await openMcp(hall, { pingMs });
  const gone = new AbortController();
  onTestFinished(() => gone.abort());
  const response = await fetch(`${url}/mcp/sse`, { signal: gone.signal });
  let heard = '';
  let isOver = false;
  void (async () => {
    const decoder = new TextDecoder();
    for await (const piece of response.body ?? []) heard += decoder.decode(piece);
    isOver = true;
  })().catch(() => {});
  await expect.poll(() => heard).toContain('endpoint');
  const [, endpoint = ''] = /data: (.*)\n/.exec(heard) ?? [];
  const post = (body: object | string) =>
    fetch(`${url}${endpoint}`, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : JSON.stringify({ jsonrpc: '2.0', ...body }),
    });
  await post(initialize);
  await post({ id: 2, method: 'tools/call', params: { name: 'slow', arguments: { text: 'Go.' } } });
  await expect.poll(() => hall.running).toBe(1);
  await expect.poll(() => heard).toContain('"method":"ping"');
  return { hall, post, heard: () => heard, isOver: () => isOver, leave: () => gone.abort() };
}

test('who has answered once and then no more', async () => {
  const { hall, post, heard, isOver } = await open(30);
  const [, id] = /"id":"([^"]*)","method":"ping"/.exec(heard()) ?? [];
  await post({ id, result: {} });
  await expect.poll(isOver).toBe(true);
  await expect.poll(() => hall.running).toBe(0);
});

test('who never answers is asked once, and stays', async () => {
  const { hall, heard, isOver, leave } = await open(20);
  await expect.poll(() => heard().match(/^: /gm)?.length).toBeGreaterThan(5);
  expect(heard().match(/"method":"ping"/g)).toHaveLength(1);
  expect([isOver(), hall.running]).toEqual([false, 1]);
  leave();
  await expect.poll(() => hall.running).toBe(0);
});

test('who goes on answering stays, however long it says nothing', async () => {
  const { url } = await openMcp(hallOf([agentOf('echo', () => 'Said again.')]), { pingMs: 150 });
  const client = new Client({ name: 'a test', version: '1' });
  let pings = 0;
  client.setRequestHandler(PingRequestSchema, () => {
    pings++;
    return {};
  });
  await client.connect(new SSEClientTransport(new URL(`${url}/mcp/sse`)));
  onTestFinished(() => client.close());
  await expect.poll(() => pings).toBeGreaterThan(3);
  const answer = await client.callTool({ name: 'echo', arguments: { text: 'Go.' } });
  expect(answer).toMatchObject({ content: [{ text: 'Said again.' }] });
});
