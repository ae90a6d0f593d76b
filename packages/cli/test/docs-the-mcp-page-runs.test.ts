// The promise: docs/mcp.md works as written: its servers start, the inspector calls them, its entry starts one for a client, and the
// agent that has a served team as its tools calls it.

import { ask, loadAgent } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/core/testing';
import { Client, type Tool } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FollowedPage } from './support/followed-page.ts';

const page = new FollowedPage('mcp.md');
const { folder, blocks } = page;

beforeAll(() => page.follow(), 60_000);
afterAll(() => page.end());

test('one server, and commands that show what they print', () => {
  expect([...page.ports.keys()]).toEqual(['8080']);
  expect(page.commands).toHaveLength(3);
  expect(page.shown).toHaveLength(3);
});

test.each(page.shown)('%s', (_, block) => {
  expect(page.outputOf(block)?.trimEnd()).toBe(page.shownBelow(block)?.trimEnd());
});

test('the entry for clients starts a server whose tools answer', async () => {
  const entry = blocks.find(({ language, text }) => language === 'json' && text.includes('"command"'))?.text ?? '{}';
  const [name, server] = Object.entries(JSON.parse(entry).mcpServers)[0] ?? [];
  expect(name).toBe('release-desk');
  const client = new Client({ name: 'page', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const { command, args } = server as { readonly command: string; readonly args: string[] };
  const env = { PATH: process.env.PATH ?? '', HOME: folder };
  await client.connect(new StdioClientTransport({ command, args, cwd: folder, env, stderr: 'ignore' }));
  try {
    const { tools } = await client.listTools();
    expect(tools.map((tool: Tool) => tool.name)).toEqual(['desk', 'faq', 'note']);
    const result = await client.callTool({ name: 'note', arguments: { text: 'Version 2.4 adds offline mode.' } });
    expect(result).toMatchObject({ content: [{ text: expect.stringContaining('2.4 adds offline mode') }] });
  } finally {
    await client.close();
  }
});

test('a model that has the team as its tools calls them', async () => {
  const { agent, session } = await loadAgent('front-desk/front.ai', { cwd: folder, env: {} });
  const calls = ['faq', 'note'].map((name) => ({
    name: `release__${name}`,
    input: { text: 'Version 2.4 adds offline mode.', format: 'text' },
  }));
  const model = scriptedModel([{ calls }, 'done']);
  expect(await ask({ ...agent, model }, 'Go.', session)).toMatchObject({ status: 'completed', text: 'done' });
  const results = model.requests[1]?.messages.flatMap((one) => (one.role === 'tool' ? one.content : []));
  expect(results).toHaveLength(2);
  for (const result of results ?? []) expect(JSON.stringify(result)).toContain('2.4 adds offline mode');
});
