// The promise: neither progress nor the log of a call has a secret of its agent in it, nor what would drive a terminal, nor pages of text.

import { asTool, defineTool, type ToolOffer } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { Hall } from '../src/index.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { type Note, older } from './support/mcp-listeners.ts';

const secret = 'correct-horse-battery-staple';

test('whoever said it: a title, a tool that failed, a child', async () => {
  const leak = defineTool({
    name: 'leak',
    description: 'fails loudly',
    inputSchema: { type: 'object' },
    execute: () => {
      throw new Error(`The key ${secret} was refused.\n\u001b[31m${'x'.repeat(5_000)}`);
    },
  });
  const child = agentOf('child', (request) => lastResult(request) ?? { calls: [{ name: 'leak', input: {} }] }, {
    tools: [leak],
  });
  const lead = agentOf(
    'lead',
    (request) =>
      lastResult(request) ? 'Done.' : { calls: [{ name: 'child', input: { reason: `with ${secret}`, text: 'go' } }] },
    { tools: [asTool(child) as ToolOffer] },
  );
  const session = { envOverlay: { API_KEY: secret } };
  const hall = new Hall({ agents: () => [{ name: 'lead', agent: lead, session }], ports: fakePorts() });
  const listener = await older(hall, 'memory');
  await listener.setLevel('debug');
  const notes: Note[] = [];
  await listener.call('lead', { onprogress: (note) => void notes.push(note) });
  const told = JSON.stringify([notes, listener.logged]);
  expect(told).toContain('was refused.');
  expect(told).not.toContain(secret);
  expect(told).not.toContain('\\u001b');
  const longest = Math.max(...[...notes, ...listener.logged].map((one) => JSON.stringify(one).length));
  expect(longest).toBeLessThan(1_000);
});
