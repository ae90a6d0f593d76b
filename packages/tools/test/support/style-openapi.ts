// A document that has every place and style of parameters, and every kind of body, once.

type Node = Readonly<Record<string, unknown>>;

const word = { type: 'string', pattern: '^[a-z0-9]{1,8}$' };
const text = { type: 'string', minLength: 1, maxLength: 12 };
const words = { type: 'array', minItems: 1, maxItems: 3, items: text };
const object = (one: string, two: string) => ({
  type: 'object',
  required: [one],
  properties: { [one]: { type: 'integer' }, [two]: text },
  additionalProperties: false,
});

export function everyStyle(version: string): Node {
  const paths = Object.fromEntries([
    ...pathStyles.map(([style, explode, schema], index) => {
      const parameter = { name: 'p', in: 'path', required: true, style, explode, schema };
      return [
        `/path${index}/{p}/end`,
        { get: { operationId: `path${index}`, parameters: [parameter], responses: {} } },
      ];
    }),
    ['/query', { get: { operationId: 'query', parameters: queryParameters, responses: {} } }],
    ['/beside', { delete: { operationId: 'beside', parameters: besideParameters, responses: {} } }],
    ...bodies.map(([mediaType, schema], index) => {
      const requestBody = { required: index % 2 === 0, content: { [mediaType]: { schema } } };
      return [`/body${index}`, { post: { operationId: `body${index}`, requestBody, responses: {} } }];
    }),
  ]);
  return {
    openapi: version,
    info: { title: 'Styles', version: '1' },
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
      schemas: {
        Tree: {
          type: 'object',
          required: ['label'],
          properties: {
            id: { type: 'string', readOnly: true },
            label: text,
            children: { type: 'array', maxItems: 2, items: { $ref: '#/components/schemas/Tree' } },
          },
          additionalProperties: false,
        },
      },
    },
  };
}

const pathStyles: readonly (readonly [string, boolean, Node])[] = [
  ['simple', false, text],
  ['simple', false, words],
  ['simple', false, object('a', 'b')],
  ['simple', true, object('a', 'b')],
  ['label', false, word],
  ['label', true, { ...words, items: word }],
  ['label', false, object('a', 'b')],
  ['matrix', false, text],
  ['matrix', false, words],
  ['matrix', true, words],
  ['matrix', true, object('a', 'b')],
];

const queryParameters = [
  { name: 'n', in: 'query', schema: { type: 'integer' } },
  { name: 'is it', in: 'query', required: true, schema: { type: 'boolean' } },
  { name: 'sum', in: 'query', schema: { type: 'number' } },
  { name: 'text&', in: 'query', schema: text },
  { name: 'free', in: 'query', allowReserved: true, schema: text },
  { name: 'many', in: 'query', schema: words },
  { name: 'joined', in: 'query', explode: false, schema: words },
  { name: 'spaced', in: 'query', style: 'spaceDelimited', explode: false, schema: { ...words, items: word } },
  { name: 'piped', in: 'query', style: 'pipeDelimited', explode: false, schema: { ...words, items: word } },
  { name: 'spread', in: 'query', schema: object('spreadA', 'spreadB') },
  { name: 'flat', in: 'query', explode: false, schema: object('a', 'b') },
  { name: 'deep', in: 'query', style: 'deepObject', explode: true, schema: object('a', 'b c') },
  {
    name: 'json',
    in: 'query',
    content: { 'application/json': { schema: { type: 'array', items: object('a', 'b') } } },
  },
];

const besideParameters = [
  { name: 'X-Word', in: 'header', required: true, schema: word },
  { name: 'X-Count', in: 'header', schema: { type: 'integer' } },
  { name: 'X-Words', in: 'header', schema: { ...words, items: word } },
  {
    name: 'X-Object',
    in: 'header',
    explode: true,
    schema: { ...object('a', 'b'), properties: { a: { type: 'integer' }, b: word } },
  },
  { name: 'sid', in: 'cookie', schema: text },
  { name: 'ids', in: 'cookie', explode: false, schema: { type: 'array', minItems: 1, items: { type: 'integer' } } },
];

const fields = { type: 'object', required: ['name'], properties: { name: text, words }, additionalProperties: false };

const bodies: readonly (readonly [string, Node])[] = [
  ['application/json', { $ref: '#/components/schemas/Tree' }],
  ['application/vnd.tree+json', { type: 'array', items: { $ref: '#/components/schemas/Tree' } }],
  ['application/x-www-form-urlencoded', fields],
  ['multipart/form-data', fields],
  ['text/plain', text],
];
