// What a model is asked for is what the document says: real schemas, each under its name, rings as references.

import type { AnySchema } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { openSpec } from './support/http-tools.ts';

const config = { baseUrl: 'https://a.example' };
const json = (schema: unknown) => ({
  required: true,
  description: 'The pet',
  content: { 'application/json': { schema } },
});
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

async function schemaOf(operation: Record<string, unknown>, more: Record<string, unknown> = {}) {
  const { tools } = await openSpec(
    { paths: { '/x/{id}': { post: { responses: {}, ...operation } } }, ...more },
    { config },
  );
  return tools[0]?.inputSchema as unknown as Schema;
}

interface Schema {
  readonly properties: { readonly body: { readonly properties: Record<string, unknown> } };
  readonly $defs: Readonly<
    Record<string, { readonly type?: string; readonly description?: string; readonly properties: object }>
  >;
}

test('parameters of every place, with what is said of them; the operation knows better than the path', async () => {
  const { tools } = await openSpec(
    {
      paths: {
        '/x/{id}': {
          parameters: [
            { $ref: '#/components/parameters/Id' },
            { name: 'limit', in: 'query', schema: { type: 'string' } },
          ],
          get: {
            parameters: [
              {
                name: 'limit',
                in: 'query',
                required: true,
                description: 'How many',
                schema: { type: 'integer', maximum: 9 },
              },
              { name: 'X-H', in: 'header', schema: { enum: ['a', 'b'] } },
              { name: 'sid', in: 'cookie', deprecated: true, schema: { type: 'string', format: 'uuid' } },
              {
                name: 'filter',
                in: 'query',
                content: { 'application/json': { schema: { type: 'object', required: ['a'] } } },
              },
            ],
            responses: {},
          },
        },
      },
      components: {
        parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'integer', minimum: 1 } } },
      },
    },
    { config },
  );
  expect(tools[0]?.inputSchema).toEqual({
    type: 'object',
    properties: {
      id: { type: 'integer', minimum: 1 },
      limit: { type: 'integer', maximum: 9, description: 'How many' },
      filter: { type: 'object', required: ['a'] },
      'X-H': { enum: ['a', 'b'] },
      sid: { type: 'string', format: 'uuid' },
    },
    required: ['id', 'limit'],
    additionalProperties: false,
  });
});

test('one name in several places, and a parameter called body', async () => {
  const parameters = ['path', 'query', 'header', 'cookie'].map((place) => ({ name: 'id', in: place, schema: {} }));
  const body = { name: 'body', in: 'query', schema: {} };
  const schema = await schemaOf({ parameters: [...parameters, body], requestBody: json({ type: 'object' }) });
  expect(Object.keys(schema.properties)).toEqual(['id', 'id_query', 'body_query', 'id_header', 'id_cookie', 'body']);
});

test('names that providers do not take', async () => {
  const names = ['filter[from]', '$top', 'top', 'a b', '名', 'x'.repeat(70)];
  const parameters = names.map((name) => ({ name, in: 'query', schema: { type: 'integer' } }));
  const schema = await schemaOf({ parameters });
  expect(Object.keys(schema.properties)).toEqual(['filter_from', 'top', 'top_query', 'a_b', 'query', 'x'.repeat(50)]);
  expect(schema.properties).toMatchObject({ filter_from: { description: '(Sent as filter[from])' } });
});

test('a body as its own schema, with the definitions it needs and no others', async () => {
  const schemas = {
    Pet: { type: 'object', properties: { owner: ref('Person'), mother: ref('Pet') } },
    Person: { type: 'object', properties: { pets: { type: 'array', items: ref('Pet') } } },
    Other: { type: 'object' },
  };
  expect(await schemaOf({ requestBody: json(ref('Pet')) }, { components: { schemas } })).toEqual({
    type: 'object',
    properties: { body: { $ref: '#/$defs/Pet', description: 'The pet' } },
    required: ['body'],
    additionalProperties: false,
    $defs: {
      Pet: { type: 'object', properties: { owner: { $ref: '#/$defs/Person' }, mother: { $ref: '#/$defs/Pet' } } },
      Person: { type: 'object', properties: { pets: { type: 'array', items: { $ref: '#/$defs/Pet' } } } },
    },
  });
});

