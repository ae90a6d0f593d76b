// The promise: whoever speaks an API that has its own shape of errors is told in it what is wrong, from the door to the last route; all others as ever.

import { AgentError, type Failure } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { anthropic, createApp, Hall, type Headend, hashOf, Keys, openai, type Refusal, rest } from '../src/index.ts';
import { readBody } from '../src/read-body.ts';

const toOwn = ({ code }: Failure) => Response.json({ oops: code }, { status: 418 });

/** At /own, with a shape that nobody else has. */
const own: Headend = {
  name: 'own',
  mount(app, hall) {
    app.post('/own/ask', async ({ req, get }) => {
      hall.agent(req.query('agent') ?? '', get('visitor'));
      return new Response(await readBody(req.raw, 4));
    });
    app.post('/own/defect', () => {
      throw new TypeError('nobody foresaw this');
    });
    app.get('/own/closed', () => {
      throw new AgentError('request-invalid', 'Not so.');
    });
  },
  errorsAt: ({ url }) => (new URL(url).pathname.startsWith('/own') ? toOwn : undefined),
};

const models = [openai({ maxBodyBytes: 200 }), anthropic({ maxBodyBytes: 200 })];

const key = 'a-long-and-random-key';

function house() {
  const refusals: Refusal[] = [];
  const agent = { name: 'echo', instructions: 'Echo.', model: scriptedModel(() => 'hello') };
  const ports = fakePorts();
  const hall = new Hall({ agents: () => [{ name: 'echo', agent }], ports });
  const keys = new Keys({ desk: { hash: hashOf(key), agents: ['echo', 'gone'] } }, ports.clock);
  const app = createApp(hall, [rest(), ...models, own], { keys, onRefused: (refusal) => refusals.push(refusal) });
  const ask = async (path: string, init: RequestInit = {}) => {
    const reply = await app.request(path, { headers: { 'x-api-key': key }, ...init });
    return [reply.status, await reply.json()];
  };
  return { app, ask, refusals };
}

test.each([
  ['a key that is none', 'POST /own/ask', { headers: { 'x-api-key': 'wrong' } }, 'key-refused'],
  ['no key', 'POST /own/ask', { headers: {} }, 'key-refused'],
  ['a route that is not there', 'POST /own/nothing', {}, 'route-unknown'],
  ['an agent that is not theirs', 'POST /own/ask?agent=other', {}, 'agent-forbidden'],
  ['a body that is too large', 'POST /own/ask?agent=echo', { body: 'hello' }, 'request-too-large'],
  ['what was thrown on purpose', 'GET /own/closed', {}, 'request-invalid'],
  ['what nobody foresaw', 'POST /own/defect', {}, 'internal'],
])('%s', async (_, line, init, code) => {
  const { ask, refusals } = house();
  const [method = '', path = ''] = line.split(' ');
  expect(await ask(path, { method, ...init })).toEqual([418, { oops: code }]);
  expect(refusals).toMatchObject([{ method, status: 418 }]);
});

test('beside it everybody else has the one shape of the house', async () => {
  const { ask, refusals } = house();
  expect(await ask('/v1/other?q=x')).toMatchObject([403, { error: { code: 'agent-forbidden' } }]);
  expect(await ask('/v1/echo?q=x', { headers: {} })).toMatchObject([401, { error: { code: 'key-refused' } }]);
  expect(await ask('/v1/echo', { method: 'DELETE' })).toMatchObject([405, { error: { code: 'method-wrong' } }]);
  expect(await ask('/v1/nothing/here')).toMatchObject([404, { error: { code: 'route-unknown' } }]);
  expect(refusals.map(({ code }) => code)).toEqual(['agent-forbidden', 'key-refused', 'method-wrong', 'route-unknown']);
});

test('a key that was refused is still told by which scheme to show one', async () => {
  const { app } = house();
  const reply = await app.request('/own/ask', { method: 'POST' });
  expect(reply.headers.get('www-authenticate')).toBe('Bearer');
});

