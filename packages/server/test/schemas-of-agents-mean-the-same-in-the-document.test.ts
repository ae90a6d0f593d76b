// The promise: whatever schema an agent has, the document has one that resolves inside it and takes the same values.

import { Ajv as Ajv7 } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { at, complaintsOf, documentOf, type Node, referencesIn, served } from './support/documented.ts';

const dialects = { draft7: Ajv7, draft2019: Ajv2019, draft2020: Ajv2020 };
const options = { strict: false, allErrors: false, validateFormats: false };

interface Case {
  readonly name: string;
  readonly dialect?: keyof typeof dialects;
  readonly schema: Node;
  readonly values: readonly unknown[];
}

const person = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

const cases: readonly Case[] = [
  {
    name: 'definitions of draft 7, with every form of tuple and dependency',
    dialect: 'draft7',
    schema: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'file:///srv/secret/place.json',
      $comment: 'not for you',
      type: 'object',
      properties: {
        boss: { $ref: '#/definitions/person' },
        pair: { type: 'array', items: [{ type: 'string' }, { $ref: '#/definitions/person' }], additionalItems: false },
      },
      dependencies: { boss: ['pair'], pair: { required: ['boss'] } },
      definitions: { person },
    },
    values: [
      {},
      { boss: { name: 'a' } },
      { boss: { name: 'a' }, pair: ['x', { name: 'b' }] },
      { boss: {}, pair: [] },
      { boss: { name: 'a' }, pair: ['x', { name: 'b' }, 3] },
    ],
  },
  {
    name: 'a tree that holds itself, by the root and by a name',
    schema: {
      type: 'object',
      required: ['value'],
      additionalProperties: false,
      properties: {
        value: { type: 'integer' },
        left: { $ref: '#' },
        more: { type: 'array', items: { $ref: '#/$defs/node' } },
      },
      $defs: {
        node: {
          anyOf: [
            { type: 'null' },
            { $ref: '#' },
            { type: 'object', required: ['next'], properties: { next: { $ref: '#/$defs/node' } } },
          ],
        },
      },
    },
    values: [
      { value: 1 },
      { value: 1, left: { value: 2 } },
      { value: 1, left: {} },
      { value: 1, more: [null, { value: 2 }, { next: { next: null } }] },
      { value: 1, more: [{ next: 3 }] },
    ],
  },
  {
    name: 'pointers into odd places',
    schema: {
      type: 'object',
      properties: {
        'a/b~c %': { type: 'integer' },
        same: { $ref: '#/properties/a~1b~0c%20%25' },
        first: { $ref: '#/allOf/0/properties/x' },
      },
      allOf: [{ properties: { x: { minimum: 3 } } }],
      'x-shared': { thing: { $ref: '#/properties/same' } },
      additionalProperties: { $ref: '#/x-shared/thing' },
    },
    values: [{ 'a/b~c %': 1, same: 2 }, { same: 'x' }, { first: 1 }, { first: 4, other: 5 }, { other: 'x' }],
  },
  {
    name: 'parts with names of their own',
    schema: {
      $id: 'https://example.com/root.json',
      type: 'object',
      properties: {
        a: { $ref: 'part.json' },
        b: { $ref: 'part.json#/$defs/inner' },
        c: { $ref: '#spot' },
        d: { $ref: 'https://example.com/part.json' },
      },
      $defs: {
        one: {
          $id: 'part.json',
          type: 'object',
          properties: { in: { $ref: '#/$defs/inner' } },
          $defs: { inner: { type: 'integer' } },
        },
        two: { $anchor: 'spot', type: 'boolean' },
        inner: { type: 'string' },
      },
    },
    values: [{ a: { in: 1 }, b: 2, c: true, d: { in: 3 } }, { a: { in: 'x' } }, { b: 'x' }, { c: 1 }, { d: 3 }],
  },
  {
    name: 'words that only look like references',
    schema: {
      type: 'object',
      properties: {
        $ref: { type: 'string' },
        $id: { type: 'integer' },
        definitions: { type: 'array' },
        of: { enum: [{ $id: 'x' }, 2] },
      },
      required: ['$ref'],
    },
    values: [
      { $ref: 'x' },
      { $ref: 1 },
      {},
      { $ref: 'x', $id: 'y' },
      { $ref: 'x', of: { $id: 'x' } },
      { $ref: 'x', of: {} },
    ],
  },
  {
    name: 'true and false as schemas, and keys of the language',
    schema: JSON.parse(
      '{"type":"object","properties":{"__proto__":{"$ref":"#/$defs/__proto__"},"constructor":{"type":"integer"},"any":{"$ref":"#/$defs/yes"},"none":{"$ref":"#/$defs/no"}},"$defs":{"yes":true,"no":false,"__proto__":{"type":"string"}}}',
    ) as Node,
    values: [
      {},
      { any: 1 },
      { none: 1 },
      { constructor: 1 },
      { constructor: 'x' },
      JSON.parse('{"__proto__":1}'),
      JSON.parse('{"__proto__":"x"}'),
    ],
  },
  {
    name: 'recursion by the words of 2019',
    dialect: 'draft2019',
    schema: {
      $schema: 'https://json-schema.org/draft/2019-09/schema',
      $recursiveAnchor: true,
      type: 'object',
      properties: { next: { $recursiveRef: '#' }, n: { type: 'integer' } },
    },
    values: [{ n: 1 }, { next: { n: 2 } }, { next: { n: 'x' } }, { next: 3 }],
  },
  {
    name: 'recursion by the words of 2020',
    schema: {
      $dynamicAnchor: 'node',
      type: 'object',
      properties: { next: { $dynamicRef: '#node' }, n: { type: 'integer' } },
    },
    values: [{ n: 1 }, { next: { n: 2 } }, { next: { n: 'x' } }, { next: 3 }],
  },
  {
    name: 'null as older readers say it',
    schema: {
      type: 'object',
      properties: { a: { type: 'string', nullable: true }, b: { $ref: '#/$defs/b', description: 'beside' } },
      $defs: { b: { type: 'integer' } },
    },
    values: [{ a: null }, { a: 'x' }, { a: 1 }, { b: 1 }, { b: 'x' }],
  },
];

