// Whatever somebody wrote where a schema belongs, the schema of the tool is one.

import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Api } from '../src/openapi/api.ts';

const keywords = [
  '$ref',
  '$id',
  '$schema',
  '$anchor',
  '$defs',
  '$dynamicRef',
  'type',
  'properties',
  'patternProperties',
  'items',
  'required',
  'enum',
  'const',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'additionalProperties',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'multipleOf',
  'minLength',
  'pattern',
  'format',
  'nullable',
  'readOnly',
  'default',
  'examples',
  'example',
  'discriminator',
  'dependentRequired',
  'prefixItems',
  'contains',
  'uniqueItems',
  'title',
  'x-y',
  '__proto__',
  'constructor',
];

const { junk } = fc.letrec<{ junk: unknown; schema: unknown }>((tie) => ({
  junk: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<unknown>(
      'string',
      'object',
      'array',
      'null',
      '#',
      '#/components/schemas/A',
      '#/nowhere',
      '(',
      '[',
      '^a+$',
      '',
      -1,
      0,
      3,
      true,
      false,
      null,
    ),
    tie('schema'),
    fc.array(tie('junk'), { maxLength: 3 }),
  ),
  schema: fc.dictionary(fc.constantFrom(...keywords), tie('junk'), { maxKeys: 5 }),
}));

const self = { $ref: '#/components/schemas/A' };
const examples: [unknown, unknown][] = [
  [{ patternProperties: { '(': {}, '^a': {} } }, { pattern: '(', items: [{}], required: ['a', 'a'] }],
  [{}, self],
  [self, { allOf: [self] }],
  [self, { anyOf: [{ type: 'string' }, { not: { if: self } }] }],
  [{ $ref: '#/components/schemas/A/allOf/0' }, { allOf: [{ oneOf: [self] }], dependentSchemas: { a: self } }],
  [self, { properties: { a: self }, items: self, additionalProperties: self }],
];

test('any junk', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false, logger: false });
  fc.assert(
    fc.property(junk, junk, (schema, other) => {
      const document = JSON.parse(
        JSON.stringify({
          openapi: '3.1.0',
          paths: {
            '/x': {
              post: {
                parameters: [{ name: 'p', in: 'query', schema }],
                requestBody: {
                  content: { 'application/json': { schema: { allOf: [{ $ref: '#/components/schemas/A' }] } } },
                },
              },
            },
          },
          components: { schemas: { A: other } },
        }),
      );
      const api = new Api(document);
      const [operation] = api.operations;
      if (!operation) throw new TypeError('no operation');
      const { inputSchema } = api.shapeOf(operation);
      expect(() => ajv.compile(inputSchema)({ p: {}, body: { a: [{}] } })).not.toThrow();
      ajv.removeSchema(inputSchema);
    }),
    {
      numRuns: 600,
      examples,
    },
  );
});
