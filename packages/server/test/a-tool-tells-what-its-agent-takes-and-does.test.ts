import { type Agent, asPartner, asTool, defineTool, type ToolOffer } from '@ai-agent/core';
import { expect, test } from 'vitest';
import type { ServedAgent } from '../src/index.ts';
import { agentOf, leadOf } from './contract/people.ts';
import { mcpApp } from './support/mcp-app.ts';

async function toolOf(agent: Agent, more: Partial<ServedAgent> = {}) {
  const client = await mcpApp([{ name: agent.name, agent, ...more }]).newer();
  const [tool] = (await client.listTools()).tools;
  if (!tool) throw new Error('no tool');
  return {
    client,
    ...tool,
    properties: (tool.inputSchema.properties ?? {}) as Record<string, Record<string, unknown>>,
  };
}

const report = { type: 'object', properties: { total: { type: 'number' } }, required: ['total'] };

test('its name is safe everywhere, its title is its name, and either is called', async () => {
  const { client, name, title, description } = await toolOf(agentOf('research.icp', () => 'found'));
  expect({ name, title, description }).toEqual({
    name: 'research_icp',
    title: 'research.icp',
    description: 'does research.icp',
  });
  for (const called of ['research_icp', 'research.icp'])
    expect((await client.callTool({ name: called, arguments: { text: 'go' } })).content).toEqual([
      { type: 'text', text: 'found' },
    ]);
  await expect(client.callTool({ name: 'research_icq', arguments: {} })).rejects.toMatchObject({
    code: -32602,
    message: expect.stringContaining('Did you mean research_icp?'),
  });
});

test('who takes words shows an example beside them', async () => {
  const { inputSchema, properties } = await toolOf(
    agentOf('plain', () => 'ok'),
    { usage: 'how tall is it' },
  );
  expect(inputSchema.required).toEqual(['text', 'format']);
  expect(properties.text?.description).toBe('What you ask, in words. For example: how tall is it');
  expect(Object.keys(properties)).toEqual(['text', 'format', 'schema', 'resume']);
  expect(properties.format?.enum).toEqual(['text', 'markdown', 'json']);
});

test('a format is required where there is a choice, and a call without one gets the default', async () => {
  const markdown = agentOf('plain', () => '**yes**', { output: { format: 'markdown' } });
  const { client, inputSchema, properties } = await toolOf(markdown);
  expect(inputSchema.required).toEqual(['text', 'format']);
  expect(properties.format?.description).toContain('Without it: markdown');
  const asked = await client.callTool({ name: 'plain', arguments: { text: 'go', format: 'markdown' } });
  const unsaid = await client.callTool({ name: 'plain', arguments: { text: 'go' } });
  expect(unsaid.isError).not.toBe(true);
  expect(unsaid.content).toEqual(asked.content);
});

test('who takes data keeps its own names, and what we offer steps aside', async () => {
  const schema = {
    type: 'object',
    properties: { format: { type: 'string' }, schema: { type: 'string' } },
    required: ['format'],
    additionalProperties: false,
  };
  const agent = agentOf('print', ({ messages }) => JSON.stringify(messages.at(-1)), {
    input: { format: 'json', schema },
    usage: '{"format":"A4"}',
  });
  const { client, inputSchema, properties, description } = await toolOf(agent);
  expect(inputSchema).toMatchObject({ required: ['format', '_format'], additionalProperties: false });
  expect(Object.keys(properties)).toEqual(['format', 'schema', '_format', '_schema', 'resume']);
  expect(description).toBe('does print\n\nFor example: {"format":"A4"}');
  const { content } = await client.callTool({ name: 'print', arguments: { format: 'A4', _format: 'markdown' } });
  expect(JSON.stringify(content)).toContain('A4');
  expect(JSON.stringify(content)).not.toContain('markdown');
});

test('who has a contract offers no other form, and takes the word for it', async () => {
  const { client, inputSchema, properties, outputSchema } = await toolOf(
    agentOf('sum', () => '{"total":3}', { output: { format: 'json', schema: report } }),
  );
  expect(Object.keys(properties)).toEqual(['text', 'format', 'resume']);
  expect(inputSchema.required).toEqual(['text']);
  expect(properties.format?.enum).toEqual(['json']);
  expect(outputSchema).toEqual(report);
  for (const format of ['json', 'text'])
    expect(await client.callTool({ name: 'sum', arguments: { text: 'go', format } })).toMatchObject({
      structuredContent: { total: 3 },
      content: [{ type: 'text', text: '{"total":3}' }],
    });
});

test('what is promised is what the last of a chain gives', async () => {
  const last = agentOf('last', () => '{"total":4}', { output: { format: 'json', schema: report } });
  const { client, outputSchema } = await toolOf(agentOf('first', () => 'words', { handoff: [asPartner(last)] }));
  expect(outputSchema).toEqual(report);
  expect((await client.callTool({ name: 'first', arguments: { text: 'go' } })).structuredContent).toEqual({ total: 4 });
});

const looks = defineTool({ name: 'look', inputSchema: { type: 'object' }, readOnly: true, execute: () => 'seen' });
const acts = defineTool({ name: 'act', inputSchema: { type: 'object' }, execute: () => 'done' });
const child = asTool(agentOf('child', () => 'ok')) as ToolOffer;

test.each<[string, Partial<Agent>, boolean | undefined]>([
  ['has no tools', {}, true],
  ['only looks', { tools: [looks] }, true],
  ['may act', { tools: [looks, acts] }, undefined],
  ['calls others', { tools: [child] }, undefined],
  ['has advisors', { advisors: [asPartner(agentOf('advisor', () => 'ok'))] }, undefined],
])('that it changes nothing is said only where it is known: one that %s', async (_, more, isReadOnly) => {
  const { annotations } = await toolOf(agentOf('one', () => 'ok', more));
  expect(annotations).toEqual({ title: 'one', ...(isReadOnly ? { readOnlyHint: true } : {}) });
});

test('how to answer is told of every agent that may ask, itself or below', async () => {
  const needsApproval = { name: 'act', description: 'acts', inputSchema: { type: 'object' }, needsApproval: true };
  const acts = { ...needsApproval, execute: () => 'done' };
  const asks = agentOf('asks', () => 'x', { ask: 'person' });
  const app = mcpApp([
    agentOf('silent', () => 'x', { tools: [{ ...acts, needsApproval: false }] }),
    asks,
    agentOf('acts', () => 'x', { tools: [acts] }),
    agentOf('permitted', () => 'x', { permissions: { ask: ['act'] } }),
    leadOf('above', leadOf('between', asks)),
    agentOf('advised', () => 'x', { advisors: [asPartner(asks)] }),
    leadOf(
      'above-acts',
      agentOf('acts-below', () => 'x', { tools: [acts] }),
    ),
  ]);
  const { tools } = await (await app.older()).listTools();
  const told = tools.map(({ name, inputSchema }) => [
    name,
    'answer' in (inputSchema.properties ?? {}),
    inputSchema.required,
  ]);
  const asking = ['asks', 'acts', 'permitted', 'above', 'advised', 'above-acts'];
  expect(told).toEqual([['silent', false, ['text', 'format']], ...asking.map((name) => [name, true, ['format']])]);
});