test.each(cases)('$name', async ({ schema, dialect = 'draft2020', values }) => {
  const document = await documentOf([served('it', { input: { format: 'json', schema } })]);
  expect(await complaintsOf(document)).toEqual([]);
  const own = new dialects[dialect](options).compile(schema);
  const shown = new Ajv2020(options).compile({
    $ref: '#/components/schemas/it_input',
    components: document.components,
  });
  expect(values.map((value) => shown(value))).toEqual(values.map((value) => own(value)));
  // Both verdicts are among them, or nothing was compared.
  expect(new Set(values.map((value) => own(value))).size).toBe(2);
});

test('data that careless readers take for references is not shown', async () => {
  const schema = {
    enum: [{ $ref: '#/nowhere' }],
    default: { deep: [{ $ref: 1 }] },
    title: 'It',
    'x-own': { $ref: '#/no' },
  };
  const document = await documentOf([served('it', { input: { format: 'json', schema } })]);
  expect(await complaintsOf(document)).toEqual([]);
  expect(at(document, '#/components/schemas/it_input')).toEqual({ title: 'It' });
});

test('references go to components alone, and nothing of the old names is left', async () => {
  const document = await documentOf(
    cases.map(({ schema }, i) => served(`a${i}`, { input: { format: 'json', schema } })),
  );
  const references = referencesIn(document);
  expect(references.filter((one) => !/^#\/components\/(schemas|headers|responses)\/[\w-]+$/.test(one))).toEqual([]);
  const text = JSON.stringify(document);
  for (const word of ['/srv/secret', 'not for you', 'example.com', 'json-schema.org']) expect(text).not.toContain(word);
});

test('what leads nowhere, or round in a ring, forbids nothing and breaks nothing', async () => {
  const schema = {
    type: 'object',
    properties: {
      gone: { $ref: '#/$defs/gone' },
      far: { $ref: 'https://example.com/far.json' },
      odd: { $ref: 'http://[' },
      ring: { $ref: '#/$defs/a' },
      self: { $ref: '#/properties/self' },
    },
    $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } },
  };
  const document = await documentOf([served('it', { input: { format: 'json', schema } })]);
  expect(await complaintsOf(document)).toEqual([]);
  const properties = { gone: {}, far: {}, odd: {}, ring: {}, self: {} };
  expect(at(document, '#/components/schemas/it_input')).toEqual({ type: 'object', properties });
});

