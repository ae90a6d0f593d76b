// What a browser can see of a wrong answer is said beside the field, before anything is sent.

import type { Json, JsonSchema } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { problemsIn } from '../src/forms/problems-in.ts';
import { toDraft } from '../src/forms/to-draft.ts';
import { toField } from '../src/forms/to-field.ts';

function problemsOf(schema: JsonSchema, value: Json): Readonly<Record<string, string>> {
  const field = toField(schema);
  return Object.fromEntries(problemsIn(field, toDraft(field, value)));
}

const of = (schema: JsonSchema, value: Json) =>
  problemsOf({ type: 'object', properties: { it: schema } }, { it: value })['/it'];

test('what is missing is told at its place, and inside of what is not given nothing is missing', () => {
  const inner = { type: 'object', properties: { 'a/b': { type: 'string' } }, required: ['a/b'] };
  const schema = {
    type: 'object',
    properties: { inner, other: inner, list: { type: 'array', items: inner } },
    required: ['inner'],
  };
  expect(problemsOf(schema, { inner: {}, list: [{ 'a/b': 'x' }, {}] })).toEqual({
    '/inner/a~1b': 'This is needed.',
    '/list/1/a~1b': 'This is needed.',
  });
  expect(problemsOf(schema, {})).toEqual({ '/inner': 'This is needed.' });
});

test('bounds of numbers', () => {
  expect(of({ type: 'integer' }, 1.5)).toBe('A whole number.');
  expect(of({ type: 'number' }, 'many')).toBe('A number, as 3 or 2.5.');
  expect(of({ type: 'number', minimum: 1 }, 1)).toBeUndefined();
  expect(of({ type: 'number', minimum: 1 }, 0.9)).toBe('Not less than 1.');
  expect(of({ type: 'number', exclusiveMinimum: 1 }, 1)).toBe('More than 1.');
  expect(of({ type: 'number', minimum: 1, exclusiveMinimum: true }, 1)).toBe('More than 1.');
  expect(of({ type: 'number', exclusiveMaximum: 5 }, 5)).toBe('Less than 5.');
  expect(of({ type: 'number', maximum: 5 }, 6)).toBe('Not more than 5.');
  expect(of({ type: 'number', multipleOf: 0.1 }, 0.3)).toBeUndefined();
  expect(of({ type: 'number', multipleOf: 0.25 }, 0.3)).toBe('A multiple of 0.25.');
});

test('texts', () => {
  expect(of({ type: 'string', minLength: 2 }, 'a')).toBe('At least 2 characters; there are 1.');
  // One letter that is written as two units.
  expect(of({ type: 'string', maxLength: 1 }, '\u{1D11E}')).toBeUndefined();
  expect(of({ type: 'string', format: 'email' }, 'nobody')).toBe('An address as name@example.org.');
  expect(of({ type: 'string', format: 'uri' }, 'example.org')).toBe('A whole address, as https://example.org/page.');
  expect(of({ type: 'string', pattern: '^a+$' }, 'b')).toBe('This has to match ^a+$.');
  expect(of({ type: 'string', pattern: '(' }, 'b')).toBeUndefined();
});

test('lists, and what is something else than what is asked for', () => {
  expect(of({ type: 'array', items: { type: 'string' }, minItems: 2 }, ['a'])).toBe('At least 2; there is 1.');
  expect(of({ type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true, maxItems: 1 }, ['a', 'b'])).toBe(
    'At most 1; there are 2.',
  );
  expect(of({ type: 'string' }, { a: 1 })).toBe('This is something else than what is asked for here.');
  expect(of({ enum: ['a', 'b'] }, 'c')).toBe('This is something else than what is asked for here.');
  expect(of({ type: 'object' }, [1])).toBe('This has to be an object: { … }.');
});