test('what version 3.0 says otherwise', async () => {
  const properties = {
    a: { type: 'string', nullable: true },
    b: { type: 'integer', minimum: 0, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    c: { nullable: true, allOf: [ref('Empty')] },
    d: { nullable: true, oneOf: [{ type: 'string' }, { type: 'integer' }] },
    e: { type: 'string', example: 'x' },
    f: { type: 'string', format: 'byte' },
  };
  const components = { schemas: { Empty: { type: 'object' } } };
  const schema = await schemaOf(
    { requestBody: json({ type: 'object', properties }) },
    { openapi: '3.0.3', components },
  );
  expect(schema.properties.body).toMatchObject({
    properties: {
      a: { type: ['string', 'null'] },
      b: { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
      c: { anyOf: [{ $ref: '#/$defs/Empty' }, { type: 'null' }] },
      d: { anyOf: [{ oneOf: [{ type: 'string' }, { type: 'integer' }] }, { type: 'null' }] },
      e: { type: 'string', examples: ['x'] },
      f: { type: 'string', contentEncoding: 'base64' },
    },
  });
  expect(JSON.stringify(schema)).not.toMatch(/nullable|"minimum"|exclusiveMaximum/);
});

test('what only the server writes is not asked for', async () => {
  const schemas = {
    Stamp: { type: 'string', readOnly: true },
    Pet: {
      type: 'object',
      required: ['id', 'name'],
      properties: {
        id: { type: 'string', readOnly: true },
        at: ref('Stamp'),
        name: { type: 'string' },
        pin: { type: 'string', writeOnly: true },
      },
    },
  };
  const schema = await schemaOf({ requestBody: json(ref('Pet')) }, { components: { schemas } });
  expect(schema.$defs).toMatchObject({ Pet: { required: ['name'] } });
  expect(Object.keys(schema.$defs.Pet?.properties ?? {})).toEqual(['name', 'pin']);
});

test('references with signs in them, to parts of schemas, to each other, and to nowhere', async () => {
  const schemas = {
    'a/b c~d': { type: 'object', properties: { 'x y': { type: 'integer' } } },
    Alias: ref('a~1b%20c~0d'),
  };
  const properties = {
    part: { $ref: '#/components/schemas/a~1b%20c~0d/properties/x%20y' },
    alias: ref('Alias'),
    nowhere: ref('Gone'),
    outside: { $ref: 'other.yaml#/Pet', description: 'From elsewhere' },
  };
  const schema = await schemaOf({ requestBody: json({ type: 'object', properties }) }, { components: { schemas } });
  const { properties: found } = schema.properties.body;
  expect(found).toMatchObject({ part: { $ref: '#/$defs/x_20y' }, alias: { $ref: '#/$defs/Alias' } });
  expect(found.nowhere).toEqual({});
  expect(found.outside).toEqual({ description: 'From elsewhere' });
  expect(schema.$defs).toMatchObject({
    x_20y: { type: 'integer' },
    Alias: { $ref: expect.stringMatching(/^#\/\$defs\/a/) },
  });
});

test('definitions that are too long for one tool are named, the nearest are kept', async () => {
  const schemas = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [
      `S${index}`,
      { type: 'object', description: 'word '.repeat(200), properties: { next: ref(`S${index + 1}`) } },
    ]),
  );
  const schema = await schemaOf(
    { requestBody: json(ref('S0')) },
    { components: { schemas: { ...schemas, S300: {} } } },
  );
  expect(JSON.stringify(schema).length).toBeLessThan(50_000);
  const definitions = Object.values(schema.$defs);
  expect(definitions.length).toBeGreaterThan(20);
  expect(definitions[0]?.type).toBe('object');
  expect(definitions.at(-1)?.description).toMatch(/too long/);
});

test('descriptions are bounded, and what is deprecated says so', async () => {
  const operation = {
    operationId: 'x',
    summary: 'Short',
    description: 'long '.repeat(1000),
    deprecated: true,
    responses: {},
  };
  const { tools } = await openSpec(
    { paths: { '/x': { get: operation }, '/y': { get: { responses: {} } } } },
    { config },
  );
  expect(tools[0]?.description).toMatch(/^Short\n\nlong .*…\n\nDeprecated: /s);
  expect(tools[0]?.description?.length).toBeLessThan(1200);
  expect(tools[1]?.description).toBe('GET /y');
});

test('a ring about one value is opened where it closes, and nothing else is lost', async () => {
  const schemas = {
    Pet: {
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string' } },
      oneOf: [ref('Cat'), ref('Dog')],
    },
    Cat: { allOf: [ref('Pet'), { properties: { lives: { type: 'integer' } } }] },
    Dog: { allOf: [ref('Pet'), { properties: { tricks: { type: 'array' } } }] },
  };
  const bodyOf = async (name: string) => await schemaOf({ requestBody: json(ref(name)) }, { components: { schemas } });
  const { oneOf: _, ...plainPet } = schemas.Pet;
  const cat = await bodyOf('Cat');
  expect(cat.$defs).toEqual({
    Cat: { allOf: [{ $ref: '#/$defs/Pet' }, { properties: { lives: { type: 'integer' } } }] },
    // One of its kinds is what asks: the others have no say.
    Pet: plainPet,
  });
  const isCat = new Ajv2020().compile(cat as unknown as AnySchema);
  expect(isCat({ body: { kind: 'cat', lives: 9 } })).toBe(true);
  expect([isCat({ body: { lives: 9 } }), isCat({ body: { kind: 'cat', lives: 'x' } })]).toEqual([false, false]);
  expect((await bodyOf('Pet')).$defs).toEqual({
    // Each is less than it was: more than one may fit.
    Pet: { ...plainPet, anyOf: [{ $ref: '#/$defs/Cat' }, { $ref: '#/$defs/Dog' }] },
    Cat: { allOf: [{ properties: { lives: { type: 'integer' } } }] },
    Dog: { allOf: [{ properties: { tricks: { type: 'array' } } }] },
  });
});

test('rings of other kinds, two of them in one document', async () => {
  const schemas = {
    Self: ref('Self'),
    Not: { type: 'object', not: ref('Not') },
    A: { title: 'a', anyOf: [ref('B'), { type: 'string' }] },
    B: { title: 'b', allOf: [ref('A')] },
  };
  const properties = { self: ref('Self'), not: ref('Not'), a: ref('A'), b: ref('B') };
  const schema = await schemaOf({ requestBody: json({ type: 'object', properties }) }, { components: { schemas } });
  expect(schema.$defs).toEqual({
    Self: {},
    Not: { type: 'object' },
    A: { title: 'a', anyOf: [{ $ref: '#/$defs/B_2' }, { type: 'string' }] },
    B: { title: 'b', allOf: [{ $ref: '#/$defs/A_2' }] },
    A_2: { title: 'a' },
    B_2: { title: 'b' },
  });
});

test('names that mean something to objects', async () => {
  const name = '__proto__';
  const component = { [name]: { type: 'object', properties: { x: { type: 'integer' } } } };
  const parameters = [{ name, in: 'query', required: true, schema: { type: 'integer' } }];
  const schema = await schemaOf({ parameters, requestBody: json(ref(name)) }, { components: { schemas: component } });
  expect(Object.keys(schema.properties)).toEqual([name, 'body']);
  expect(Object.keys(schema.$defs)).toEqual([name]);
});
