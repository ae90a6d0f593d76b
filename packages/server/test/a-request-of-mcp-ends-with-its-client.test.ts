// The promise: in the revision of MCP without sessions a run ends at once when its client closes the response, and no other does.

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { agentOf, call } from './contract/people.ts';
import { heldAgent } from './support/governed.ts';
import { listenTo, mcpHttp, onPort, rawPost } from './support/mcp-http.ts';
import { rawClient } from './support/raw-client.ts';

const revision = '2026-07-28';

function requestOf(id: number, name: string, more: object = {}) {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
    ...more,
  };
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: { text: 'Go.' }, _meta } };
}

function headersOf(name: string): Record<string, string> {
  return { 'mcp-protocol-version': revision, 'mcp-method': 'tools/call', 'mcp-name': name };
}

/** One that says something before it is held, so that its answer is a stream by then. */
function talker() {
  const waiting: (() => void)[] = [];
  const agent = agentOf('talker', (_, count) => {
    if (count % 2 === 1) return call('nothing', {});
    const until = Promise.withResolvers<void>();
    waiting.push(until.resolve);
    return { text: 'I am talker.', until: until.promise };
  });
  return { agent, started: () => waiting.length, release: () => waiting.shift()?.() };
}

function house() {
  const slow = heldAgent('slow');
  const talking = talker();
  return { ...mcpHttp({ agents: [slow.agent, talking.agent] }), slow, talking };
}

test.each(['slow', 'talker'])('a raw socket that is closed (%s)', async (name) => {
  const all = house();
  const { port } = await onPort(all);
  const agent = name === 'slow' ? all.slow : all.talking;
  const stays = await rawClient(port);
  const goes = await rawClient(port);
  const meta = name === 'talker' ? { progressToken: 1 } : {};
  for (const client of [stays, goes]) client.send(rawPost(requestOf(1, name, meta), headersOf(name)));
  await expect.poll(agent.started).toBe(2);
  if (name === 'talker') await expect.poll(goes.received).toContain('notifications/progress');
  else expect(goes.received()).toBe('');
  goes.socket.destroy();
  await expect.poll(() => all.ended).toEqual(['cancelled']);
  expect(all.hall.running).toBe(1);
  agent.release();
  agent.release();
  await expect.poll(stays.received).toContain(`I am ${name}.`);
  expect([all.ended, all.bugs]).toEqual([['cancelled', 'completed'], []]);
});

test('a body that is cancelled', async () => {
  const all = house();
  const headers = headersOf('talker');
  const stream = listenTo(await all.post(requestOf(1, 'talker', { progressToken: 1 }), { headers }));
  await expect.poll(all.talking.started).toBe(1);
  await stream.drop();
  await expect.poll(() => all.ended).toEqual(['cancelled']);
  expect(all.bugs).toEqual([]);
});

test('a client of the SDK that calls off one of two calls', async () => {
  const all = house();
  const { endpoint } = await onPort(all);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(endpoint));
  const off = new AbortController();
  const asked = { name: 'slow', arguments: { text: 'Go.' } };
  const goes = client.callTool(asked, { signal: off.signal });
  const failed = expect(goes).rejects.toThrow();
  const stays = client.callTool(asked);
  await expect.poll(all.slow.started).toBe(2);
  off.abort();
  await failed;
  await expect.poll(() => all.ended).toEqual(['cancelled']);
  expect(all.hall.running).toBe(1);
  all.slow.release();
  all.slow.release();
  expect(await stays).toMatchObject({ content: [{ text: 'I am slow.' }] });
  expect([all.ended, all.bugs]).toEqual([['cancelled', 'completed'], []]);
});

test('who listens for changes is let go when the server closes', async () => {
  const all = house();
  const { endpoint, close } = await onPort(all);
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  onTestFinished(() => client.close());
  await client.connect(new StreamableHTTPClientTransport(endpoint));
  const listening = await client.listen({ toolsListChanged: true });
  await all.hall.stop(0);
  await all.headend.close?.();
  await listening.closed;
  await close();
  expect(all.bugs).toEqual([]);
});
