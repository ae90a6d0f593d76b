// Whatever schema a tool or a report has, Gemini is sent one that its API takes, and that says as much as it can.

import type { JsonSchema } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { google } from './support/wires/google.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const cases: readonly (readonly [string, JsonSchema, object])[] = [
  ['nothing', {}, { type: 'object', properties: {} }],
  ['an empty object', { type: 'object' }, { type: 'object', properties: {} }],
  [
    'what only validators read',
    {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'urn:x',
      $comment: 'no',
      type: 'object',
      properties: { a: { type: 'string', pattern: '^a', minLength: 1, not: { const: 'b' } }, b: true },
      patternProperties: { '^x': {} },
      propertyNames: { pattern: 'a' },
      if: {},
      required: ['a', 'gone'],
      additionalProperties: false,
    },
    {
      type: 'object',
      properties: { a: { type: 'string', pattern: '^a', minLength: 1 }, b: {} },
      required: ['a'],
      additionalProperties: false,
    },
  ],
  [
    'references',
    {
      type: 'object',
      properties: {
        one: { $ref: '#/$defs/name', description: 'The first.' },
        two: { $ref: '#/definitions/pair' },
        three: { $ref: 'https://example.org/other.json' },
      },
      $defs: { name: { type: 'string', description: 'A name.' } },
      definitions: { pair: { type: 'array', items: { $ref: '#/$defs/name' } } },
    },
    {
      type: 'object',
      properties: {
        one: { type: 'string', description: 'The first.' },
        two: { type: 'array', items: { type: 'string', description: 'A name.' } },
        three: {},
      },
    },
  ],
  [
    'a reference to itself',
    {
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' } },
      $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } }, required: ['next'] } },
    },
    {
      type: 'object',
      properties: { tree: { type: 'object', properties: { next: {} }, required: ['next'] } },
    },
  ],
  [
    'constants and choices',
    {
      type: 'object',
      properties: {
        kind: { const: 'a' },
        size: { enum: [1, 2] },
        maybe: { enum: ['x', null], description: 'Perhaps.' },
      },
    },
    {
      type: 'object',
      properties: {
        kind: { enum: ['a'] },
        size: { enum: [1, 2] },
        maybe: { description: 'Perhaps. One of: "x", null.' },
      },
    },
  ],
  [
    'several types',
    {
      type: 'object',
      properties: {
        a: { type: ['string', 'null'] },
        b: { type: ['string', 'integer'], description: 'Either.' },
        c: { type: 'fancy' },
      },
    },
    {
      type: 'object',
      properties: {
        a: { type: ['string', 'null'] },
        b: { description: 'Either.', anyOf: [{ type: 'string' }, { type: 'integer' }] },
        c: {},
      },
    },
  ],
  [
    'one of, any of, all of',
    {
      oneOf: [{ properties: { a: { const: 1 } }, required: ['a'] }, { $ref: '#/$defs/b' }],
      allOf: [
        { properties: { x: { type: 'string' } }, required: ['x'] },
        { properties: { y: { anyOf: [{ type: 'string' }, { type: 'number' }] } }, required: ['y'] },
      ],
      $defs: { b: { type: 'object' } },
    },
    {
      type: 'object',
      properties: { x: { type: 'string' }, y: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      required: ['x', 'y'],
      oneOf: [{ type: 'object', properties: { a: { enum: [1] } }, required: ['a'] }, { type: 'object' }],
    },
  ],
  [
    'formats and lists',
    {
      type: 'object',
      properties: {
        mail: { type: 'string', format: 'email' },
        when: { type: 'string', format: 'date-time' },
        format: { type: 'string' },
        pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
        map: { type: 'object', additionalProperties: { type: 'number', exclusiveMinimum: 0 } },
      },
    },
    {
      type: 'object',
      properties: {
        mail: { type: 'string' },
        when: { type: 'string', format: 'date-time' },
        format: { type: 'string' },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] },
        map: { type: 'object', additionalProperties: { type: 'number' } },
      },
    },
  ],
];

test.each(cases)('%s', async (_, inputSchema, expected) => {
  const { model, requests } = await serveWire(google, [{ text: 'Yes.' }]);
  const tools = [{ name: 'look', description: 'Looks.', inputSchema }];
  await model.call(requestOf({ tools }), contextOf());
  expect(requests[0]?.body.tools).toEqual([
    { functionDeclarations: [{ name: 'look', description: 'Looks.', parametersJsonSchema: expected }] },
  ]);
});

test('schemas that refer to each other again and again stay small', async () => {
  const { model, requests } = await serveWire(google, [{ text: 'Yes.' }]);
  const layers = Array.from({ length: 30 }, (_, i) => [
    `l${i}`,
    { type: 'object', properties: { a: { $ref: `#/$defs/l${i + 1}` }, b: { $ref: `#/$defs/l${i + 1}` } } },
  ]);
  const inputSchema = { type: 'object', $ref: '#/$defs/l0', $defs: Object.fromEntries(layers) };
  const all = { allOf: [{ $ref: '#' }] };
  const tools = [inputSchema, all].map((schema, i) => ({ name: `t${i}`, description: '', inputSchema: schema }));
  await model.call(requestOf({ tools }), contextOf());
  expect(JSON.stringify(requests[0]?.body).length).toBeLessThan(200_000);
});

test('a report is held to a schema that is taken too', async () => {
  const { model, requests } = await serveWire(google, [{ text: '{}' }]);
  const schema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { const: 'x' } } };
  await model.call(requestOf({ output: { format: 'json', schema } }), contextOf());
  expect(requests[0]?.body.generationConfig).toEqual({
    responseMimeType: 'application/json',
    responseJsonSchema: { type: 'object', properties: { a: { enum: ['x'] } } },
  });
});

test('a configuration that names formats decides which go', async () => {
  const config = { stringSchemaFormatsAllowed: ['email'] };
  const { model, requests } = await serveWire(google, [{ text: 'Yes.' }], { config });
  const properties = { a: { type: 'string', format: 'email' }, b: { type: 'string', format: 'date-time' } };
  const tools = [{ name: 'look', description: '', inputSchema: { type: 'object', properties } }];
  await model.call(requestOf({ tools }), contextOf());
  expect(JSON.stringify(requests[0]?.body.tools)).toContain('"format":"email"');
  expect(JSON.stringify(requests[0]?.body.tools)).not.toContain('date-time');
});
