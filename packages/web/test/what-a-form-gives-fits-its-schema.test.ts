// Whatever schema an agent has, there is a form for it: it takes what the schema allows, and gives what the schema allows.

import type { Json, JsonSchema } from '@ai-agent/core';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';
import { problemsIn } from '../src/forms/problems-in.ts';
import { toDraft, toFirstDraft } from '../src/forms/to-draft.ts';
import { toField } from '../src/forms/to-field.ts';
import { toValue } from '../src/forms/to-value.ts';
import { odd } from './support/odd-schemas.ts';

describe.each(Object.entries(odd))('%s', (_, { schema, values }) => {
  const field = toField(schema);

  test.each(values.map((value) => [value]))('takes %j and gives it again', (value) => {
    expect(errorsOf(schema, value)).toEqual([]);
    const draft = toDraft(field, value);
    expect([...problemsIn(field, draft)]).toEqual([]);
    expect(toValue(field, draft)).toEqual(value);
  });

  test('what stands in it at first is right, or something in it is said to be wrong', () => {
    const draft = toFirstDraft(field, true);
    const given = toValue(field, draft);
    if (problemsIn(field, draft).size === 0) expect(errorsOf(schema, given as Json)).toEqual(knownOnlyToServer(schema));
    else expect(given === undefined || errorsOf(schema, given).length > 0 || hasNull(given)).toBe(true);
  });
});

/** That one of two has to be there is no matter of a single field. */
function knownOnlyToServer(schema: JsonSchema): unknown {
  return schema === odd['variants that are only checks']?.schema ? expect.any(Array) : [];
}

function hasNull(value: Json): boolean {
  return JSON.stringify(value).includes('null');
}

function errorsOf(schema: JsonSchema, value: Json): readonly unknown[] {
  const validate = compiled.get(schema) ?? compile(schema);
  compiled.set(schema, validate);
  return validate(value) ? [] : (validate.errors ?? []);
}

const compiled = new Map<JsonSchema, ValidateFunction>();

/** As the server does. */
function compile(schema: JsonSchema): ValidateFunction {
  const options = { strict: false, validateFormats: false, allErrors: true, ownProperties: true };
  return (String(schema.$schema).includes('draft-07') ? new Ajv(options) : new Ajv2020(options)).compile(schema);
}

test('defaults, and what can be one thing only, stand in it from the beginning', () => {
  const field = toField({
    type: 'object',
    properties: {
      kind: { const: 'search' },
      version: { enum: [2] },
      limit: { type: 'integer', default: 10 },
      deep: { type: 'object', properties: { on: { type: 'boolean', default: true } }, required: ['on'] },
      optional: { type: 'object', properties: { on: { type: 'boolean', default: true } } },
      tags: { type: 'array', items: { type: 'string' }, default: ['a', 'b'] },
      strict: { type: 'boolean' },
      maybe: { type: 'string' },
    },
    required: ['kind', 'version', 'deep', 'strict'],
  });
  const draft = toFirstDraft(field, true);
  expect(problemsIn(field, draft).size).toBe(0);
  expect(toValue(field, draft)).toEqual({
    kind: 'search',
    version: 2,
    limit: 10,
    deep: { on: true },
    tags: ['a', 'b'],
    strict: false,
  });
});

test('each kind of field is shown as what it is', () => {
  const typeOf = (schema: JsonSchema) => {
    const { type, isLong, format } = { isLong: undefined, format: undefined, ...toField(schema) };
    return [type, ...(isLong ? ['long'] : []), ...(format ? [format] : [])].join(' ');
  };
  expect(typeOf({ type: 'string' })).toBe('text long');
  expect(typeOf({ type: 'string', maxLength: 120 })).toBe('text');
  expect(typeOf({ type: 'string', maxLength: 121 })).toBe('text long');
  expect(typeOf({ type: 'string', format: 'date-time' })).toBe('text date-time');
  expect(typeOf({ enum: ['a', 'b'] })).toBe('choice');
  expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'null' }] })).toBe('text long');
  expect(typeOf({ anyOf: [{ type: 'string' }, { type: 'number' }] })).toBe('variant');
  expect(typeOf({ type: 'array', items: { type: 'object', properties: { a: {} } } })).toBe('list');
  expect(typeOf({ $ref: 'https://example.org/schema.json' })).toBe('json');
  expect(typeOf({ $ref: '#/$defs/missing' })).toBe('json');
  expect(typeOf({ $ref: '#' })).toBe('json');
  expect(typeOf({ type: 'strange' })).toBe('json');
});

test('a schema that references make as large as they like has a form all the same, and soon', () => {
  const $defs: Record<string, JsonSchema> = { '0': { type: 'string' } };
  for (let level = 1; level <= 30; level++) {
    const next = { $ref: `#/$defs/${level - 1}` };
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i}`, next]));
    $defs[level] = { type: 'object', properties, anyOf: [next, next] };
  }
  const started = performance.now();
  const field = toField({ $ref: '#/$defs/30', $defs });
  toDraft(field, { p0: { p1: 'x' } });
  expect(performance.now() - started).toBeLessThan(2_000);
});
