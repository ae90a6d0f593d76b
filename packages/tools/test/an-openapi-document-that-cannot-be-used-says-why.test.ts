// A document that no tools can be made of ends the start of a session, with its name, the reason and the way out.

import { expect, test } from 'vitest';
import { openOpenapi, openSpec, writeSpec } from './support/http-tools.ts';

async function complaint(document: unknown, config: Record<string, unknown> = {}) {
  const folder = await writeSpec(document, 'spec.yaml');
  return await openOpenapi({ folder, config: { spec: 'spec.yaml', ...config } }).then(
    () => ({ code: 'none', message: '', remedy: '' }),
    (error: { code: string; message: string; remedy: string }) => error,
  );
}

const info = { title: 't', version: '1' };

test.each<[string, unknown, RegExp, RegExp]>([
  ['Swagger 2.0', { swagger: '2.0', info, paths: {} }, /version 2\.0/, /Convert it to OpenAPI 3/],
  ['a version to come', { openapi: '4.0.0', info, paths: {} }, /4\.0\.0/, /Correct/],
  ['no version', { info, paths: {} }, /openapi: nothing/, /Correct/],
  ['no paths', { openapi: '3.1.0', info, paths: 7 }, /has no paths/, /Correct/],
  ['no document', 'just words', /no OpenAPI document/, /Correct/],
  ['no YAML', 'a: [1\nb: }', /neither JSON nor YAML: .*line/, /Correct/],
])('%s', async (_, document, message, remedy) => {
  const found = await complaint(document);
  expect(found).toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(message),
    remedy: expect.stringMatching(remedy),
  });
  expect(found.message).toContain('openapiSpecs.it: spec.yaml');
});

const paths = { '/x': { get: { responses: {} } } };

test.each([[[{ url: '/api' }]], [undefined], [[{ url: 'ftp://a.example' }]], [[{ url: '{scheme}://a.example' }]]])(
  'a server without an address: %j',
  async (servers) => {
    const document = { openapi: '3.1.0', info, paths, ...(servers ? { servers } : {}) };
    expect(await complaint(document)).toMatchObject({
      code: 'config-invalid',
      remedy: expect.stringContaining('baseUrl'),
    });
    expect(await complaint(document, { baseUrl: 'https://a.example' })).toMatchObject({ code: 'none' });
  },
);

test('nothing that could become a tool', async () => {
  const servers = [{ url: 'https://a.example' }];
  const tagged = { '/x': { get: { tags: ['pets', 'all'], responses: {} }, put: { tags: ['all'], responses: {} } } };
  const document = { openapi: '3.1.0', info, servers, paths: tagged };
  expect(await complaint({ ...document, paths: {} })).toMatchObject({
    code: 'config-invalid',
    message: 'openapiSpecs.it: spec.yaml has no operations.',
  });
  const none = 'openapiSpecs.it: spec.yaml has no operation that is left';
  expect(await complaint(document, { tagFilter: ['pet'] })).toMatchObject({
    code: 'config-invalid',
    message: `${none} by tagFilter (pet); it has the methods GET, PUT and the tags pets, all.`,
    remedy: expect.stringContaining('tagFilter'),
  });
  expect(await complaint(document, { tagFilter: 'pets', includeMethods: ['post'] })).toMatchObject({
    message: `${none} by tagFilter (pets) and includeMethods (POST); it has the methods GET, PUT and the tags pets, all.`,
  });
  expect(await complaint({ ...document, paths }, { tagFilter: ['x'] })).toMatchObject({
    message: `${none} by tagFilter (x); it has the methods GET and no tags.`,
  });
});

test('no file, and an address instead of one', async () => {
  await expect(openOpenapi({ config: { spec: 'nowhere.yaml' } })).rejects.toMatchObject({
    code: 'file-missing',
    message: expect.stringContaining('nowhere.yaml'),
  });
  await expect(openOpenapi({ config: { spec: 'https://a.example/x.json' } })).rejects.toMatchObject({
    code: 'config-invalid',
    message: expect.stringContaining('download'),
  });
});

test('small faults are no reason', async () => {
  const odd = {
    '/x': { get: { operationId: 7, tags: 'a', parameters: [null, { in: 'query' }, { $ref: '#/no' }] }, post: null },
    'x-y': 1,
    y: {},
  };
  const { tools } = await openSpec({ info: 3, paths: odd, servers: [{ url: 'https://a.example' }] });
  expect(tools.map(({ name }) => name)).toEqual(['rest__it_get_x']);
});

const deep = (levels: number) => `${'{"items":'.repeat(levels)}{}${'}'.repeat(levels)}`;
const begin = 'openapi: 3.1.0\ninfo: { title: t, version: "1" }\nservers: [{ url: "https://a.example" }]\n';
const posting = (schema: string) =>
  `paths: { /x: { post: { requestBody: { content: { application/json: { schema: ${schema} } } }, responses: {} } } }\n`;

const deepJson = (levels: number) =>
  JSON.stringify({
    openapi: '3.1.0',
    servers: [{ url: 'https://a.example' }],
    paths: { '/x': { post: { requestBody: { content: { 'application/json': { schema: 7 } } } } } },
  }).replace('7', deep(levels));

test.each<[string, string, string]>([
  [
    'a ring of aliases',
    `${begin}x-a: &a { properties: { a: *a } }\n${posting('*a')}`,
    'has an anchor that holds itself',
  ],
  ['one in 3.0', `${begin}x-a: &a [*a]\n${posting('{}')}`.replace('3.1', '3.0'), 'has an anchor that holds itself'],
  ['one in a default', `${begin}${posting('{ default: &a [*a] }')}`, 'has an anchor that holds itself'],
  ['thousands of levels', `${begin}${posting(deep(5000))}`, 'is nested too deeply'],
  ['thousands of levels in JSON', deepJson(100_000), 'is nested too deeply'],
  ['and in 3.0', deepJson(5000).replace('3.1', '3.0'), 'is nested too deeply'],
])('%s', async (_, document, message) => {
  const found = await complaint(document);
  expect([found.code, found.message]).toEqual(['config-invalid', `openapiSpecs.it: spec.yaml ${message}.`]);
});

test('hundreds of levels are no reason', async () => {
  for (const version of ['3.0', '3.1'])
    expect(await complaint(deepJson(480).replace('3.1', version))).toMatchObject({ code: 'none' });
});

test('an anchor may be used often, but not without measure', async () => {
  const often = Array.from({ length: 150 }, (_, index) => `    p${index}: *s\n`).join('');
  const document = `${begin}x-s: &s { type: string }\n${posting('{}')}components:\n  schemas:\n${often}`;
  expect(await complaint(document)).toMatchObject({ code: 'none' });
  const laughs = ['x-0: &a0 [l, l, l, l, l, l, l, l, l]\n'];
  for (let level = 1; level < 9; level++)
    laughs.push(`x-${level}: &a${level} [${Array.from({ length: 9 }, () => `*a${level - 1}`).join(', ')}]\n`);
  expect(await complaint(`${begin}${laughs.join('')}${posting('{}')}`)).toMatchObject({
    code: 'config-invalid',
    message: expect.stringMatching(/spec\.yaml uses its anchors too often/),
  });
});
