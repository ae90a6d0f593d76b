// The form and the JSON beside it show the same value, also where that is not what the schema asks for.

import type { Json } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { isUnreadable, problemsIn } from '../src/forms/problems-in.ts';
import { toDraft } from '../src/forms/to-draft.ts';
import { toField } from '../src/forms/to-field.ts';
import { toValue } from '../src/forms/to-value.ts';
import { odd } from './support/odd-schemas.ts';

const values: readonly Json[] = [
  ...[null, true, false, 0, -1.5, 1e21, '', 'text', '12', ' 12 ', 'NaN'],
  ...[[], [[]], [null], ['a', 'a'], [{ kind: 'box' }], [1, 'two', { three: 3 }]],
  ...[{}, { name: 1 }, { name: null, age: '12', extra: { deep: [1] } }, { kind: 'circle', side: 1 }, { in: { in: 1 } }],
  JSON.parse('{"__proto__": {"a": 1}, "constructor": "x", "hasOwnProperty": 1}') as Json,
];

test.each(Object.entries(odd))('%s', (_, { schema }) => {
  const field = toField(schema);
  for (const value of values) {
    const draft = toDraft(field, value);
    expect(toValue(field, draft)).toEqual(value);
    expect(isUnreadable(field, draft)).toBe(false);
  }
});

test('what is no JSON yet is told apart, so that nobody loses it by looking at the other side', () => {
  const field = toField({ type: 'object', properties: { data: {} }, additionalProperties: true });
  const parts = new Map([['data', { type: 'json', text: '{ "a": ' } as const]]);
  expect(isUnreadable(field, { type: 'object', parts, rest: '' })).toBe(true);
  expect(isUnreadable(field, { type: 'object', parts: new Map(), rest: '{' })).toBe(true);
  const typed = { type: 'object', parts: new Map(), rest: '[1]' } as const;
  expect([...problemsIn(field, typed)]).toEqual([['/', 'This has to be an object: { … }.']]);
});
