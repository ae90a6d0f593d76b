// The promise: each setting is on the wire under the names its provider knows, and where it is refused it is not sent.

import type { ModelSettings } from '@ai-agent/core';
import { createModels, type ProviderConfig, wellKnown } from '@ai-agent/models';
import { expect, onTestFinished, test } from 'vitest';
import { answering } from './support/answering.ts';
import { requestOf, ways } from './support/calling.ts';

const settings: ModelSettings = { maxOutputTokens: 99, temperature: 0.3, topP: 0.9, topK: 40, repeatPenalty: 1.1 };
const common = { temperature: 0.3, top_p: 0.9, frequency_penalty: 0.1 };
const sampling = ['temperature', 'top_p', 'top_k', 'frequency_penalty', 'repeat_penalty'];

/** What is answered is no matter here. */
async function bodyOf(config: ProviderConfig, model: string, context = ways[0][1]()) {
  const { baseUrl, asked } = await answering();
  const models = createModels({ providers: { 'my.own-one': { ...config, baseUrl } } });
  onTestFinished(() => models.close());
  const opened = await models.resolve(`my.own-one/${model}`, { env: {} });
  await opened.call(requestOf({ settings }), context).catch(() => {});
  return asked[0]?.body ?? expect.fail();
}

const chat = { type: 'openai', openaiMode: 'chat' } as const;
const wires: [ProviderConfig, Record<string, unknown>][] = [
  [{ type: 'openai-compatible' }, { max_tokens: 99, ...common, top_k: 40 }],
  [{ type: 'openrouter' }, { max_tokens: 99, ...common, top_k: 40 }],
  [{ type: 'openai' }, { max_output_tokens: 99, temperature: 0.3, top_p: 0.9 }],
  [chat, { max_completion_tokens: 99, ...common }],
];
const names = [...sampling, 'max_tokens', 'max_output_tokens', 'max_completion_tokens'];

test.each(wires.flatMap((wire) => ways.map((way) => [...wire, ...way] as const)))(
  'to %j: %j, %s',
  async (config, settings, _, context) => {
    const body = await bodyOf(config, 'm', context());
    expect(Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)))).toEqual(settings);
  },
);

test.each(ways)('to ollama: among its options, %s', async (_, context) => {
  const { options } = await bodyOf({ type: 'ollama' }, 'm', context());
  expect(options).toEqual({ num_predict: 99, temperature: 0.3, top_p: 0.9, top_k: 40, repeat_penalty: 1.1 });
});

test.each([
  ['openai', 'o3-mini'],
  ['openai', 'gpt-5'],
  ['openai', 'gpt-5.4-mini'],
  ['openai', wellKnown.get('openai')?.defaultModel ?? ''],
  ['anthropic', 'claude-opus-4-7'],
  ['anthropic', 'claude-sonnet-5-20260630'],
  ['anthropic', 'claude-fable-5-1'],
  ['anthropic', wellKnown.get('anthropic')?.defaultModel ?? ''],
] as const)('%s/%s refuses to be told how to choose its words', async (type, model) => {
  for (const config of [{ type }, ...(type === 'openai' ? [chat] : [])]) {
    const body = await bodyOf(config, model);
    expect(sampling.filter((field) => field in body)).toEqual([]);
  }
});

test.each([
  ['openai', 'gpt-4o'],
  ['openai', 'gpt-4.1'],
  ['openai', 'gpt-5-chat-latest'],
  ['anthropic', 'claude-haiku-4-5'],
  ['anthropic', 'claude-opus-4-20250514'],
  ['anthropic', 'claude-3-5-sonnet-20241022'],
  ['openai-compatible', 'gpt-5'],
  ['openrouter', 'anthropic/claude-sonnet-5'],
] as const)('%s/%s may be told', async (type, model) => {
  expect(await bodyOf({ type }, model)).toMatchObject({ temperature: 0.3 });
});

test('what an agent does not say is not sent', async () => {
  const { baseUrl, asked } = await answering();
  const providers = { chat: { type: 'openai-compatible', baseUrl }, ollama: { baseUrl } } as const;
  const models = createModels({ providers });
  onTestFinished(() => models.close());
  for (const name of ['chat/m', 'ollama/m'])
    await (await models.resolve(name, { env: {} })).call(requestOf(), ways[0][1]()).catch(() => {});
  expect(asked.map(({ body }) => Object.keys(body))).toEqual([
    ['model', 'messages'],
    ['model', 'messages', 'stream'],
  ]);
});
