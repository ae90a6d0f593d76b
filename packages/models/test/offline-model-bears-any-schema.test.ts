// A schema from outside cannot take the offline model down: whatever it says, a value is there at once, or an empty one.

import { callsOf, isObject, type JsonSchema, userMessage } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { offlineDemo } from '../src/offline/offline-demo.ts';

const value = (schema: unknown): JsonSchema => ({ type: 'object', properties: { value: schema }, required: ['value'] });
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const object = (count: number, make: (i: number) => unknown) =>
  Object.fromEntries(times(count, (i) => [`p${i}`, make(i)]));
const nested = (levels: number, wrap: (inner: unknown) => JsonSchema) =>
  times(levels, () => wrap).reduce<unknown>((inner, next) => next(inner), { type: 'string' });
const anyOf = (count: number) => ({ anyOf: times(count, (i) => ({ required: [`p${i}`] })) });
const kinds = (count: number): JsonSchema => ({
  type: 'object',
  properties: { kind: { enum: times(count, (i) => `k${i}`) }, ...object(count, () => ({ type: 'string' })) },
  required: ['kind'],
  allOf: times(count, (i) => ({
    if: { properties: { kind: { const: `k${i}` } }, required: ['kind'] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    then: { required: [`p${i}`] },
  })),
});
const twice = (name: string) => ({
  type: 'object',
  properties: { a: { $ref: `#/$defs/${name}` }, b: { $ref: `#/$defs/${name}` } },
  required: ['a', 'b'],
});
const text = { type: 'string' };

async function argumentsFor(inputSchema: JsonSchema, prompt = 'Check supercalifragilisticexpialidocious_x now!') {
  const tools = [{ name: 'probe', description: '', inputSchema }];
  const messages = [userMessage(prompt)];
  const start = workedMs();
  const request = { system: '', messages, tools, output: { format: 'text' }, settings: {} } as const;
  const { message } = await offlineDemo().call(request, { signal: new AbortController().signal });
  const [call] = callsOf(message);
  return { args: JSON.parse(call?.input ?? '') as unknown, ms: workedMs() - start };
}

/** What this thread has worked: others may need the machine meanwhile. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const hostile: Record<string, JsonSchema> = {
  'a product of branches': { type: 'object', allOf: times(12, () => anyOf(4)) },
  'a product of hopeless branches': { type: 'object', allOf: times(500, () => anyOf(4)), maxProperties: 0 },
  'many branches': value({ oneOf: times(3000, (i) => ({ const: i })) }),
  'branches within branches': value(
    nested(12, (inner) => ({ anyOf: [{ properties: { a: inner }, required: ['a'] }, inner] })),
  ),
  'many conditions': kinds(500),
  'many properties': {
    type: 'object',
    properties: object(3000, () => text),
    required: Object.keys(object(3000, () => 0)),
  },
  'many patterns': {
    type: 'object',
    properties: object(2000, (i) => ({ ...text, pattern: `^[a-z]+-${i}$` })),
    minProperties: 2000,
  },
  'many keys by pattern': {
    type: 'object',
    properties: object(500, () => text),
    required: Object.keys(object(500, () => 0)),
    patternProperties: Object.fromEntries(times(500, (i) => [`^p${i}(a|b)*$`, {}])),
  },
  'many joined parts': {
    type: 'object',
    allOf: times(2000, (i) => ({ properties: { [`p${i}`]: text } })),
    minProperties: 2000,
  },
  'a repeat of a repeat': value({ ...text, pattern: '^(a{2000}){2000}$' }),
  'repeats of nothing': value({ ...text, pattern: `^${'('.repeat(9)}${'){999}'.repeat(9)}$` }),
  'a pattern of classes': value({ ...text, pattern: `^${'[^a-f\\d]'.repeat(600)}$` }),
  'a pattern of groups': value({ ...text, pattern: '('.repeat(50_000) }),
  'alternatives in a row': value({ ...text, pattern: `^${'(a|a)'.repeat(60)}b$` }),
  'lists of lists': value({ type: 'array', minItems: 1000, items: { type: 'array', minItems: 1000, items: text } }),
  'a long list of different things': value({
    type: 'array',
    minItems: 1000,
    uniqueItems: true,
    items: { enum: [1, 2] },
  }),
  'a tree of references': {
    ...value({ $ref: '#/$defs/n30' }),
    $defs: { n0: text, ...Object.fromEntries(times(30, (i) => [`n${i + 1}`, twice(`n${i}`)])) },
  },
  'a contradiction that refers to itself': {
    ...value({ ...text, anyOf: [{ $ref: '#/$defs/x' }] }),
    $defs: { x: { allOf: [{ not: { $ref: '#/$defs/x' } }, { not: { $ref: '#/$defs/x' } }] } },
  },
  'a reference that is none': value({ $ref: '#/%' }),
  'deep objects': value(nested(3000, (inner) => ({ type: 'object', properties: { a: inner }, required: ['a'] }))),
  'deep negations': value(nested(12_000, (inner) => ({ not: inner }))),
  'a very long text': value({ ...text, minLength: 1e9 }),
  'very many properties': { type: 'object', minProperties: 1e6 },
  'many choices': value({ enum: times(12_000, (i) => `e${i}`) }),
  'keywords that make no sense': value({ type: 7, enum: 'x', allOf: 3, required: 'a', properties: [], items: 5 }),
};

// Each takes a tenth of it.
test.each(Object.entries(hostile))('It bears %s.', async (_name, schema) => {
  const { args, ms } = await argumentsFor(schema);
  expect(isObject(args)).toBe(true);
  expect(ms).toBeLessThan(1000);
});

test('Many conditions are met, and a product of branches is satisfied.', async () => {
  expect((await argumentsFor(kinds(22), 'Hi')).args).toEqual({ kind: 'k0', p0: 'Hi' });
  expect((await argumentsFor(hostile['a product of branches'] ?? {}, 'Hi')).args).toEqual({ p0: 'Hi' });
});

test.each(['^([a-z0-9]+-?)+$', '^(a+)+$', '^(a|a)*$', '^(.*)*$'])('It does not run into %s.', async (pattern) => {
  const { args, ms } = await argumentsFor(value({ ...text, pattern }), `${'a'.repeat(60)}! and so on`);
  expect(ms).toBeLessThan(1000);
  expect(args).toEqual({ value: expect.stringMatching(/^a?$/) });
});

test('A long prompt is read as far as it is worth.', async () => {
  const days = { type: 'object', properties: { days: { type: 'integer' } }, required: ['days'] };
  expect((await argumentsFor(days, '1'.repeat(100_000))).ms).toBeLessThan(1000);
  expect((await argumentsFor(days, 'Book it for 3 nights. '.repeat(50_000))).args).toEqual({ days: 3 });
});
