// The promise: every agent that a key may call is a model in OpenAI's list, and can be looked up by its name.

import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { hashOf, Keys } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { openaiApp, readRefusal } from './support/openai-app.ts';
import { complaintsAbout, model, modelList } from './support/openai-chat-schemas.ts';

const names = ['research.icp', 'a/b', 'größe 世', '50%', 'a:b'];
const agents = names.map((name) => agentOf(name, ['x']));

const read = async (response: Response) => (await response.json()) as { id: string; data: { id: string }[] };

test('the list has each of them', async () => {
  const response = await openaiApp(agents).app.request('/v1/models');
  const list = await read(response);
  expect([response.status, complaintsAbout(modelList, list)]).toEqual([200, []]);
  expect(list.data.map(({ id }) => id)).toEqual(names);
});

test('each is found by its name, however that is written', async () => {
  const { app } = openaiApp(agents);
  for (const path of ['research.icp', 'a/b', 'a%2Fb', 'gr%C3%B6%C3%9Fe%20%E4%B8%96', '50%25', 'a:b', 'a%3Ab']) {
    const response = await app.request(`/v1/models/${path}`);
    const found = await read(response);
    expect([path, response.status, complaintsAbout(model, found)]).toEqual([path, 200, []]);
    expect(found.id).toBe(decodeURIComponent(path));
  }
});

test.each(['nobody', 'research', '%E0%A4%A', '__proto__', 'a/b/c'])('there is no %s', async (id) => {
  const { status, error } = await readRefusal(await openaiApp(agents).app.request(`/v1/models/${id}`));
  expect([status, error.type, error.param, error.code]).toEqual([
    404,
    'invalid_request_error',
    'model',
    'model_not_found',
  ]);
});

test('a key sees those it may call', async () => {
  const keys = new Keys({ some: { hash: hashOf('k'), agents: ['a*'] } }, fakePorts().clock);
  const { app } = openaiApp(agents, { door: { keys } });
  const get = async (path: string) => app.request(path, { headers: { authorization: 'Bearer k' } });
  expect((await read(await get('/v1/models'))).data.map(({ id }) => id)).toEqual(['a/b', 'a:b']);
  const { status, error } = await readRefusal(await get('/v1/models/research.icp'));
  expect([status, error.code, error.ai_agent.code]).toEqual([403, 'model_not_found', 'agent-forbidden']);
  expect((await readRefusal(await app.request('/v1/models'))).status).toBe(401);
});

test.each(['/v1/models', '/v1/models/a:b'])('%s is only read', async (path) => {
  const { app } = openaiApp(agents);
  for (const method of ['POST', 'DELETE', 'PUT']) {
    const { status, headers, error } = await readRefusal(await app.request(path, { method }));
    expect([status, headers.get('allow'), error.code]).toEqual([405, 'GET, HEAD', 'method_not_supported']);
  }
  expect((await app.request(path, { method: 'HEAD' })).status).toBe(200);
});

test('whoever says that they speak the other API is left to it', async () => {
  const { app } = openaiApp(agents);
  app.get('/v1/models', (context) => context.text('the other list'));
  app.get('/v1/models/:id', (context) => context.text(`the other ${context.req.param('id')}`));
  const headers = { 'anthropic-version': '2023-06-01' };
  expect(await (await app.request('/v1/models', { headers })).text()).toBe('the other list');
  expect(await (await app.request('/v1/models/a:b', { headers })).text()).toBe('the other a:b');
});
