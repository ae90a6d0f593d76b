// `provider/model` finds the model with the session's own variables; anything else says what is missing and what there is.

import { type ModelReply, textOf } from '@ai-agent/core';
import { createModels, createTransport, type ProviderConfig } from '@ai-agent/models';
import { serveScript } from '@ai-agent/models/testing';
import { expect, onTestFinished, test } from 'vitest';
import { contextOf, failureOf, requestOf, variable } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

function open(providers: Record<string, ProviderConfig>) {
  const models = createModels({ providers });
  onTestFinished(() => models.close());
  return async (ref: string, env: Record<string, string> = {}) => models.resolve(ref, { env });
}

test('the name of a model may have slashes of its own', async () => {
  const server = await serveScript(['Hello']);
  onTestFinished(() => server.close());
  const resolve = open({ router: { type: 'openai-compatible', baseUrl: server.baseUrl } });
  const model = await resolve('router/meta/llama-3');
  expect(model).toMatchObject({ provider: 'router', model: 'meta/llama-3' });
  expect((await model.call(requestOf(), contextOf())).servedBy).toBe('meta/llama-3');
});

test.each(['nobody/model', 'model', 'local/', '/model', '', 'constructor/model'])(
  '%j is unknown, and the known are named',
  async (ref) => {
    const resolve = open({ local: { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' } });
    const failure = await failureOf(resolve(ref));
    expect(failure).toMatchObject({ code: 'model-unknown', class: 'config' });
    expect(failure.message).toContain('local/…, offline/demo');
  },
);

test('the offline model is always there', async () => {
  const model = await open({})('offline/demo');
  expect(`${model.provider}/${model.model}`).toBe('offline/demo');
});

test('the key comes from the variables of the session, two sessions never share one', async () => {
  const keys: (string | undefined)[] = [];
  const { baseUrl } = await serve((request, response) => {
    keys.push(request.headers.authorization);
    const message = { role: 'assistant', content: 'Hello' };
    response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
  });
  const resolve = open({ local: { type: 'openai-compatible', baseUrl, apiKey: variable('KEY') } });
  const models = [await resolve('local/m', { KEY: 'one' }), await resolve('local/m', { KEY: 'two' })];
  for (const model of models) await model.call(requestOf(), contextOf());
  expect(keys).toEqual(['Bearer one', 'Bearer two']);
});

test.each([{}, { KEY: '' }])('a variable that is missing is named: %o', async (env) => {
  const resolve = open({
    local: { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1', apiKey: variable('KEY') },
  });
  const failure = await failureOf(resolve('local/m', env as Record<string, string>));
  expect(failure).toMatchObject({
    code: 'secret-missing',
    class: 'config',
    message: 'Missing: KEY; give it in envOverlay of the session, or of asTool',
  });
  expect(failure.remedy).toContain('Give KEY in envOverlay');
});

test('two providers with the same settings are two', async () => {
  const config = { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' } as const;
  const resolve = open({ one: config, two: config });
  expect([(await resolve('one/m')).provider, (await resolve('two/m')).provider]).toEqual(['one', 'two']);
});

test('sessions with the same settings share a model, and old ones are forgotten in the end', async () => {
  const resolve = open({ local: { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' } });
  const first = await resolve('local/m');
  expect(await resolve('local/m')).toBe(first);
  for (let i = 0; i < 1000; i++) await resolve(`local/m${i}`);
  expect(await resolve('local/m')).not.toBe(first);
});

test('closing closes the connections, unless somebody else brought them', async () => {
  const server = await serveScript(() => 'Hello');
  onTestFinished(() => server.close());
  const transport = createTransport();
  onTestFinished(() => transport.close());
  const providers = { local: { type: 'openai-compatible', baseUrl: server.baseUrl } } as const;
  for (const brought of [undefined, transport]) {
    const models = createModels({ providers, ...(brought ? { transport: brought } : {}) });
    const model = await models.resolve('local/m', { env: {} });
    await model.call(requestOf(), contextOf());
    await models.close();
    const said = model.call(requestOf(), contextOf()).then(textOfReply, ({ message }) => message);
    expect(await said).toContain(brought ? 'Hello' : 'closed');
  }
});

function textOfReply({ message }: ModelReply): string {
  return textOf(message);
}
