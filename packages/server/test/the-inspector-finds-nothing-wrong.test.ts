// The promise: the inspector of the protocol's makers, at its strictest, has nothing to say against tools of any kind of agent, and everything else that it can ask is answered.

import type { JsonSchema } from '@ai-agent/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
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
    height: { type: ['number', 'null'] },
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
  agentOf('text', ['said']),
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

const ask = (era: Era, ...options: readonly string[]) =>
  inspect({ target: house.address, transport: 'http', era }, options);

test.each(['legacy', 'modern'] as const)(
  'tools of every kind of agent are listed, and nothing is said against them (%s)',
  async (era) => {
    const { code, result, stderr } = await ask(era, '--method', 'tools/list', '--strict');
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(result.tools).toHaveLength(agents.length);
  },
);