test('a schema that cannot be written, or is nested without end, costs nobody else the document', async () => {
  const endless: Record<string, unknown> = { type: 'object' };
  endless.properties = { endless };
  let deep: Node = { type: 'string' };
  for (let i = 0; i < 20_000; i++) deep = { items: deep };
  const agents = [endless, deep, person].map((schema, i) => served(`a${i}`, { input: { format: 'json', schema } }));
  const document = await documentOf(agents);
  expect(at(document, '#/components/schemas/a2_input')).toEqual(person);
  expect(await complaintsOf(document)).toEqual([]);
});

test('the same definition is there once; names that look alike are told apart', async () => {
  const schema = { ...person, $defs: { unused: {} } };
  const shared = { input: { format: 'json', schema }, output: { format: 'json', schema } } as const;
  const other = { input: { format: 'json', schema: { ...person } } } as const;
  const document = await documentOf([
    served('a.b', shared),
    served('a-b', other),
    served('A B', other),
    served('error', other),
  ]);
  const schemas = Object.keys(at(document, 'components', 'schemas') as Node);
  expect(schemas.filter((name) => /^(a|error)_/i.test(name))).toEqual(['a_b_input', 'a_b_2_input']);
  expect(schemas.filter((name) => name.toLowerCase() === 'error')).toEqual(['Error']);
  expect(await complaintsOf(document)).toEqual([]);
});

const word = fc.constantFrom(
  '$ref',
  '$id',
  '$anchor',
  '$defs',
  'definitions',
  'type',
  'properties',
  'items',
  'allOf',
  'not',
  'enum',
  'const',
  'required',
  'dependencies',
  'additionalItems',
  'exclusiveMinimum',
  'nullable',
  'discriminator',
  '__proto__',
  'x',
);
const { junk } = fc.letrec<{ junk: unknown }>((tie) => ({
  junk: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom<unknown>('#', '#/$defs/x', '#/properties/x', '#x', 'x', 'object', true, false, null, 0, ''),
    fc.array(tie('junk'), { maxLength: 3 }),
    fc.array(fc.tuple(word, tie('junk')), { maxLength: 5 }).map(Object.fromEntries),
  ),
}));

test('whatever is written where a schema belongs, every reference resolves', async () => {
  const property = fc.asyncProperty(fc.array(fc.tuple(word, junk), { minLength: 1, maxLength: 6 }), async (entries) => {
    const schema = Object.fromEntries(entries) as Node;
    const document = await documentOf([served('it', { input: { format: 'json', schema } })]);
    const schemas = at(document, 'components', 'schemas') as Node;
    for (const reference of referencesOfComponents(schemas)) expect(Object.keys(schemas)).toContain(reference);
  });
  await fc.assert(property, { numRuns: 300 });
});

function referencesOfComponents(schemas: Node): readonly string[] {
  return referencesIn(schemas, 'properties').flatMap((one) => /^#\/components\/schemas\/(\w+)$/.exec(one)?.[1] ?? []);
}
