// The promise: the inspector of the protocol's makers, at its strictest, has nothing to say against tools of any kind of agent, and everything else that it can ask is answered.

import type { JsonSchema } from '@ai-agent/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { hallOf } from './support/house.ts';
import { type Era, inspect } from './support/inspector.ts';
import { overHttp, type ServedMcp } from './support/mcp-routes.ts';

const tree: JsonSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    root: { $ref: '#/$defs/branch' },
    kind: { enum: ['oak', 'elm'] },
    found: { oneOf: [{ type: 'string', format: 'date' }, { type: 'integer' }] },
    beside: { type: 'array', items: { $ref: '#/$defs/branch' } },
  },
  required: ['root'],
  $defs: {
    branch: {
      type: 'object',
      properties: { name: { type: 'string' }, branches: { type: 'array', items: { $ref: '#/$defs/branch' } } },
      required: ['name'],
      additionalProperties: false,
    },
  },
};

const agents = [
  agentOf('text', () => 'said'),
  agentOf('data-in', ['said'], { input: { format: 'json', schema: tree } }),
  agentOf('data-out', ['{}'], { output: { format: 'json', schema: tree } }),
  agentOf('list-out', ['[]'], {
    output: {
      format: 'json',
      schema: { type: 'array', items: { $ref: '#/$defs/one' }, $defs: { one: { type: 'integer' } } },
    },
  }),
  agentOf('any-out', ['1'], {
    output: { format: 'json', schema: { anyOf: [{ type: 'object' }, { type: 'string' }] } },
  }),
  agentOf('names-that-are-taken', ['said'], {
    input: {
      format: 'json',
      schema: {
        type: 'object',
        properties: { format: { type: 'string' }, schema: { type: 'boolean' }, resume: { type: 'string' } },
      },
    },
  }),
  agentOf('asks', ['said'], { ask: 'person' }),
  agentOf('Größe/2 & "mehr".txt', ['said']),
];

let house: ServedMcp;
beforeAll(async () => {
  house = await overHttp.serve(hallOf(agents));
});
afterAll(() => house.close());

const asking =
  (era: Era) =>
  async (method: string, ...options: readonly string[]) => {
    const { code, result, stderr } = await inspect({ target: house.address, transport: 'http', era }, [
      '--method',
      method,
      ...options,
    ]);
    expect([code, method], stderr).toEqual([0, method]);
    return { result, stderr };
  };

describe.each(['legacy', 'modern'] as const)('%s', (era) => {
  const ask = asking(era);

  test('tools of agents of every kind are listed without an error', async () => {
    const { result, stderr } = await ask('tools/list', '--strict');
    expect(result.tools).toHaveLength(agents.length);
    // An answer may be anything, as the question is.
    expect(stderr.match(/(?<=Path: ).*/g)).toEqual(['inputSchema.properties.answer']);
    expect(stderr).toContain('0 errors, 1 warning');
  });

  test('prompts are listed and given', async () => {
    const { prompts } = (await ask('prompts/list')).result;
    expect(prompts).toHaveLength(agents.length);
    const { messages } = (await ask('prompts/get', '--prompt-name', 'text', '--prompt-args', 'text=Where?')).result;
    expect(JSON.stringify(messages)).toMatch(/You are text\..*Where\?/);
  });

  test('a run that has ended is listed and read', async () => {
    const { content } = (await ask('tools/call', '--tool-name', 'text', '--tool-arg', 'text=Where?')).result;
    expect(content).toMatchObject([{ text: 'said' }]);
    const { resources } = (await ask('resources/list')).result;
    const { contents } = (await ask('resources/read', '--uri', resources[0].uri)).result;
    expect(contents).toMatchObject([{ text: 'said' }]);
    expect((await ask('resources/templates/list')).result.resourceTemplates).toHaveLength(2);
  });
});

test('the level of the log is set, in the revision that knows one', async () => {
  expect((await asking('legacy')('logging/setLevel', '--log-level', 'debug')).result).toEqual({});
});
