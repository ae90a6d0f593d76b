import { Client as NewerClient, type Transport as NewerTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import {
  PromptListChangedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Transport } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import { AgentServers } from '../src/headends/mcp/agent-servers.ts';
import { serveConnection } from '../src/headends/mcp/connections.ts';
import { anybody } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { mcpApp } from './support/mcp-app.ts';

const before = [agentOf('one', () => 'ok')];
const now = [...before, agentOf('two', () => 'ok')];

test('over HTTP in the older revision', async () => {
  const app = mcpApp(before);
  const client = await app.older();
  const heard: string[] = [];
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => void heard.push('prompts'));
  expect((await client.listTools()).tools).toHaveLength(1);
  // The stream for what nobody asked for opens behind the greeting.
  await expect
    .poll(() => {
      app.serve(now);
      return new Set(heard).size;
    })
    .toBe(2);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['one', 'two']);
  expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['one', 'two']);
});

test('over HTTP in the newer revision, to who listens', async () => {
  const app = mcpApp(before);
  const client = await app.newer();
  const heard: string[] = [];
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => void heard.push('prompts'));
  const subscription = await client.listen({ toolsListChanged: true, promptsListChanged: true });
  expect((await client.listTools()).tools).toHaveLength(1);
  app.serve(now);
  await expect.poll(() => heard.toSorted()).toEqual(['prompts', 'tools']);
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['one', 'two']);
  await subscription.close();
});

test('over one channel for everything, until it is closed', async () => {
  const app = mcpApp(before);
  const servers = new AgentServers(app.hall, { version: '1.0.0' });
  onTestFinished(() => servers.close());
  const [near, far] = InMemoryTransport.createLinkedPair();
  const errors: Error[] = [];
  serveConnection(servers, { visitor: anybody }, far as Transport, { onError: (error) => void errors.push(error) });
  const client = new Client({ name: 'guest', version: '1.0.0' });
  const heard: string[] = [];
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => void heard.push('prompts'));
  await client.connect(near);
  expect(servers.size).toBe(1);
  app.serve(now);
  await expect.poll(() => heard.toSorted()).toEqual(['prompts', 'tools']);
  expect((await client.listTools()).tools).toHaveLength(2);
  await client.close();
  await expect.poll(() => servers.size).toBe(0);
  app.serve(before);
  expect(heard).toHaveLength(2);
  expect(errors).toEqual([]);
});

test('over one channel in the newer revision, to who listens', async () => {
  const app = mcpApp(before);
  const servers = new AgentServers(app.hall, { version: '1.0.0' });
  onTestFinished(() => servers.close());
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveConnection(servers, { visitor: anybody }, far as Transport, { onError: () => {} });
  const client = new NewerClient(
    { name: 'guest', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  onTestFinished(() => client.close());
  const heard: string[] = [];
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => void heard.push('prompts'));
  await client.connect(near as NewerTransport);
  await client.listen({ toolsListChanged: true, promptsListChanged: true });
  app.serve(now);
  await expect.poll(() => heard.toSorted()).toEqual(['prompts', 'tools']);
  expect((await client.listTools()).tools).toHaveLength(2);
});

test('where prompts are nobody’s to see, nobody is told of them', async () => {
  const app = mcpApp(before, { mcp: { prompts: false } });
  const client = await app.older();
  const heard: string[] = [];
  client.fallbackNotificationHandler = async ({ method }) => void heard.push(method);
  await expect
    .poll(() => {
      app.serve(now);
      return heard.length;
    })
    .toBeGreaterThan(0);
  expect(new Set(heard)).toEqual(new Set(['notifications/tools/list_changed']));
});
