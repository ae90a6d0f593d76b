// The promise: the document that a server gives out is all that another agent needs to have its agents as tools.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Agent, ask, openapiSpec } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/core/testing';
import { createApp, type DoorOptions, Hall, hashOf, Keys, listen, rest } from '@ai-agent/server';
import { expect, onTestFinished, test } from 'vitest';
import { defaultPorts, systemClock } from '../src/platform.ts';

const tree = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    below: { type: 'array', items: { $ref: '#' } },
    pet: { $ref: '#/definitions/pet' },
  },
  definitions: { pet: { enum: ['cat', 'dog'] } },
};

const agents: readonly Agent[] = [
  {
    name: 'weather',
    description: 'Knows the weather.',
    usage: 'Will it rain?',
    instructions: 'x',
    model: scriptedModel(({ messages }) => `Dry, to ${JSON.stringify(messages.at(-1))}`),
  },
  {
    name: 'family.tree',
    description: 'Counts a family.',
    instructions: 'x',
    model: scriptedModel(() => '{"count":2}'),
    input: { format: 'json', schema: tree },
    output: {
      format: 'json',
      schema: { type: 'object', required: ['count'], properties: { count: { type: 'integer' } } },
    },
  },
];

/** The document of a server on a socket, in a file; and where the server is. */
async function documentOf(door: DoorOptions = {}, headers: Readonly<Record<string, string>> = {}) {
  const served = agents.map((agent) => ({ name: agent.name, agent }));
  const hall = new Hall({ agents: () => served, ports: defaultPorts() });
  const { url, close } = await listen(createApp(hall, [rest()], door), { port: 0 });
  onTestFinished(() => close());
  const cwd = await mkdtemp(join(tmpdir(), 'served-'));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  await writeFile(join(cwd, 'openapi.json'), await (await fetch(`${url}/openapi.json`, { headers })).text());
  return { url, cwd };
}

interface Called {
  readonly name: string;
  readonly input: object;
}

/** What the boss is offered, and what came of its calls. */
async function callAll(
  calls: readonly Called[],
  more: { readonly auth?: Record<string, string>; readonly includeMethods?: readonly string[] } = {},
  door?: DoorOptions,
) {
  const key: Readonly<Record<string, string>> = door ? { authorization: 'Bearer the-key' } : {};
  const { url, cwd } = await documentOf(door, key);
  const house = openapiSpec('house', { spec: 'openapi.json', baseUrl: url, tagFilter: ['agents'], ...more }, { cwd });
  const model = scriptedModel([{ calls: [...calls] }, 'done']);
  const outcome = await ask({ name: 'boss', instructions: 'x', model, tools: [house] }, 'Go.');
  expect(outcome).toMatchObject({ status: 'completed', text: 'done' });
  const [first, second] = model.requests;
  const results = second?.messages.filter(({ role }) => role === 'tool').map((message) => JSON.stringify(message));
  return {
    offered: first?.tools.map(({ name }) => name),
    tools: first?.tools ?? [],
    results: results?.join('\n') ?? '',
  };
}

test('agents are offered, and answer in the address and with a body, in words and as JSON', async () => {
  const { offered, tools, results } = await callAll([
    { name: 'rest__house_ask_weather', input: { q: 'Snow & sun?' } },
    { name: 'rest__house_call_weather', input: { body: { text: 'In words.' } } },
    { name: 'rest__house_call_family_tree', input: { body: { name: 'a', below: [{ name: 'b', pet: 'cat' }] } } },
    { name: 'rest__house_ask_family_tree', input: { q: { name: 'a' } } },
  ]);
  expect(offered).toEqual([
    'rest__house_ask_weather',
    'rest__house_call_weather',
    'rest__house_ask_family_tree',
    'rest__house_call_family_tree',
  ]);
  expect(tools[0]?.description).toContain('Knows the weather.');
  expect(results).toMatch(/Dry, to [^}]*Snow & sun\?/);
  expect(results).toMatch(/Dry, to [^}]*In words\./);
  expect(results.match(/count\W+2/g)).toHaveLength(2);
});

test('a team is as many tools as it has agents', async () => {
  const call = { name: 'rest__house_call_weather', input: { body: { text: 'Sun?' } } };
  const { offered, results } = await callAll([call], { includeMethods: ['POST'] });
  expect(offered).toEqual(['rest__house_call_weather', 'rest__house_call_family_tree']);
  expect(results).toMatch(/Dry, to [^}]*Sun\?/);
});

test('what does not keep the contract of the agent is refused before anybody is asked', async () => {
  const input = { body: { name: 'a', below: [{ name: 'b', pet: 'cow' }] } };
  const { results } = await callAll([{ name: 'rest__house_call_family_tree', input }]);
  expect(results).toMatch(/must be one of|does not satisfy|pet/);
  expect(results).not.toContain('count');
});

test('where there are keys, the document says how they are sent', async () => {
  const keys = new Keys({ boss: { hash: hashOf('the-key'), agents: ['weather'] } }, systemClock);
  const call = { name: 'rest__house_ask_weather', input: { q: 'Rain?' } };
  for (const scheme of ['bearer', 'apiKey']) {
    const { offered, results } = await callAll([call], { auth: { [scheme]: 'the-key' } }, { keys });
    expect(offered).not.toContain('rest__house_ask_family_tree');
    expect(results).toMatch(/Dry, to .*Rain\?/);
  }
});
