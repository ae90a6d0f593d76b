import type { Agent, JsonSchema } from '@ai-agent/core';
import { Ajv } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { mcpApp } from './support/mcp-app.ts';

const company = { type: 'object', properties: { company: { type: 'string' } }, required: ['company'] };

/** Of each: a schema that is fine here, and a value of it. */
const schemas: readonly (readonly [name: string, schema: JsonSchema, value: unknown])[] = [
  ['plain', { ...company, additionalProperties: false }, { company: 'Acme' }],
  ['list', { type: 'array', items: { $ref: '#/$defs/n' }, $defs: { n: { type: 'number' } } }, [1, 2]],
  ['word', { type: 'string', minLength: 1 }, 'text'],
  ['nothing', { type: 'null' }, null],
  ['either', { oneOf: [company, { type: 'string' }] }, { company: 'Acme' }],
  ['either object', { ...company, anyOf: [{ required: ['company'] }, { required: ['other'] }] }, { company: 'Acme' }],
  ['reference', { $ref: '#/$defs/one', $defs: { one: company } }, { company: 'Acme' }],
  [
    'tree',
    { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false },
    { next: { next: {} } },
  ],
  ['other tree', { type: 'object', properties: { up: { $ref: '#' } }, additionalProperties: false }, { up: {} }],
  ['named', { $id: 'https://example.com/one', ...company }, { company: 'Acme' }],
  ['named too', { $id: 'https://example.com/one', type: 'object', required: ['other'] }, { other: 1 }],
  ...(['string', 'number'] as const).map(
    (type) =>
      [
        `named, and refers to itself: ${type}`,
        {
          $id: 'https://example.com/whole',
          type: 'object',
          properties: { a: { $ref: 'https://example.com/whole#/$defs/part' } },
          $defs: { part: { type } },
        },
        { a: type === 'string' ? 'text' : 1 },
      ] as const,
  ),
  ['boolean parts', { type: 'object', properties: { a: true, b: false } }, { a: 1 }],
  ['draft 4', { $schema: 'http://json-schema.org/draft-04/schema#', ...company }, { company: 'Acme' }],
  ['draft 7', { $schema: 'http://json-schema.org/draft-07/schema#', ...company }, { company: 'Acme' }],
  ['2019-09', { $schema: 'https://json-schema.org/draft/2019-09/schema', ...company }, { company: 'Acme' }],
  ['2020-12', { $schema: 'https://json-schema.org/draft/2020-12/schema', ...company }, { company: 'Acme' }],
  ['a dialect of its own', { $schema: 'https://example.com/dialect', ...company }, { company: 'Acme' }],
  [
    'tuple of draft 7',
    { type: 'object', properties: { pair: { type: 'array', items: [{ type: 'number' }] } } },
    { pair: [1] },
  ],
  [
    'tuple',
    { type: 'object', properties: { pair: { prefixItems: [{ type: 'number' }], items: false } } },
    { pair: [1] },
  ],
  ['format', { type: 'object', properties: { day: { type: 'string', format: 'date' } } }, { day: '2024-02-29' }],
  ['a property called format', { type: 'object', properties: { format: { type: 'string' } } }, { format: 'A4' }],
  [
    'anchor',
    { type: 'object', properties: { a: { $ref: '#b' } }, $defs: { b: { $anchor: 'b', type: 'number' } } },
    { a: 1 },
  ],
  [
    'a schema',
    { type: 'object', properties: { schema: { $ref: 'https://json-schema.org/draft/2020-12/schema' } } },
    { schema: { type: 'string' } },
  ],
];

const agents: readonly Agent[] = schemas.map(([name, schema, value]) =>
  agentOf(`gives.${name.replaceAll(/\W+/g, '-')}`, () => JSON.stringify(value), {
    input: { format: 'json', schema },
    output: { format: 'json', schema },
  }),
);

const nameOf = (name: string) => `gives_${name.replaceAll(/\W+/g, '-')}`;

describe.each(['older', 'newer'] as const)('with a client of the %s revision', (kind) => {
  test('every tool is listed, with arguments that everybody takes', async () => {
    const client = await mcpApp(agents)[kind]();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(schemas.map(([name]) => nameOf(name)));
    // As a program that holds all of them in one place.
    const reader = new Ajv2020({ strict: false, validateSchema: false });
    const olderReader = new Ajv({ strict: false, validateSchema: false });
    for (const { name, inputSchema } of tools) {
      expect(inputSchema.type, name).toBe('object');
      expect(
        refused.filter((key) => key in inputSchema),
        name,
      ).toEqual([]);
      const { $schema } = inputSchema as { $schema?: string };
      expect(() => ($schema === undefined ? reader : olderReader).compile(inputSchema), name).not.toThrow();
    }
  });

  test.each(schemas)('the answer of the one that gives %s is taken', async (name, schema, value) => {
    const client = await mcpApp(agents)[kind]();
    const { tools } = await client.listTools();
    const { inputSchema } = tools.find((tool) => tool.name === nameOf(name)) ?? {};
    const args = 'input' in (inputSchema?.properties ?? {}) ? { input: value } : value;
    const result = await client.callTool({ name: nameOf(name), arguments: args as Record<string, unknown> });
    expect(result.isError).toBeUndefined();
    expect(result.content).toEqual([{ type: 'text', text: JSON.stringify(value) }]);
    // The older revision knows only objects.
    const isWrapped = kind === 'older' && schema.type !== 'object';
    expect(result.structuredContent).toEqual(isWrapped ? { result: value } : value);
  });

  test('parts that are true or false are written as objects', async () => {
    const client = await mcpApp(agents)[kind]();
    const { tools } = await client.listTools();
    const listed = JSON.stringify(tools.map(({ inputSchema, outputSchema }) => ({ inputSchema, outputSchema })));
    expect(listed.replaceAll(/"additionalProperties":(?:true|false)/g, '')).not.toMatch(/:(?:true|false)/);
    const { inputSchema } = tools.find(({ name }) => name === nameOf('boolean parts')) ?? {};
    expect(inputSchema?.properties).toMatchObject({ a: {}, b: { not: {} } });
  });

  test('a schema that some clients cannot compile is not promised, and spoils no list', async () => {
    const client = await mcpApp(agents)[kind]();
    const { tools } = await client.listTools();
    expect(tools.filter(({ outputSchema }) => !outputSchema).map(({ name }) => name)).toEqual(['gives_a-schema']);
  });
});

/** By those who have models call tools. */
const refused = ['anyOf', 'oneOf', 'allOf', '$ref', 'enum', 'not'];
