// The promise: a provider needs no more said of it than cannot be guessed from its type or its name.

import {
  createModels,
  type ProviderConfig,
  type ProviderType,
  providerTypes,
  type Transport,
  wellKnown,
} from '@ai-agent/models';
import { expect, test } from 'vitest';
import { completion } from './support/answering.ts';
import { contextOf, failureOf, requestOf, variable } from './support/calling.ts';

const keyHeaders = ['authorization', 'x-api-key', 'x-goog-api-key'];

/** Where a call of such a provider would go, and with which key. What is answered is no matter here. */
async function sentTo(name: string, config: object, env: Record<string, string> = {}) {
  const sent: unknown[] = [];
  const transport: Transport = {
    fetch: async (url, init) => {
      const headers = new Headers(init?.headers);
      sent.push(String(url), ...keyHeaders.flatMap((header) => headers.get(header) ?? []));
      return new Response(completion);
    },
    close() {},
  };
  const models = createModels({ providers: { [name]: config as ProviderConfig }, transport });
  const model = await models.resolve(`${name}/m`, { env });
  await model.call(requestOf(), contextOf()).catch(() => {});
  return sent;
}

const usual: [type: ProviderType, address: string, key: string][] = [
  ['openai', 'https://api.openai.com/v1/responses', 'Bearer k'],
  ['anthropic', 'https://api.anthropic.com/v1/messages', 'k'],
  ['google', 'https://generativelanguage.googleapis.com/v1beta/models/m:generateContent', 'k'],
  ['openrouter', 'https://openrouter.ai/api/v1/chat/completions', 'Bearer k'],
  ['ollama', 'http://localhost:11434/api/chat', 'Bearer k'],
];

test.each(usual)('a provider of type %s is asked at %s', async (type, address, key) => {
  expect(await sentTo('mine', { type, apiKey: 'k' })).toEqual([address, key]);
  expect(await sentTo(type, {})).toEqual([address]);
  expect(await sentTo(type, { type: null, baseUrl: null, apiKey: null, headers: null })).toEqual([address]);
});

test('openai is asked for chat completions where its configuration says so', async () => {
  const address = 'https://api.openai.com/v1/chat/completions';
  expect(await sentTo('openai', { openaiMode: 'chat' })).toEqual([address]);
  expect(await sentTo('openai', { openaiMode: 'responses' })).toEqual(['https://api.openai.com/v1/responses']);
});

test.each(['groq', 'deepseek', 'mistral', 'xai', 'together', 'cerebras', 'fireworks'])('%s is known', async (name) => {
  const { type, baseUrl, keyVariables } = wellKnown.get(name) ?? expect.fail();
  expect([type, keyVariables]).toEqual(['openai-compatible', [`${name.toUpperCase()}_API_KEY`]]);
  for (const config of [{}, { type: 'openai-compatible' }])
    expect((await sentTo(name, config))[0]).toBe(`${baseUrl}/chat/completions`);
});

test('an address that is given is the one', async () => {
  const baseUrl = 'https://proxy.test/openai/v1/';
  expect(await sentTo('openai', { baseUrl })).toEqual(['https://proxy.test/openai/v1/responses']);
  expect(await sentTo('openai', { type: 'anthropic', baseUrl })).toEqual(['https://proxy.test/openai/v1/messages']);
  expect(await sentTo('openai', { type: 'openai-compatible', baseUrl })).toEqual([
    'https://proxy.test/openai/v1/chat/completions',
  ]);
});

test.each([
  ['http://box:11434', 'http://box:11434/api'],
  ['http://box:11434/', 'http://box:11434/api'],
  ['http://box:11434/api', 'http://box:11434/api'],
  ['http://box:11434/api/', 'http://box:11434/api'],
  ['http://box:11434/v1', 'http://box:11434/api'],
  ['https://box/ollama/api', 'https://box/ollama/api'],
  [variable('HOST'), 'http://box:11434/api'],
])('ollama at %s is spoken to at %s', async (baseUrl, address) => {
  const sent = await sentTo('mine', { type: 'ollama', baseUrl }, { HOST: 'http://box:11434' });
  expect(sent[0]).toBe(`${address}/chat`);
});

test('only ollama is put right: others are asked where they were said to be', async () => {
  const config = { type: 'openai-compatible', baseUrl: 'http://box:1/api' };
  expect((await sentTo('mine', config))[0]).toBe('http://box:1/api/chat/completions');
});

test.each(['mine', 'constructor', 'offlin'])('of a provider %s nobody knows the type', async (name) => {
  const failure = await failureOf(sentTo(name, { baseUrl: 'http://box/v1' }));
  for (const type of providerTypes) expect(failure.message).toContain(type);
});

test('a compatible provider has an address of its own', async () => {
  expect((await failureOf(sentTo('mine', { type: 'openai-compatible' }))).message).toContain('it has no baseUrl');
  expect((await failureOf(sentTo('openai-compatible', {}))).message).toContain('it has no baseUrl');
});

test('the table of what is known', () => {
  expect([...wellKnown].map(([name, { keyVariables }]) => [name, ...keyVariables])).toEqual([
    ['openai', 'OPENAI_API_KEY'],
    ['anthropic', 'ANTHROPIC_API_KEY'],
    ['google', 'GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'],
    ['openrouter', 'OPENROUTER_API_KEY'],
    ['ollama'],
    ['groq', 'GROQ_API_KEY'],
    ['deepseek', 'DEEPSEEK_API_KEY'],
    ['mistral', 'MISTRAL_API_KEY'],
    ['xai', 'XAI_API_KEY'],
    ['together', 'TOGETHER_API_KEY'],
    ['cerebras', 'CEREBRAS_API_KEY'],
    ['fireworks', 'FIREWORKS_API_KEY'],
  ]);
  const withModel = [...wellKnown].filter(([, { defaultModel }]) => defaultModel !== undefined);
  expect(withModel.map(([name]) => name)).toEqual(['openai', 'anthropic', 'google', 'openrouter']);
});
