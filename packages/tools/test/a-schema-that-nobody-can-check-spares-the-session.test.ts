import { expect, test } from 'vitest';
import { toInputSchema } from '../src/mcp/input-schema.ts';
import { odd, started } from './support/servers.ts';
import { calling, walkWith } from './support/walk-with.ts';

test('tools with broken schemas are offered as far as they can be read, and the server judges their calls', async () => {
  const { outcome, tools, results } = await walkWith({
    server: 'odd',
    config: {
      ...started(odd),
      toolSchemas: { REPLACED: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] } },
    },
    script: calling(
      { name: 'odd__remote', input: { at: { x: 1 } } },
      { name: 'odd__regex', input: { code: 'a' } },
      { name: 'odd__sound', input: { n: 'one' } },
      { name: 'odd__replaced', input: { n: 1 } },
      { name: 'odd__replaced', input: { word: 'x' } },
    ),
  });
  expect(outcome.status).toBe('completed');
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ['odd__naked', ''],
    ['odd__untyped', ''],
    ['odd__list', ''],
    ['odd__remote', 'Refers to a schema elsewhere.'],
    ['odd__regex', ''],
    ['odd__sound', 'A sound one'],
    ['odd__replaced', ''],
  ]);
  expect(tools.slice(0, 3).map(({ inputSchema }) => inputSchema)).toEqual([
    { type: 'object' },
    { type: 'object', properties: { a: { type: 'integer' } } },
    { type: 'object' },
  ]);
  expect(tools[3]?.inputSchema).toEqual({
    type: 'object',
    properties: { at: { description: 'Where' } },
    required: ['at'],
  });
  expect(results.map(({ isError }) => isError)).toEqual([false, false, true, true, false]);
  expect(results[0]?.text).toBe('remote got {"at":{"x":1}}');
  expect(results[1]?.text).toBe('regex got {"code":"a"}');
  expect(results[2]?.text).toContain('"n" must be integer');
  expect(results[3]?.text).toContain('"word"');
  expect(results[4]?.text).toBe('replaced got {"word":"x"}');
});

test.each([
  ['none', undefined, { type: 'object' }],
  ['a word', 'object', { type: 'object' }],
  ['no type', { properties: { a: {} } }, { type: 'object', properties: { a: {} } }],
  ['a list', { type: 'array', items: {} }, { type: 'object', properties: {} }],
  [
    'a property that is none',
    { type: 'object', properties: { a: 3, b: { type: 'string' } }, required: ['b', 7] },
    { type: 'object', properties: { a: {}, b: { type: 'string' } }, required: ['b'] },
  ],
])('%s', (_, given, expected) => {
  expect(toInputSchema(given)).toEqual(expected);
});
