// The promise: the document says of every agent how it is asked and what it answers, by its own contracts.

import { expect, test } from 'vitest';
import { at, complaintsOf, documentOf, type Node, served } from './support/documented.ts';

const city = { type: 'object', required: ['city'], properties: { city: { type: 'string' } } };
const sky = { type: 'object', properties: { sunny: { type: 'boolean' } } };

const agents = [
  served('plain', { description: 'Says yes.', usage: 'Is it so?' }),
  served('writer', { output: { format: 'markdown' } }),
  served('weather.now', {
    description: 'Knows the sky.',
    usage: '{"city":"Athens"}',
    input: { format: 'json', schema: city },
    output: { format: 'json', schema: sky },
  }),
  served('anything', { input: { format: 'json' } }),
];

async function operation(path: string, method: string): Promise<Node> {
  return at(await documentOf(agents), 'paths', path, method) as Node;
}

const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

test('a reader of OpenAPI finds nothing wrong', async () => {
  const document = await documentOf(agents);
  expect(document.openapi).toBe('3.1.1');
  expect(await complaintsOf(document)).toEqual([]);
});

test('an agent that takes text is asked in the address, with text, or with JSON', async () => {
  const get = await operation('/v1/plain', 'get');
  expect(get).toMatchObject({ operationId: 'ask_plain', tags: ['agents'] });
  expect(get.description).toBe('Says yes.\n\nFor example: Is it so?');
  const parameters = get.parameters as readonly Node[];
  expect(parameters.map(({ name, required = false }) => [name, required])).toEqual([
    ['q', true],
    ['format', false],
    ['schema', false],
    ['session', false],
  ]);
  expect(parameters[0]).toMatchObject({ example: 'Is it so?', schema: { type: 'string' } });
  const post = await operation('/v1/plain', 'post');
  expect(post.operationId).toBe('call_plain');
  expect(at(post, 'requestBody', 'content')).toMatchObject({
    'text/plain': { example: 'Is it so?', schema: { type: 'string' } },
    'application/json': { example: { text: 'Is it so?' }, schema: schemaRef('Words') },
  });
});

test('an agent with contracts has its own schemas, in and out', async () => {
  const document = await documentOf(agents);
  const post = at(document, 'paths', '/v1/weather.now', 'post') as Node;
  const body = { schema: schemaRef('weather_now_input'), example: { city: 'Athens' } };
  expect(at(post, 'requestBody', 'content')).toEqual({ 'application/json': body });
  expect(at(post, 'responses', '200', 'content', 'application/json')).toEqual({
    schema: schemaRef('weather_now_output'),
  });
  expect(at(document, '#/components/schemas/weather_now_input')).toEqual(city);
  expect(at(document, '#/components/schemas/weather_now_output')).toEqual(sky);
  const get = at(document, 'paths', '/v1/weather.now', 'get') as Node;
  expect((get.parameters as readonly Node[])[0]).toMatchObject({ name: 'q', content: { 'application/json': body } });
});

test.each([
  ['/v1/plain', 'text/plain'],
  ['/v1/writer', 'text/markdown'],
  ['/v1/weather.now', 'application/json'],
])('%s answers first of all with %s, and as an outcome or a stream', async (path, type) => {
  const content = at(await operation(path, 'get'), 'responses', '200', 'content') as Node;
  expect(Object.keys(content)[0]).toBe(type);
  expect(Object.keys(content)).toEqual(
    expect.arrayContaining(['application/vnd.ai-agent+json', 'text/event-stream', 'text/plain', 'application/json']),
  );
});

test('replies name their headers, and failures have one shape', async () => {
  const document = await documentOf(agents);
  const { responses } = at(document, 'paths', '/v1/plain', 'get') as { responses: Record<string, Node> };
  expect(Object.keys(responses['200']?.headers ?? {})).toEqual(
    expect.arrayContaining(['session', 'origin-id', 'call-path', 'status', 'limit'].map((one) => `x-ai-agent-${one}`)),
  );
  for (const [status, response] of Object.entries(responses).filter(([code]) => code !== '200')) {
    expect(response).toEqual({ $ref: `#/components/responses/Failure${status}` });
    expect(at(document, 'components', 'responses', `Failure${status}`, 'content', 'application/json')).toEqual({
      schema: schemaRef('Error'),
    });
  }
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '404', '405', '413', '502', '503', '504']));
});

test('the routes of the server are there beside them', async () => {
  const { paths } = (await documentOf(agents)) as { paths: Node };
  const ofServer = Object.keys(paths).filter((path) => !agents.some(({ name }) => path === `/v1/${name}`));
  expect(ofServer).toEqual([
    '/v1',
    '/v1/{agent}/template',
    '/v1/sessions',
    '/v1/sessions/{id}',
    '/v1/sessions/{id}/events',
    '/v1/sessions/{id}/facts/{number}',
    '/v1/sessions/{id}/stop',
    '/v1/sessions/{id}/cancel',
    '/v1/sessions/{id}/answer',
    '/v1/sessions/{id}/budget',
    '/health',
    '/ready',
  ]);
});

test('without any agent there is a document all the same', async () => {
  expect(await complaintsOf(await documentOf([]))).toEqual([]);
});
