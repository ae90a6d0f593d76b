import { expect, test } from 'vitest';
import { toInputSchema } from '../src/mcp/input-schema.ts';
import { never, openConnections, rude } from './support/mcp.ts';
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

const object = { type: 'object' };

test.each([
  ['results that are no object', { outputSchema: { type: 'array', items: {} } }],
  ['results with required that is none', { outputSchema: { type: 'object', required: 'a' } }],
  ['a hint in words', { annotations: { readOnlyHint: 'yes', title: 'T' } }],
  ['a title that is a number', { annotations: { title: 1 }, title: 2 }],
  ['a number for a description', { description: 42 }],
  ['nothing for required', { inputSchema: { ...object, required: null } }],
  ['a word for required', { inputSchema: { ...object, required: 'a' } }],
  ['nothing for properties', { inputSchema: { ...object, properties: null } }],
  ['icons that are none', { icons: 'x' }],
  ['icons without an address', { icons: [{}] }],
  ['an execution that nobody knows', { execution: { taskSupport: 'maybe' } }],
  ['nothing for an execution', { execution: null }],
  ['a word for _meta', { _meta: 'x' }],
])('%s costs no tool its place', async (_, described) => {
  const tools = [
    { name: 'first', inputSchema: object },
    { name: 'odd', inputSchema: object, ...described },
  ];
  const { link } = await openConnections().lease(rude({ tools }), { signal: never() });
  expect((await link.tools(never())).map(({ name }) => name)).toEqual(['first', 'odd']);
});

test('what has no name is left out', async () => {
  const tools = [
    null,
    'x',
    { inputSchema: object },
    { name: 7, inputSchema: object },
    { name: 'ok', inputSchema: object },
  ];
  const { link } = await openConnections().lease(rude({ tools }), { signal: never() });
  expect((await link.tools(never())).map(({ name }) => name)).toEqual(['ok']);
});

test('a list that cannot be mended says what to do', async () => {
  const { link } = await openConnections().lease(rude({ tools: 'many' }), { signal: never() });
  const listing = link.tools(never());
  await expect(listing).rejects.toMatchObject({ code: 'tool-source-failed' });
  await expect(listing).rejects.toMatchObject({ remedy: expect.stringContaining('Update the server rude') });
});
