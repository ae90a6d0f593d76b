// The promise: what is wrong with a request is said in the one shape of an error, with its status, before anything runs.

import type { ScriptedModel } from '@ai-agent/core/testing';
import type { Hono } from 'hono';
import { expect, test } from 'vitest';
import type { Inside } from '../src/door.ts';
import { createApp, rest } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { refusalOf, restApp } from './support/rest-app.ts';

const echo = () => agentOf('echo', () => 'Yes?');

test.each([
  ['/v1/echo', 'q is missing or empty: it is what you ask.'],
  ['/v1/echo?q=', 'q is missing or empty: it is what you ask.'],
  ['/v1/echo?q=%20%0A', 'q is missing or empty: it is what you ask.'],
  ['/v1/echo?q=a&fromat=json', 'fromat is not known here; known are q, format, schema, session. Did you mean format?'],
  ['/v1/echo?q=a&verbosity', 'verbosity is not known here; known are q, format, schema, session.'],
  ['/v1/echo?q=a&q=b', 'q is there more than once.'],
  ['/v1/echo?q=a&format=text&format=text', 'format is there more than once.'],
  ['/v1/echo?q=%E0%A4%A', 'q is not URL-encoded UTF-8.'],
])('%s', async (path, message) => {
  const agent = echo();
  expect(await refusalOf(await restApp([agent]).get(path))).toEqual([400, 'request-invalid', message]);
  expect((agent.model as ScriptedModel).requests).toEqual([]);
});

test('a POST asks with its body: q in its address is told so', async () => {
  const refused = await refusalOf(await restApp([echo()]).post('/v1/echo?q=a', 'b'));
  expect(refused).toEqual([400, 'request-invalid', 'q is for GET; with POST it is the body that is asked.']);
});

test('a name that is nearly that of an agent is told which, of those that may be called', async () => {
  const app = restApp([echo(), agentOf('ecco', ['x'])]);
  expect(await refusalOf(await app.get('/v1/echoo?q=a'))).toEqual([
    404,
    'agent-unknown',
    'No agent echoo is served here. Did you mean echo?',
  ]);
  const visitor = { key: 'website', may: (name: string) => name !== 'echo' };
  expect(() => app.hall.agent('echos', visitor)).toThrow('No agent echos is served here. Did you mean ecco?');
});

const question = { type: 'string' };
test.each([
  [
    'an example of its schema',
    { type: 'object', properties: { question, more: question }, required: ['question'] },
    undefined,
    'Send JSON, for example {"question":"text"}',
  ],
  [
    'its own example',
    { type: 'object', properties: { question }, required: ['question'] },
    '{ "question": "Who?" }',
    'Send JSON, for example {"question":"Who?"}',
  ],
  [
    'the fields that it needs',
    { type: 'object', properties: { code: { type: 'string', pattern: '^[0-9]+$' } }, required: ['code'] },
    undefined,
    'Send JSON with these fields: code.',
  ],
  ['a list', { type: 'array', items: { type: 'integer' } }, undefined, 'Send JSON, for example [1]'],
  [
    'what is known',
    { $ref: '#/$defs/a', $defs: { a: { type: 'integer' } } },
    undefined,
    'Send JSON that fits the schema of its input.',
  ],
])('words for an agent that takes JSON: told %s', async (_what, schema, usage, remedy) => {
  const agent = agentOf('data', ['x'], { input: { format: 'json', schema }, ...(usage ? { usage } : {}) });
  const { get, post } = restApp([agent]);
  const start = JSON.stringify({ agent: 'data', input: 'Who are you?' });
  const replies = [
    await get('/v1/data?q=Who%20are%20you?'),
    await post('/v1/data', 'Who are you?', 'text/plain'),
    await post('/v1/sessions', start, 'application/json'),
  ];
  for (const response of replies) {
    const { error } = (await response.json()) as { error: { code: string; message: string; remedy: string } };
    expect([response.status, error.code, error.remedy]).toEqual([400, 'session-input-invalid', remedy]);
    expect(error.message).toContain('it is not JSON');
  }
});

test('the shape of an error: what, why, what to do, and whether to try again', async () => {
  const response = await restApp([echo()]).get('/v1/nobody?q=a');
  expect([response.status, response.headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  expect(await response.json()).toEqual({
    error: {
      class: 'usage',
      code: 'agent-unknown',
      message: 'No agent nobody is served here.',
      remedy: expect.stringContaining('GET /v1'),
      retryable: false,
    },
  });
});

test.each(['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('%s is no way to ask, and runs nothing', async (method) => {
  const agent = echo();
  const response = await restApp([agent]).app.request('/v1/echo?q=a', { method });
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, POST']);
  if (method !== 'HEAD') expect((await refusalOf(response))[1]).toBe('method-wrong');
  expect((agent.model as ScriptedModel).requests).toEqual([]);
});

test.each([
  ['/v1/%E0%A4%A?q=a', 404],
  ['/v1/%?q=a', 404],
  ['/v1/%00?q=a', 404],
  ['/v1/echo%2F..%2Fother?q=a', 404],
  ['/v1/echo/more?q=a', 404],
  ['/v1/echo/?q=a', 404],
  ['/v1/__proto__?q=a', 404],
  ['/v1/models', 404],
])('%s is shaped too', async (path, status) => {
  const response = await restApp([echo()]).get(path);
  const [found, code] = await refusalOf(response);
  expect([found, ['agent-unknown', 'route-unknown'].includes(code)]).toEqual([status, true]);
});

test('names come as they are, or encoded', async () => {
  const plain = agentOf('research.icp-2_x', () => 'found');
  const { get } = restApp([plain, { name: 'größe 世', agent: plain }, { name: '50%', agent: plain }]);
  const paths = ['research.icp-2_x', 'research%2Eicp-2_x', 'gr%C3%B6%C3%9Fe%20%E4%B8%96', 'größe%20世', '50%25'];
  for (const path of paths) expect([path, await (await get(`/v1/${path}?q=a`)).text()]).toEqual([path, 'found']);
});

test('names that are no agents are left to whoever has them', async () => {
  const { hall } = restApp([echo()]);
  const later = {
    name: 'later',
    mount: (app: Hono<Inside>) => void app.post('/v1/messages', (context) => context.text('mine')),
  };
  const app = createApp(hall, [rest(), later]);
  expect(await (await app.request('/v1/messages', { method: 'POST', body: 'a' })).text()).toBe('mine');
  expect((await refusalOf(await app.request('/v1/chat?q=a'))).slice(0, 2)).toEqual([404, 'route-unknown']);
});

test('who there is to ask, and what each takes and gives', async () => {
  const schema = { type: 'object', required: ['n'] };
  const one = agentOf('one', [], {
    usage: 'Ask me.',
    input: { format: 'json', schema },
    output: { format: 'markdown' },
  });
  const { get, app } = restApp([one, { name: 'two', agent: echo(), usage: 'Say something.' }]);
  const response = await get('/v1');
  expect(await response.json()).toEqual({
    agents: [
      {
        name: 'one',
        description: 'does one',
        usage: 'Ask me.',
        input: { format: 'json', schema },
        output: { format: 'markdown' },
      },
      {
        name: 'two',
        description: 'does echo',
        usage: 'Say something.',
        input: { format: 'text' },
        output: { format: 'text' },
      },
    ],
  });
  expect((await app.request('/v1', { method: 'POST' })).headers.get('allow')).toBe('GET, HEAD');
});
