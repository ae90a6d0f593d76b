// The promise: a provider that nobody registered is opened from its own entry, shares what may be shared, and hides its keys.

import { createModels, type ProviderConfig } from '@ai-agent/models';
import { expect, onTestFinished, test } from 'vitest';
import { answering } from './support/answering.ts';
import { contextOf, failureOf, requestOf, variable } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

const nowhere = { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' } as const;

function create(providers: Record<string, ProviderConfig> = {}) {
  const models = createModels({ providers });
  onTestFinished(() => models.close());
  return models;
}

test('it answers, with the variables of its session', async () => {
  const { baseUrl, asked } = await answering();
  const config = { ...nowhere, baseUrl, apiKey: variable('KEY') };
  const model = await create().open('own', 'meta/llama', config, { env: { KEY: 'k' } });
  expect(model).toMatchObject({ provider: 'own', model: 'meta/llama' });
  await model.call(requestOf(), contextOf());
  expect([asked[0]?.headers.authorization, asked[0]?.body.model]).toEqual(['Bearer k', 'meta/llama']);
});

test('two entries of one name are two, and the same entry is one', async () => {
  const models = create({ own: nowhere });
  const env = {};
  const first = await models.open('own', 'm', nowhere, { env });
  expect(await models.open('own', 'm', nowhere, { env })).toBe(first);
  expect(await models.resolve('own/m', { env })).toBe(first);
  expect(await models.open('own', 'other', nowhere, { env })).not.toBe(first);
  expect(await models.open('other', 'm', nowhere, { env })).not.toBe(first);
  for (const fields of [
    { baseUrl: 'http://127.0.0.1:2/v1' },
    { contextWindow: 5 },
    { models: { m: { overrides: { topP: 1 } } } },
  ])
    expect(await models.open('own', 'm', { ...nowhere, ...fields }, { env })).not.toBe(first);
});

test('connections are shared', async () => {
  const server = await serve((_, response) => response.end('{}'));
  const models = create();
  for (const name of ['one', 'two']) {
    const model = await models.open(name, 'm', { ...nowhere, baseUrl: server.baseUrl }, { env: {} });
    await failureOf(model.call(requestOf(), contextOf()));
  }
  expect(server.connections).toBe(1);
});

test('a key that nobody knows is no matter here, a wrong one is', async () => {
  const open = (fields: object) => create().open('own', 'm', { ...nowhere, ...fields } as ProviderConfig, { env: {} });
  await expect(open({ colour: 'x', custom: { a: 1 } })).resolves.toBeDefined();
  const failure = await failureOf(open({ contextWindow: 'x' }));
  expect(failure).toMatchObject({ class: 'config', code: 'model-unknown' });
  expect(failure.message).toBe('Provider own: its contextWindow is not a whole number from 1.');
});

test('a variable that is missing is said', async () => {
  const failure = await failureOf(create().open('own', 'm', { ...nowhere, apiKey: variable('KEY') }, { env: {} }));
  expect(failure).toMatchObject({ code: 'secret-missing', class: 'config' });
});

const secrets = {
  ...nowhere,
  baseUrl: `http://${variable('HOST')}/v1`,
  apiKey: ` ${variable('KEY')} `,
  headers: {
    authorization: 'Bearer literal-token',
    'x-key': variable('OTHER'),
    'x-both': `Token ${variable('TOKEN')}`,
    'X-Title': 'My Company',
    'http-referer': 'https://my.company',
    'x-words': 'all of these words',
    'x-none': '',
  },
};
const env = { HOST: '127.0.0.1:1', KEY: 'key-1', OTHER: 'other-1', TOKEN: 'token-12345' };
/** What variables fill in any header, and what stands in a header that holds keys. */
const hidden = ['key-1', 'Bearer literal-token', 'literal-token', 'other-1', 'token-12345'];

test.each(['open', 'resolve'] as const)(
  '%s hides the key and the headers, each time, and not the address',
  async (way) => {
    const models = create({ own: secrets });
    for (let i = 0; i < 2; i++) {
      const told: string[] = [];
      const options = { env, hide: (value: string) => told.push(value) };
      await (way === 'open' ? models.open('own', 'm', secrets, options) : models.resolve('own/m', options));
      expect(told).toEqual(hidden);
    }
  },
);

test('a literal key is hidden too, unless it is a word that only fills the place', async () => {
  const told: string[] = [];
  const hide = (value: string) => told.push(value);
  for (const apiKey of ['a1-literal', 'lm-studio', 'aLiteralKeyWithoutDigits'])
    await create().open('own', 'm', { ...nowhere, apiKey }, { env: {}, hide });
  expect(told).toEqual(['a1-literal', 'aLiteralKeyWithoutDigits']);
});

test('what could not be opened is tried again', async () => {
  const models = create();
  const config = { ...nowhere, headers: { 'x-odd': variable('ODD') } };
  const broken = { env: { ODD: 'one\u2603two' } };
  await expect(models.open('own', 'm', config, broken)).rejects.toThrow(/x-odd/);
  await expect(models.open('own', 'm', config, broken)).rejects.toThrow(/x-odd/);
  expect(await models.open('own', 'm', config, { env: { ODD: 'plain' } })).toMatchObject({ model: 'm' });
});

test('a provider that refuses the key is still class auth', async () => {
  const { baseUrl } = await serve((_, response) =>
    response.writeHead(401).end('{"error":{"message":"No sk-literal."}}'),
  );
  const model = await create().open('openai', 'm', { baseUrl, apiKey: 'sk-literal' }, { env: {} });
  const failure = await failureOf(model.call(requestOf(), contextOf()));
  expect(failure).toMatchObject({ code: 'model-auth', class: 'auth', status: 401 });
  expect(failure.message).not.toContain('sk-literal');
});
