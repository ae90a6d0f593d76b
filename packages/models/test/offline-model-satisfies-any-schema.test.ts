// The offline model finds arguments for any reasonable schema: core's own door lets them through at the first try.

import { ask, inProcess, type JsonSchema } from '@ai-agent/core';
import { fakePorts, strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { offlineDemo } from '../src/offline/offline-demo.ts';

const object = (properties: JsonSchema, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
});
const value = (schema: unknown, more: JsonSchema = {}) => object({ value: schema }, more);
const node = { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#/$defs/node' } } };

const schemas: Record<string, JsonSchema> = {
  'nothing at all': {},
  'an object without properties': { type: 'object' },
  'nothing allowed': object({}),
  'a free text': value({ type: 'string' }),
  'a short text': value({ type: 'string', maxLength: 5 }),
  'a single character': value({ type: 'string', minLength: 1, maxLength: 1 }),
  'a long text': value({ type: 'string', minLength: 500 }),
  'a text of exact length': value({ type: 'string', minLength: 7, maxLength: 7 }),
  'several types': value({ type: ['null', 'integer', 'string'] }),
  'only null': value({ type: 'null' }),
  'a nullable text': value({ type: 'string', nullable: true }),
  'a boolean that must be true': value({ type: 'boolean', const: true }),
  'one of a few': value({ enum: ['red', 3, null] }),
  'one of a few of a type': value({ type: 'integer', enum: ['red', 3] }),
  'a structured constant': value({ const: { a: [1, { b: null }] } }),
  'an integer within bounds': value({ type: 'integer', minimum: 17, maximum: 18 }),
  'an integer strictly within bounds': value({ type: 'integer', exclusiveMinimum: 4, exclusiveMaximum: 6 }),
  'a negative number': value({ type: 'number', exclusiveMaximum: -3 }),
  'a fraction': value({ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }),
  'a narrow fraction': value({ type: 'number', minimum: 0.25, exclusiveMaximum: 0.3 }),
  'a multiple': value({ type: 'integer', multipleOf: 7, minimum: 50 }),
  'a multiple of a fraction': value({ type: 'number', multipleOf: 0.25, exclusiveMinimum: 3 }),
  'a whole multiple of a fraction': value({ type: 'integer', multipleOf: 1.5, minimum: 4 }),
  'a number by its bounds alone': value({ minimum: 100 }),
  'a code': value({ type: 'string', pattern: '^[A-Z]{2,3}-\\d{4}$' }),
  'a slug': value({ type: 'string', pattern: '^[a-z0-9]+(?:-[a-z0-9]+)*$', minLength: 12 }),
  'a colour': value({ type: 'string', pattern: '^#(?:[0-9a-fA-F]{3}){1,2}$' }),
  'a semantic version': value({ type: 'string', pattern: '^v?\\d+\\.\\d+\\.\\d+(-[\\w.]+)?$' }),
  'one of some beginnings': value({ type: 'string', pattern: '^(?:get|set)_[^\\s_]+$' }),
  'letters of any script': value({ type: 'string', pattern: '^\\p{Lu}\\p{Ll}+$' }),
  'a list': value({ type: 'array', items: { type: 'string' }, minItems: 3 }),
  'a list of different texts': value({ type: 'array', items: { type: 'string' }, minItems: 6, uniqueItems: true }),
  'a list of different objects': value({ items: object({ id: { type: 'integer' } }), minItems: 4, uniqueItems: true }),
  'a list of different choices': value({
    type: 'array',
    items: { enum: ['a', 'b', 'c'] },
    minItems: 3,
    uniqueItems: true,
  }),
  'a tuple': value({
    prefixItems: [{ type: 'number' }, { type: 'string' }, { const: 'x' }],
    items: false,
    minItems: 3,
  }),
  'a list that contains': value({ type: 'array', contains: { const: 'key' }, minContains: 1, minItems: 2 }),
  'an old tuple': {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...value({ type: 'array', items: [{ type: 'boolean' }, { type: 'integer' }], additionalItems: false, minItems: 2 }),
  },
  'one branch of several': value({
    oneOf: [
      { type: 'integer', minimum: 5 },
      { type: 'string', maxLength: 3 },
    ],
  }),
  'exactly one branch': value({ oneOf: [{ type: 'number' }, { type: 'integer' }] }),
  'any branch': value({ anyOf: [{ type: 'string', pattern: '^\\d+$' }, { type: 'boolean' }] }),
  'all at once': value({ allOf: [{ type: 'string', minLength: 3 }, { maxLength: 4 }] }),
  'all objects at once': {
    allOf: [
      object({ a: { type: 'string' } }, { additionalProperties: true }),
      { required: ['b'], properties: { b: { type: 'integer' } } },
    ],
    type: 'object',
  },
  'variants told apart by a constant': value({
    oneOf: [
      object({ kind: { const: 'circle' }, radius: { type: 'number', exclusiveMinimum: 0 } }),
      object({ kind: { const: 'box' }, sides: { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 2 } }),
    ],
  }),
  'either of two properties': {
    type: 'object',
    properties: { id: { type: 'integer' }, name: { type: 'string' } },
    oneOf: [{ required: ['id'] }, { required: ['name'] }],
    additionalProperties: false,
  },
  'not a text': value({ not: { type: 'string' } }),
  'a condition': {
    type: 'object',
    properties: { kind: { enum: ['mail', 'post'] }, address: { type: 'string', format: 'email' } },
    required: ['kind'],
    if: { properties: { kind: { const: 'mail' } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required: ['address'] },
  },
  'dependent properties': {
    type: 'object',
    properties: { text: { type: 'string' }, language: { type: 'string' } },
    dependentRequired: { text: ['language'] },
  },
  'at least some properties': { type: 'object', minProperties: 3, additionalProperties: { type: 'integer' } },
  'properties by pattern': {
    type: 'object',
    patternProperties: { '^x-[a-z]+$': { type: 'boolean' } },
    additionalProperties: false,
    minProperties: 1,
  },
  'a reference': { ...value({ $ref: '#/$defs/size' }), $defs: { size: { enum: ['S', 'M'] } } },
  'an old reference': {
    ...value({ $ref: '#/definitions/size' }),
    definitions: { size: { type: 'integer', minimum: 40 } },
  },
  'a reference with a slash in its name': { ...value({ $ref: '#/$defs/a~1b' }), $defs: { 'a/b': { const: 9 } } },
  'a list that goes on for ever': { ...value({ $ref: '#/$defs/node' }), $defs: { node } },
  'a tree of itself': {
    ...value({ $ref: '#/$defs/tree' }),
    $defs: {
      tree: object({ label: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } }),
    },
  },
  'a recursion with a way out': {
    ...value({ $ref: '#/$defs/expr' }),
    $defs: {
      expr: {
        anyOf: [object({ left: { $ref: '#/$defs/expr' }, right: { $ref: '#/$defs/expr' } }), { type: 'integer' }],
      },
    },
  },
  'a default that fits': value({ type: 'integer', default: 42, minimum: 40 }),
  'a default that does not fit': value({ type: 'integer', default: 'many', minimum: 40 }),
  'an example beside a hard pattern': value({
    type: 'string',
    pattern: '^(?=.*\\d)(?=.*[a-z]).{8}$',
    examples: ['abcdefg1'],
  }),
  'a deep order': object({
    customer: object({
      name: { type: 'string', minLength: 2 },
      emails: { type: 'array', items: { format: 'email', type: 'string' }, minItems: 2, uniqueItems: true },
    }),
    lines: {
      type: 'array',
      minItems: 2,
      items: object({
        sku: { type: 'string', pattern: '^[A-Z]\\d{3}$' },
        count: { type: 'integer', minimum: 1, maximum: 9 },
        tags: { type: 'array', items: { enum: ['new', 'used'] } },
      }),
    },
    payment: {
      oneOf: [
        object({ card: { type: 'string', pattern: '^\\d{16}$' } }),
        object({ iban: { type: 'string', minLength: 15, maxLength: 34 } }),
      ],
    },
  }),
};

describe('The offline model calls a tool with', () => {
  test.each(Object.entries(schemas))('%s', async (_name, inputSchema) => {
    const received: unknown[] = [];
    const tool = { name: 'probe', inputSchema, execute: (args: unknown) => String(received.push(args)) };
    const agent = { name: 'prober', instructions: 'You probe.', model: offlineDemo(), tools: [tool] };
    const outcome = await ask(agent, 'Send 3 parcels to Mia Berg, please.', {
      ports: fakePorts(),
      runtime: strict(inProcess),
    });
    expect(outcome).toMatchObject({ status: 'completed' });
    expect(received, outcome.text).toHaveLength(1);
    expect(outcome.usage.modelCalls).toBe(2);
  });
});
