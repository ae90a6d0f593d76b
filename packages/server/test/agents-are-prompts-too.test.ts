import type { Agent } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import type { ServedAgent } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { mcpApp } from './support/mcp-app.ts';

const order = {
  type: 'object',
  properties: {
    company: { type: 'string', description: 'Whose it is' },
    amount: { type: 'number' },
    tags: { type: 'array', items: { type: 'string' } },
    code: { $ref: '#/$defs/code' },
  },
  required: ['company', 'amount'],
  additionalProperties: false,
  $defs: { code: { type: 'string' } },
};

const orders = agentOf('order.taker', () => 'never', { input: { format: 'json', schema: order } });

describe.each(['older', 'newer'] as const)('for a client of the %s revision', (kind) => {
  async function textsOf(agent: Agent | ServedAgent, args: Record<string, string> = {}, name = agent.name) {
    const clock = new FakeClock(Date.UTC(2026, 0, 31));
    const client = await mcpApp([agent], { ports: fakePorts({ clock }) })[kind]();
    const { messages } = await client.getPrompt({ name, arguments: args });
    for (const { role } of messages) expect(role).toBe('user');
    return messages.map(({ content }) => (content.type === 'text' ? content.text : ''));
  }

  test('there is one for each, under the name of its tool, with what it takes', async () => {
    const client = await mcpApp([agentOf('one', () => 'never'), orders])[kind]();
    const { prompts } = await client.listPrompts();
    const { tools } = await client.listTools();
    expect(prompts.map(({ name }) => name)).toEqual(tools.map(({ name }) => name));
    expect(prompts.map((prompt) => prompt.arguments)).toEqual([
      [{ name: 'text', description: 'What you ask, in words', required: false }],
      [
        { name: 'company', description: 'Whose it is', required: true },
        { name: 'amount', required: true },
        { name: 'tags', required: false },
        { name: 'code', required: false },
      ],
    ]);
  });

  test('the instructions come first, then what is asked', async () => {
    const one = agentOf('one', () => 'never');
    expect(await textsOf(one, { text: 'How tall?' })).toEqual(['You are one.', 'How tall?']);
    expect(await textsOf(one)).toEqual(['You are one.']);
  });

  test('they are rendered as for a session: the time, the contract, and what users may name', async () => {
    const agent = agentOf('one', () => 'never', {
      instructions: ({ now, output }) => `It is ${new Date(now).getUTCFullYear()}, in ${output.format}.`,
      output: { format: 'json', schema: { type: 'object', required: ['total'] } },
    });
    const fillPrompt = (text: string, now: number) => text.replace('NOW', new Date(now).toISOString());
    const [system, asked] = await textsOf({ name: 'one', agent, fillPrompt }, { text: 'At NOW?' });
    expect(system).toMatch(/^It is 2026, in json\./);
    expect(system).toContain('"required":["total"]');
    expect(asked).toBe('At 2026-01-31T00:00:00.000Z?');
  });

  test('no variable of the agent is in them, and nothing that looks like a key', async () => {
    const envOverlay = { API_KEY: 'k-123456789', DATABASE: 'postgres://me:word@host/db' };
    const agent = agentOf('one', () => 'never', {
      instructions: ({ env }) => `Use ${env.API_KEY} with ${env.DATABASE}, or ghp_${'a1B2c3D4'.repeat(4)}.`,
    });
    const said = (await textsOf({ name: 'one', agent, session: { envOverlay } })).join();
    expect(said).toBe('Use *** with ***, or ***.');
  });

  test('arguments of who takes data become that data', async () => {
    const [, asked] = await textsOf(orders, { company: '42', amount: '3', tags: '["a"]' });
    expect(JSON.parse(asked ?? '')).toEqual({ company: '42', amount: 3, tags: ['a'] });
    const list = agentOf('list', () => 'never', { input: { format: 'json', schema: { type: 'array' } } });
    expect((await textsOf(list, { input: '[1]' }))[1]).toBe('[1]');
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ['nobody', {}, /Unknown prompt: nobody/],
    ['order_taken', {}, /Did you mean order_taker/],
    ['order_taker', { company: 'Acme' }, /amount/],
    ['order_taker', { company: 'Acme', amount: 'many' }, /amount/],
    ['order_taker', { company: 'Acme', amount: '1', other: 'x' }, /other/],
  ])('%s with %j is refused', async (name, args, message) => {
    await expect(textsOf(orders, args, name)).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(message),
    });
  });

  test('what cannot be rendered is told to the house, and to nobody else', async () => {
    const told: unknown[] = [];
    const agent = agentOf('one', () => 'never', {
      instructions: () => {
        throw new Error('no file at /etc/place');
      },
    });
    const client = await mcpApp([agent], { onBug: (error) => void told.push(error) })[kind]();
    await expect(client.getPrompt({ name: 'one' })).rejects.toThrow(
      expect.objectContaining({ message: expect.not.stringContaining('/etc/place') }),
    );
    expect(String(told)).toContain('/etc/place');
  });

  test('whoever serves them may keep the instructions to themselves', async () => {
    const client = await mcpApp([orders], { mcp: { prompts: false } })[kind]();
    expect(client.getServerCapabilities()).not.toHaveProperty('prompts');
    await expect(client.getPrompt({ name: 'order_taker' })).rejects.toThrow();
    expect((await client.listTools()).tools).toHaveLength(1);
  });
});
