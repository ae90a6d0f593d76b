// The promise: every operation in the document is answered by the server, and no other method is at its address.

import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { createApi } from '../src/embedding/index.ts';
import { appOf, documentOf, type Node, served } from './support/documented.ts';

const agents = [served('one')];
const methods = ['get', 'post', 'put', 'delete', 'patch'] as const;

test('each method that it names is taken, the others are refused with those that are', async () => {
  const { paths } = (await documentOf(agents)) as { paths: Record<string, Node> };
  const app = appOf(agents);
  const seen = [];
  const told = [];
  for (const [path, item] of Object.entries(paths))
    for (const method of methods) {
      const response = await app.request(path.replace('{id}', 'nobody').replace('{number}', '1'), {
        method: method.toUpperCase(),
      });
      const { error } = response.ok ? { error: undefined } : ((await response.json()) as { error: { code: string } });
      const isThere = !['route-unknown', 'method-wrong'].includes(error?.code ?? '');
      seen.push([path, method, isThere, isThere ? '' : (response.headers.get('allow') ?? '').includes('GET')]);
      told.push([path, method, method in item, method in item ? '' : 'get' in item]);
    }
  expect(seen).toEqual(told);
});

test('what it says of statuses is so', async () => {
  const app = appOf(agents);
  const { paths } = (await documentOf(agents)) as { paths: Record<string, Record<string, { responses: Node }>> };
  const ask = async (path: string, init: RequestInit = {}) => {
    const known = path.startsWith('/v1/one')
      ? '/v1/one'
      : path.replace('nobody', '{id}').replace('facts/1', 'facts/{number}').split('?')[0];
    const method = (init.method ?? 'GET').toLowerCase();
    const { status } = await app.request(path, init);
    const { responses = {} } = paths[known ?? '']?.[method] ?? {};
    return [status, String(status) in responses];
  };
  const post = (body: string) => ({ method: 'POST', body, headers: { 'content-type': 'application/json' } });
  expect(await ask('/v1/one?q=x')).toEqual([200, true]);
  expect(await ask('/v1/one')).toEqual([400, true]);
  expect(await ask('/v1/one', post('{"text":"x"}'))).toEqual([200, true]);
  expect(await ask('/v1/one', post(`{"text":"${'x'.repeat(2_000_000)}"}`))).toEqual([413, true]);
  expect(await ask('/v1/sessions', post('{"agent":"one","input":"x"}'))).toEqual([201, true]);
  expect(await ask('/v1/sessions', post('{}'))).toEqual([400, true]);
  expect(await ask('/v1/sessions?limit=5')).toEqual([200, true]);
  for (const end of ['', '/events', '/facts/1']) expect(await ask(`/v1/sessions/nobody${end}`)).toEqual([404, true]);
  for (const end of ['stop', 'cancel', 'answer', 'budget'])
    expect(await ask(`/v1/sessions/nobody/${end}`, post('{"answer":"x"}'))).toEqual([404, true]);
});

test('that agents are models is said where they are', async () => {
  const alone = (await documentOf(agents)) as { info: Node };
  expect(alone.info.description).not.toContain('/v1/models');
  const { fetch: answer } = createApi({ agents, ports: fakePorts() });
  const reply = await answer(new Request('http://127.0.0.1/openapi.json'));
  const beside = (await reply.json()) as { info: Node };
  expect(beside.info.description).toContain('/v1/models');
  expect(beside.info.description).toContain('/v1/chat.');
});

test('everything behind the door may be refused there, and nothing before it', async () => {
  const { paths } = (await documentOf(agents)) as { paths: Record<string, Record<string, { responses?: Node }>> };
  const app = appOf(agents);
  for (const [path, item] of Object.entries(paths))
    for (const [method, { responses = {} }] of Object.entries(item).filter(([name]) =>
      (methods as readonly string[]).includes(name),
    )) {
      const headers = { origin: 'https://elsewhere.example' };
      const { status } = await app.request(path, { method: method.toUpperCase(), headers });
      expect([path, method, '403' in responses]).toEqual([path, method, status === 403]);
    }
});