const openaiError = (code: string | null) => ({ error: { type: 'invalid_request_error', code } });
const anthropicError = (type: string) => ({ type: 'error', error: { type } });

/** As each API tells it: no key, no route, no model, too much, and not so. */
const words = {
  openai: [
    [401, openaiError('invalid_api_key')],
    [404, openaiError('unknown_url')],
    [404, openaiError('model_not_found')],
    [413, openaiError(null)],
    [405, openaiError('method_not_supported')],
  ],
  anthropic: [
    [401, anthropicError('authentication_error')],
    [404, anthropicError('not_found_error')],
    [404, anthropicError('not_found_error')],
    [413, anthropicError('request_too_large')],
    [405, anthropicError('invalid_request_error')],
  ],
};

test.each([
  ['/v1/chat/completions', words.openai],
  ['/v1/responses', words.openai],
  ['/v1/messages', words.anthropic],
  ['/v1/messages/count_tokens', words.anthropic],
])('%s: each in its own words, and ours for whoever runs the server', async (route, told) => {
  const { ask, refusals } = house();
  const post = (path: string, more: object, headers = { 'x-api-key': key }) =>
    ask(path, { method: 'POST', body: JSON.stringify({ messages: [], input: [], max_tokens: 1, ...more }), headers });
  const replies = [
    await post(route, {}, { 'x-api-key': 'wrong' }),
    await post(`${route}/and/more`, {}),
    await post(route, { model: 'gone' }),
    await post(route, { model: 'echo', user: 'x'.repeat(200) }),
    await ask(route, { method: 'PUT' }),
  ];
  expect(replies).toMatchObject(told);
  const codes = ['key-refused', 'route-unknown', 'agent-unknown', 'request-too-large', 'method-wrong'];
  expect(refusals.map(({ code }) => code)).toEqual(codes);
});

test('the list of models is refused in the shape of whoever asks for it', async () => {
  const { ask } = house();
  expect(await ask('/v1/models', { headers: {} })).toMatchObject([401, openaiError('invalid_api_key')]);
  const headers = { 'anthropic-version': '2023-06-01' };
  expect(await ask('/v1/models', { headers })).toMatchObject([401, anthropicError('authentication_error')]);
});

test('whoever names a version of the other API is told as the route has it; only the list of models is of both', async () => {
  const { app } = house();
  const headers = { 'x-api-key': key, 'anthropic-version': '2023-06-01' };
  const typeOf = async (path: string, method: string) => {
    const reply = await app.request(path, {
      method,
      headers,
      ...(method === 'POST' ? { body: '{"model":"gone"}' } : {}),
    });
    const { type, error } = (await reply.json()) as { type?: string; error: { type: string; code?: string } };
    return [reply.status, type, error.type, error.code];
  };
  const ofOpenai = [404, undefined, 'invalid_request_error'];
  expect(await typeOf('/v1/chat/completions', 'POST')).toEqual([...ofOpenai, 'model_not_found']);
  expect(await typeOf('/v1/responses', 'POST')).toEqual([...ofOpenai, 'model_not_found']);
  expect(await typeOf('/v1/chat/nothing', 'POST')).toEqual([...ofOpenai, 'unknown_url']);
  expect(await typeOf('/v1/messages', 'POST')).toEqual([404, 'error', 'not_found_error', undefined]);
  expect(await typeOf('/v1/models/gone', 'GET')).toEqual([404, 'error', 'not_found_error', undefined]);
});

test('completions as they were before there were chats: the way to go is told', async () => {
  const [status, body] = await house().ask('/v1/completions', {
    method: 'POST',
    body: '{"model":"echo","prompt":"Go."}',
  });
  expect([status, body]).toMatchObject([
    404,
    { error: { code: 'unknown_url', message: expect.stringContaining('/v1/chat/completions') } },
  ]);
});
