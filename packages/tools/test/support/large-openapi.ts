// A document of the size public APIs have: written here, the same on every run, with rings of schemas and all places of parameters.

type Node = Record<string, unknown>;

export interface LargeOptions {
  readonly version: '3.0.3' | '3.1.0';
  readonly resources?: number;
}

/** Five operations for each resource; every schema knows others, some of them itself. */
export function largeOpenapi({ version, resources = 260 }: LargeOptions): Node {
  const paths: Node = {};
  const schemas: Node = { Problem: problem, Page: page };
  for (let index = 0; index < resources; index++) {
    const name = nameOf(index, resources);
    schemas[name] = resourceSchema(index, { version, resources });
    schemas[`${name}Part`] = partSchema(index, { version, resources });
    Object.assign(paths, pathsOf(name, index));
  }
  return {
    openapi: version,
    info: { title: 'Everything there is', version: '1.0.0', description: words(0, 60) },
    servers: [{ url: 'https://{region}.example.com/v1', variables: { region: { default: 'eu', enum: ['eu', 'us'] } } }],
    security: [{ key: [] }],
    tags: Array.from({ length: 20 }, (_, index) => ({ name: `area-${index}`, description: words(index, 20) })),
    paths,
    components: {
      schemas,
      parameters: {
        Limit: {
          name: 'limit',
          in: 'query',
          description: words(3, 12),
          schema: { type: 'integer', minimum: 1, maximum: 100 },
        },
        Trace: { name: 'X-Trace', in: 'header', schema: { type: 'string', pattern: '^[a-z0-9-]{1,20}$' } },
        Session: { name: 'session', in: 'cookie', schema: { type: 'string', minLength: 1, maxLength: 20 } },
      },
      responses: {
        Problem: { description: 'It went wrong', content: { 'application/json': { schema: ref('Problem') } } },
      },
      securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Api-Key' } },
    },
  };
}

const vocabulary =
  'account amount answer area batch bill book border branch case cash chain charge claim class code copy count course cover credit date deal debt draft drive entry event field file form frame goal grade group guide head image index item key label lease level limit link list loan lot mark match menu meter mode model name note number offer option order owner page part path phase plan point pool post price queue quote range rate record region report room route rule sale scale score seat series share shift sign site source stage state step stock store tag task team term test ticket title token topic total track trade trip type unit user value view visit vote wage week window work year zone'.split(
    ' ',
  );

function words(seed: number, count: number): string {
  const chosen = Array.from(
    { length: count },
    (_, index) => vocabulary[(seed * 31 + index * 17 + 7) % vocabulary.length],
  );
  return chosen.join(' ');
}

function nameOf(index: number, resources: number): string {
  const at = index % resources;
  const [one = 'x', two = 'y'] = [vocabulary[at % vocabulary.length], vocabulary[(at * 7 + 3) % vocabulary.length]];
  return `${capital(one)}${capital(two)}${at}`;
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function ref(name: string): Node {
  return { $ref: `#/components/schemas/${name}` };
}

const problem: Node = {
  type: 'object',
  required: ['code', 'message'],
  properties: {
    code: { type: 'string' },
    message: { type: 'string' },
    causes: { type: 'array', items: ref('Problem') },
  },
};

const page: Node = { type: 'object', properties: { next: { type: 'string' }, total: { type: 'integer', minimum: 0 } } };

function nullable(schema: Node, version: string): Node {
  return version === '3.1.0' ? { ...schema, type: [schema.type, 'null'] } : { ...schema, nullable: true };
}

function resourceSchema(index: number, { version, resources }: Required<LargeOptions>): Node {
  const above = version === '3.1.0' ? { exclusiveMinimum: 0 } : { minimum: 0, exclusiveMinimum: true };
  return {
    type: 'object',
    description: words(index, 18),
    required: ['id', 'title', 'state'],
    additionalProperties: false,
    properties: {
      id: { type: 'string', readOnly: true, description: words(index + 1, 8) },
      title: { type: 'string', minLength: 1, maxLength: 80, description: words(index + 2, 10) },
      state: { type: 'string', enum: ['open', 'closed', 'held'], description: words(index + 3, 10) },
      amount: { type: 'number', ...above, description: words(index + 4, 12) },
      count: { type: 'integer', format: 'int32', minimum: 0, maximum: 1000, description: words(index + 5, 9) },
      note: nullable({ type: 'string', maxLength: 200, description: words(index + 6, 14) }, version),
      tags: { type: 'array', maxItems: 5, items: { type: 'string', minLength: 1, maxLength: 12 } },
      parent: ref(nameOf(index, resources)),
      part: ref(`${nameOf(index, resources)}Part`),
      owner: { allOf: [ref(`${nameOf(index + 1, resources)}Part`)] },
    },
  };
}

function partSchema(index: number, { version, resources }: Required<LargeOptions>): Node {
  return {
    type: 'object',
    description: words(index + 9, 16),
    required: ['kind'],
    properties: {
      kind: { type: 'string', enum: ['a', 'b'], description: words(index + 10, 10) },
      size: nullable({ type: 'integer', minimum: 0, maximum: 9, description: words(index + 11, 12) }, version),
      children: { type: 'array', maxItems: 2, items: ref(`${nameOf(index, resources)}Part`) },
    },
  };
}

function pathsOf(name: string, index: number): Node {
  const path = `/${name.toLowerCase()}`;
  const body = { required: true, content: { 'application/json': { schema: ref(name) } } };
  const about = (verb: string, seed: number) => ({
    operationId: `${verb}${name}`,
    tags: [`area-${index % 20}`],
    summary: `${capital(verb)} ${words(index + seed, 4)}`,
    description: words(index + seed, 40),
  });
  const id = {
    name: 'id',
    in: 'path',
    required: true,
    description: words(index, 8),
    schema: { type: 'string', minLength: 1, maxLength: 30 },
  };
  return {
    [path]: {
      get: {
        ...about('list', 1),
        parameters: listParameters(index),
        responses: answers({ type: 'array', items: ref(name) }),
      },
      post: { ...about('create', 2), requestBody: body, responses: answers(ref(name)) },
    },
    [`${path}/{id}`]: {
      parameters: [id, { $ref: '#/components/parameters/Trace' }],
      get: {
        ...about('get', 3),
        parameters: [{ $ref: '#/components/parameters/Session' }],
        responses: answers(ref(name)),
      },
      put: { ...about('replace', 4), requestBody: body, responses: answers(ref(name)) },
      delete: { ...about('delete', 5), responses: answers(ref('Page')) },
    },
  };
}

function listParameters(index: number): readonly Node[] {
  return [
    { $ref: '#/components/parameters/Limit' },
    {
      name: 'state',
      in: 'query',
      description: words(index, 9),
      schema: { type: 'array', maxItems: 3, items: { type: 'string', enum: ['open', 'closed', 'held'] } },
    },
    {
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      explode: true,
      schema: {
        type: 'object',
        properties: { from: { type: 'integer' }, to: { type: 'integer' } },
        additionalProperties: false,
      },
    },
    { name: 'sort', in: 'query', required: index % 3 === 0, schema: { type: 'string', enum: ['up', 'down'] } },
  ];
}

function answers(schema: Node): Node {
  return {
    '200': { description: words(7, 10), content: { 'application/json': { schema } } },
    default: { $ref: '#/components/responses/Problem' },
  };
}
