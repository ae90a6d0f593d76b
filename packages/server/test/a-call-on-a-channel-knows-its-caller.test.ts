// The promise: the headers of an agent that calls are heard on channels too: of the handshake for a WebSocket, of each post for events.

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { agentOf } from './contract/people.ts';
import { hallOf } from './support/house.ts';
import { initialize, openMcp, toWs } from './support/mcp-channels.ts';

const ancestry = { 'x-ai-agent-ancestry': 'lead:echo', 'x-ai-agent-depth': '2' };
const params = { name: 'echo', arguments: { text: 'Go.' } };

test('events', async () => {
  const { url } = await openMcp(hallOf([agentOf('echo', () => 'Said again.')]));
  const sent: Record<string, string> = {};
  const transport = new SSEClientTransport(new URL(`${url}/mcp/sse`), { requestInit: { headers: sent } });
  const client = new Client({ name: 'a test', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  expect(await client.callTool(params)).toMatchObject({ content: [{ text: 'Said again.' }] });
  Object.assign(sent, ancestry);
  const refused = await client.callTool(params);
  expect([refused.isError, JSON.stringify(refused)]).toEqual([true, expect.stringContaining('agent-cycle')]);
});

test('WebSocket', async () => {
  const { url } = await openMcp(hallOf([agentOf('echo', () => 'Said again.')]));
  const socket = new WebSocket(`${toWs(url)}/mcp/ws`, { headers: ancestry });
  onTestFinished(() => socket.terminate());
  await new Promise((resolve) => socket.once('open', resolve));
  const heard: string[] = [];
  socket.on('message', (data) => heard.push(data.toString()));
  socket.send(initialize);
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params }));
  await expect.poll(() => heard[1]).toContain('agent-cycle');
});
