// A JSON contract is enforced by the provider where model and schema allow it, beside tools; else only by ourselves.

import type { JsonSchema } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, requestOf, ways } from './support/calling.ts';
import { anthropic } from './support/wires/anthropic.ts';
import { type ServeOptions, serveWire } from './support/wires/serve-wire.ts';

const search = { name: 'search', description: 'Searches.', inputSchema: { type: 'object' } };
const names = Array.from({ length: 20 }, (_, i) => `p${i}`);
const report: JsonSchema = {
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 3, format: 'slug' },
    score: { type: ['number', 'null'], minimum: 0 },
  },
  required: ['title', 'score'],
};

test.each(ways)(
  '%s: the schema is sent, without what would be refused, and tools can still be called',
  async (_, context) => {
    const calls = [{ id: 'toolu_1', name: 'search', input: { q: 'x' } }];
    const { model, requests } = await serveWire(anthropic, [{ calls }, { text: '{"title":"abc","score":1}' }]);
    const asked = requestOf({ tools: [search], output: { format: 'json', schema: report } });
    const reply = await model.call(asked, context());
    expect(reply.message.content).toMatchObject([{ type: 'tool-call', name: 'search', input: '{"q":"x"}' }]);
    const { tools, tool_choice: choice, output_config: config } = requests[0]?.body ?? {};
    expect(tools).toMatchObject([{ name: 'search' }]);
    expect(choice).toBeUndefined();
    const schema = JSON.stringify(config);
    expect(config).toMatchObject({
      format: {
        type: 'json_schema',
        schema: { type: 'object', required: ['title', 'score'], additionalProperties: false },
      },
    });
    expect(schema).not.toMatch(/"(minLength|format|minimum)":("slug"|\d)/);
    const answer = await model.call(asked, context());
    expect(answer.message.content).toMatchObject([{ type: 'text', text: '{"title":"abc","score":1}' }]);
  },
);

describe('nothing is sent, and no tool is forced,', () => {
  const unsafe: readonly (readonly [string, JsonSchema])[] = [
    ['which is open', { type: 'object', additionalProperties: true }],
    ['which is no object', { type: 'array', items: { type: 'string' } }],
    ['which is a choice', { anyOf: [report, { type: 'object', properties: {} }] }],
    ['with a part that is anything', { type: 'object', properties: { a: {} }, required: ['a'] }],
    ['with a part that is always right', { type: 'object', properties: { a: true }, required: ['a'] }],
    ['with a list of anything', { type: 'object', properties: { a: { type: 'array' } }, required: ['a'] }],
    ['that refers to itself', { type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] }],
    [
      'that refers elsewhere',
      { type: 'object', properties: { a: { $ref: 'https://example.org/a' } }, required: ['a'] },
    ],
    ['with all of several', { type: 'object', properties: { a: { allOf: [report] } }, required: ['a'] }],
    ['with objects to choose from', { type: 'object', properties: { a: { enum: [{ b: 1 }] } }, required: ['a'] }],
    ['with many options', { type: 'object', properties: many({ type: 'string' }) }],
    ['with many choices', { type: 'object', properties: many({ type: ['string', 'null'] }), required: names }],
  ];

  test.each(unsafe)('for a schema %s', async (_, schema) => {
    expect(await formatOf(schema)).toEqual([undefined, undefined, undefined]);
  });

  test('for no schema, a model that cannot, or where the configuration says so', async () => {
    expect(await formatOf(undefined)).toEqual([undefined, undefined, undefined]);
    expect(await formatOf(report, { model: 'claude-sonnet-4-20250514' })).toEqual([undefined, undefined, undefined]);
    expect(await formatOf(report, { model: 'some-model' })).toEqual([undefined, undefined, undefined]);
    const config = { supportsStructuredOutputs: false };
    expect(await formatOf(report, { config })).toEqual([undefined, undefined, undefined]);
    expect((await formatOf(report))[0]).toBeDefined();
  });
});

function many(schema: JsonSchema): Record<string, JsonSchema> {
  return Object.fromEntries(names.map((name) => [name, schema]));
}

async function formatOf(schema: JsonSchema | undefined, options: ServeOptions = {}) {
  const { model, requests } = await serveWire(anthropic, [{ text: '{}' }], options);
  await model.call(requestOf({ output: { format: 'json', ...(schema ? { schema } : {}) } }), contextOf());
  const { output_config: config, tools, tool_choice: choice } = requests[0]?.body ?? {};
  return [config, tools, choice];
}
