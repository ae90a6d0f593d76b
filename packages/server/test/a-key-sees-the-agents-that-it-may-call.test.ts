// The promise: the document shows a key the agents that it may call and no others, and says how keys are sent.

import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { hashOf, Keys } from '../src/index.ts';
import { appOf, complaintsOf, type Node, served } from './support/documented.ts';

const agents = [served('open'), served('secret', { description: 'Nobody may know.' })];
const settings = {
  little: { hash: hashOf('key-of-little'), agents: ['open'] },
  large: { hash: hashOf('key-of-large') },
  twin: { hash: hashOf('key-of-twin'), agents: ['o*'] },
};

const withKeys = () => appOf(agents, { keys: new Keys(settings, fakePorts().clock) });

async function read(key: string, app = withKeys()) {
  const response = await app.request('/openapi.json', { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  return { response, text, document: JSON.parse(text) as Node };
}

test('each sees its own', async () => {
  const little = await read('key-of-little');
  expect(Object.keys(little.document.paths as Node)).toContain('/v1/open');
  expect(little.text).not.toMatch(/secret|Nobody may know/);
  const large = await read('key-of-large');
  expect(Object.keys(large.document.paths as Node)).toEqual(expect.arrayContaining(['/v1/open', '/v1/secret']));
});

test('whatever was made for one key is never given to another that may call less', async () => {
  const app = withKeys();
  const large = await read('key-of-large', app);
  const [little, twin] = [await read('key-of-little', app), await read('key-of-twin', app)];
  expect(little.text).not.toContain('secret');
  expect(twin.text).toBe(little.text);
  const etag = large.response.headers.get('etag') ?? '';
  const headers = { 'x-api-key': 'key-of-little', 'if-none-match': etag };
  expect((await app.request('/openapi.json', { headers })).status).toBe(200);
  for (const { response } of [large, little]) {
    expect(response.headers.get('cache-control')).toContain('private');
    expect(response.headers.get('vary')?.toLowerCase()).toContain('authorization');
  }
});

test('who has no key reads nothing; the page and the way to it are for everybody', async () => {
  const app = withKeys();
  const refused = await app.request('/openapi.json');
  expect([refused.status, ((await refused.json()) as { error: Node }).error.code]).toEqual([401, 'key-refused']);
  expect((await app.request('/docs')).status).toBe(200);
  expect((await app.request('/')).status).toBe(200);
});

test('the document says how keys are sent, where there are any', async () => {
  const { document } = await read('key-of-large');
  expect(document.security).toEqual([{ bearer: [] }, { apiKey: [] }]);
  expect(document.components).toMatchObject({
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    },
  });
  expect(document.paths).toMatchObject({ '/health': { get: { security: [] } }, '/ready': { get: { security: [] } } });
  expect(await complaintsOf(document)).toEqual([]);
  const free = (await (await appOf(agents).request('/openapi.json')).json()) as Node;
  expect(free.security).toBeUndefined();
  expect(free.components).not.toHaveProperty('securitySchemes');
  expect(JSON.stringify(free)).not.toContain('Failure401"}');
});
