// A provider that is set up wrongly is a failure of the configuration, said in words before anything is sent.

import { createModels, type ModelsOptions, openaiCompatible, type ProviderConfig } from '@ai-agent/models';
import { expect, onTestFinished, test } from 'vitest';
import { contextOf, failureOf, modelAt, requestOf, variable } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

const good = { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' } as const;
const wrong = (fields: object) => ({ ...good, ...fields }) as unknown as ProviderConfig;

async function resolveWith(config: ProviderConfig, env: Record<string, string> = {}) {
  const models = createModels({ providers: { local: config } });
  onTestFinished(() => models.close());
  return models.resolve('local/m', { env });
}

test.each([
  ['a type that is none', { type: 'opneai' }, 'its type is "opneai"; there are openai, openai-compatible, anthropic'],
  ['a type of another program', { type: 'test-llm' }, 'use the model offline/demo'],
  ['a type that is no text', { type: ['openai'] }, 'type is not a text'],
  ['no type', { type: undefined }, 'it has no type, and its name does not say it; there are openai, openai-compatible'],
  ['no address', { baseUrl: undefined }, 'no baseUrl'],
  ['an address that is no text', { baseUrl: 7 }, 'baseUrl is not a text'],
  ['a relative address', { baseUrl: 'localhost' }, 'http or https'],
  ['another protocol', { baseUrl: 'ftp://host/v1' }, 'http or https'],
  ['credentials in the address', { baseUrl: 'http://user:pass@127.0.0.1/v1' }, 'credentials'],
  ['a user in the address', { baseUrl: 'http://user@127.0.0.1/v1' }, 'credentials'],
  ['another spelling', { baseURL: 'http://127.0.0.1/v1' }, 'there is no option baseURL; the nearest is baseUrl'],
  ['another word', { apikey: 'x' }, 'the nearest is apiKey'],
  ['headers that are none', { headers: 'x' }, 'headers'],
  ['a header that is no text', { headers: { 'x-a': 1 } }, 'x-a is not a text'],
  ['a header with a space in its name', { headers: { 'x a': 'b' } }, '"x a" is not a header'],
  ['a header with a line break', { headers: { 'x-a': 'b\r\nx-c: d' } }, 'x-a'],
  ['a key that is no text', { apiKey: ['sk-abc'] }, 'apiKey is not a text'],
  ['a window that is none', { contextWindow: 0 }, 'contextWindow is not a whole number from 1'],
  ['a model that is none', { models: { m: 'x' } }, 'models.m is not an object'],
  [
    'an override that is none',
    { models: { m: { overrides: { topP: 'x' } } } },
    'overrides.topP is not a number or null',
  ],
  ['an override of another name', { models: { m: { overrides: { topQ: 1 } } } }, 'the nearest is topP'],
  ['a key with a line break', { apiKey: 'sk-a\nbc' }, 'apiKey'],
  ['a key that was shortened for display', { apiKey: 'sk-abc…' }, 'apiKey'],
  ['a default for a variable', { apiKey: variable('KEY:-x') }, variable('NAME')],
  ['a variable with a dash', { headers: { 'x-a': variable('MY-KEY') } }, variable('NAME')],
  ['a variable that is not closed', { baseUrl: `http://${variable('HOST').slice(0, -1)}` }, variable('NAME')],
])('%s', async (_, fields, words) => {
  const failure = await failureOf((async () => resolveWith(wrong(fields), { KEY: 'k', HOST: 'h' }))());
  expect(failure).toMatchObject({ class: 'config', retryable: false });
  expect(failure.message).toContain('local');
  expect(failure.message).toContain(words);
});

test('a key from a variable that no request could carry', async () => {
  const failure = await failureOf(resolveWith(wrong({ apiKey: variable('KEY') }), { KEY: 'sk-ключ' }));
  expect(failure).toMatchObject({ class: 'config' });
  expect(failure.message).not.toContain('sk-');
});

test.each(['localhost', 'ftp://host/v1', 'http://user:pass@127.0.0.1/v1'])(
  'the address %s is refused before a model is asked for',
  (baseUrl) => {
    expect(() => createModels({ providers: { local: { ...good, baseUrl } } })).toThrow(/^Provider local: its baseUrl/);
  },
);

test('an address with a variable in it is read when the variable is known', () => {
  const baseUrl = variable('HOST');
  expect(() => createModels({ providers: { local: { ...good, baseUrl } } })).not.toThrow();
});

test.each([
  ['a/b', /Provider "a\/b": its name must not be empty, nor have a slash/],
  ['', /Provider "": its name must not be empty/],
  ['offline', /Provider offline: this name is taken by offline\/demo/],
])('the name %j is none for a provider', (name, message) => {
  expect(() => createModels({ providers: { [name]: good } })).toThrow(message);
});

test('an option of createModels that nobody knows', () => {
  const open = () => createModels({ provider: {} } as ModelsOptions);
  expect(open).toThrow(/there is no option provider; the nearest is providers/);
});

test('a provider made by hand is checked when it is made', () => {
  const transport = { fetch: globalThis.fetch, close() {} };
  const open = (fields: object) => () => openaiCompatible({ name: 'local', ...good, transport, ...fields });
  expect(open({})).not.toThrow();
  for (const fields of [{ baseUrl: '' }, { apiKey: 'a\nb' }, { headers: { 'a b': 'c' } }])
    expect(open(fields)).toThrow(/^Provider local: /);
});

test('a misspelt demo is told what there is', async () => {
  const models = createModels();
  const failure = await failureOf((async () => models.resolve('offline/dmeo', { env: {} }))());
  expect(failure).toMatchObject({ code: 'model-unknown' });
  expect(failure.message).toContain('provider offline has only the model demo');
});

test.each([
  ['', '/v1/chat/completions'],
  ['/', '/v1/chat/completions'],
  ['?api-version=2024', '/v1/chat/completions?api-version=2024'],
  ['/#part', '/v1/chat/completions'],
])('an address that ends with %j is completed to %s', async (end, expected) => {
  const sent: unknown[] = [];
  const { baseUrl } = await serve(({ url, headers }, response) => {
    sent.push([url, headers['content-type'], headers.authorization]);
    response.writeHead(404).end();
  });
  const model = await modelAt(`${baseUrl}${end}`, { apiKey: ' sk-abc\n' });
  await failureOf(model.call(requestOf(), contextOf()));
  expect(sent).toEqual([[expected, 'application/json', 'Bearer sk-abc']]);
});

test('a file at an address that is none is refused', async () => {
  const file = { type: 'file', mediaType: 'image/png', data: 'http://[bad' } as const;
  const request = requestOf({ messages: [{ role: 'user', content: [file] }] });
  const failure = await failureOf((await modelAt(good.baseUrl)).call(request, contextOf()));
  expect(failure).toMatchObject({ code: 'model-request-refused' });
  expect(failure.message).toContain('http://[bad');
});
