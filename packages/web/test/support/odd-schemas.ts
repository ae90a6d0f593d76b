// Schemas as agents write them and as nobody should, each with values that satisfy it.

import type { Json, JsonSchema } from '@ai-agent/core';

export interface Odd {
  readonly schema: JsonSchema;
  readonly values: readonly Json[];
}

const person = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name'],
  additionalProperties: false,
};

const shape = {
  oneOf: [
    {
      title: 'Circle',
      type: 'object',
      properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
      required: ['kind', 'radius'],
    },
    { type: 'object', properties: { kind: { enum: ['box'] }, side: { type: 'number' } }, required: ['kind', 'side'] },
  ],
};

export const odd: Readonly<Record<string, Odd>> = {
  'a plain object': { schema: person, values: [{ name: 'Ada', age: 36 }, { name: '' }] },
  'a text alone': { schema: { type: 'string', maxLength: 40 }, values: ['', 'x', 'null', '12'] },
  'a number alone': {
    schema: { type: 'number', minimum: -2, exclusiveMaximum: 3, multipleOf: 0.5 },
    values: [0.5, -2, 1],
  },
  'anything at all': { schema: {}, values: [null, 1, 'a', [], { a: { b: [1] } }] },
  'an object of anything': { schema: { type: 'object' }, values: [{}, { a: 1, b: [2] }] },
  'nothing to fill in': { schema: { type: 'object', properties: {} }, values: [{}, { a: 1 }] },
  'choices with titles': {
    schema: {
      oneOf: [
        { const: 'a', title: 'First' },
        { const: 2, title: 'Second' },
      ],
    },
    values: ['a', 2],
  },
  'values of an enum that are no text': {
    schema: { enum: ['a', 1, true, null, { a: [1] }, ''] },
    values: ['a', 1, true, null, { a: [1] }, ''],
  },
  'null alone': {
    schema: { type: 'object', properties: { none: { type: 'null' } }, required: ['none'] },
    values: [{ none: null }],
  },
  'null beside a type': {
    schema: {
      type: 'object',
      properties: {
        a: { type: ['string', 'null'] },
        b: { anyOf: [{ type: 'number' }, { type: 'null' }] },
        c: { ...person, type: ['object', 'null'] },
      },
      required: ['a', 'b', 'c'],
    },
    values: [
      { a: null, b: null, c: null },
      { a: 'x', b: 2, c: { name: 'Ada' } },
    ],
  },
  'several types': {
    schema: { type: ['string', 'integer', 'array'], items: { type: 'boolean' } },
    values: ['1', 1, [true, false], []],
  },
  variants: {
    schema: { type: 'array', items: shape },
    values: [
      [],
      [
        { kind: 'box', side: 2 },
        { kind: 'circle', radius: 1 },
      ],
    ],
  },
  'variants on a common ground': {
    schema: {
      type: 'object',
      properties: { id: { type: 'string' } },
      required: ['id'],
      anyOf: [
        { properties: { url: { type: 'string', format: 'uri' } }, required: ['url'] },
        { properties: { path: { type: 'string' } }, required: ['path'] },
      ],
    },
    values: [
      { id: '1', url: 'https://example.org' },
      { id: '2', path: '/x' },
    ],
  },
  'variants that are only checks': {
    schema: {
      type: 'object',
      properties: { mail: { type: 'string' }, phone: { type: 'string' } },
      anyOf: [{ required: ['mail'] }, { required: ['phone'] }],
    },
    values: [{ mail: 'a' }, { phone: 'b' }],
  },
  references: {
    schema: {
      type: 'object',
      properties: {
        first: { $ref: '#/$defs/person' },
        rest: { type: 'array', items: { $ref: '#/definitions/a~1b%25' } },
      },
      required: ['first'],
      $defs: { person },
      definitions: { 'a/b%': { allOf: [{ $ref: '#/$defs/person' }], description: 'As Pydantic writes it' } },
    },
    values: [{ first: { name: 'Ada' }, rest: [{ name: 'Bob', age: 1 }] }],
  },
  'a reference back to itself': {
    schema: {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
        },
      },
    },
    values: [{ name: 'a', children: [{ name: 'b', children: [] }] }],
  },
  'deeper than a form goes': { schema: deep(12), values: [deepValue(12)] },
  'all of several': {
    schema: {
      allOf: [
        person,
        {
          properties: { age: { type: 'integer', maximum: 200 }, mail: { type: 'string', format: 'email' } },
          required: ['mail'],
        },
      ].map(({ additionalProperties, ...part }: JsonSchema) => part),
    },
    values: [{ name: 'Ada', mail: 'ada@example.org' }],
  },
  'names that programs trip over': {
    schema: {
      type: 'object',
      properties: JSON.parse(
        '{"__proto__": {"type": "string"}, "constructor": {"type": "number"}, "a/b~c": {"type": "string"}, "": {"type": "boolean"}}',
      ) as JsonSchema,
      required: ['toString'],
    },
    values: [
      JSON.parse('{"__proto__": "x", "constructor": 1, "a/b~c": "y", "": true, "toString": [1]}') as Json,
      { toString: null } as unknown as Json,
    ],
  },
  'more properties than it names': {
    schema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: { type: 'number' } },
    values: [{ a: 'x', b: 1, c: 2 }, {}],
  },
  'a list with each value once': {
    schema: { type: 'array', items: { enum: ['a', 'b', 'c'] }, uniqueItems: true, minItems: 1 },
    values: [['b'], ['c', 'a']],
  },
  'a tuple': {
    schema: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
    values: [['a', 1], []],
  },
  'a dialect of its own': {
    schema: { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object', properties: { n: { minimum: 1 } } },
    values: [{ n: 1 }],
  },
  'no type, only signs of one': {
    schema: { properties: { list: { items: { pattern: '^a' } } } },
    values: [{ list: ['a'] }],
  },
};

function deep(levels: number): JsonSchema {
  return levels === 0 ? { type: 'string' } : { type: 'object', properties: { in: deep(levels - 1) }, required: ['in'] };
}

function deepValue(levels: number): Json {
  return levels === 0 ? 'found' : { in: deepValue(levels - 1) };
}
