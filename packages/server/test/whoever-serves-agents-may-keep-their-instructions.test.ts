import { fakePorts } from '@ai-agent/core/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { createApi } from '../src/embedding/index.ts';
import { agentOf } from './contract/people.ts';

async function capabilitiesOf(mcpPrompts?: boolean) {
  const api = createApi({
    agents: [agentOf('one', () => 'ok')],
    ports: fakePorts(),
    ...(mcpPrompts === undefined ? {} : { mcpPrompts }),
  });
  const client = new Client({ name: 'guest', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
    fetch: (url, init) => api.fetch(new Request(url, init)),
  });
  await client.connect(transport);
  onTestFinished(async () => {
    await client.close();
    await api.stop(0);
  });
  return Object.keys(client.getServerCapabilities() ?? {}).sort();
}

test.each([
  [undefined, ['logging', 'prompts', 'resources', 'tools']],
  [true, ['logging', 'prompts', 'resources', 'tools']],
  [false, ['logging', 'resources', 'tools']],
])('mcpPrompts %s', async (mcpPrompts, expected) => {
  expect(await capabilitiesOf(mcpPrompts)).toEqual(expected);
});
