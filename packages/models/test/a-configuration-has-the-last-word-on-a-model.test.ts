// The promise: what a provider's configuration says of a model beats what the agent says; what the model itself refuses is not sent.

import { createModels, type ProviderConfig } from '@ai-agent/models';
import { describe, expect, onTestFinished, test } from 'vitest';
import { answering } from './support/answering.ts';
import { contextOf, requestOf } from './support/calling.ts';
import { openaiChat } from './support/wires/openai-chat.ts';
import { openaiResponses } from './support/wires/openai-responses.ts';
import { serveWire } from './support/wires/serve-wire.ts';

async function open(config: object, ref = 'own/m') {
  const { baseUrl, asked } = await answering();
  const own = { type: 'openai-compatible', baseUrl, ...config } as ProviderConfig;
  const models = createModels({ providers: { own } });
  onTestFinished(() => models.close());
  return { model: await models.resolve(ref, { env: {} }), asked };
}

const settings = { temperature: 0.2, topP: 0.9, maxOutputTokens: 9 };

async function sent(overrides: unknown, config: object = {}, model = 'm') {
  const opened = await open({ ...config, models: { [model]: { overrides } } }, `own/${model}`);
  await opened.model.call(requestOf({ settings }), contextOf());
  const { messages: _messages, model: _model, ...rest } = opened.asked[0]?.body ?? {};
  return rest;
}

describe('overrides', () => {
  test.each([
    ['a value replaces', { temperature: 1 }, { temperature: 1, top_p: 0.9 }],
    ['nothing is a value too', { temperature: 0 }, { temperature: 0, top_p: 0.9 }],
    ['null is not sent', { temperature: null, top_p: null }, {}],
    [
      'what was not said is added',
      { top_k: 5, repeatPenalty: 1.2 },
      { temperature: 0.2, top_p: 0.9, ...ofLocal(5, 1.2) },
    ],
    ['the other spelling', { topK: 5, repeat_penalty: 1.2 }, { temperature: 0.2, top_p: 0.9, ...ofLocal(5, 1.2) }],
    ['of two spellings, ours', { topP: 0.1, top_p: 0.5 }, { temperature: 0.2, top_p: 0.1 }],
    ['none', null, { temperature: 0.2, top_p: 0.9 }],
  ])('%s', async (_, overrides, expected) => {
    expect(await sent(overrides)).toEqual({ max_tokens: 9, ...expected });
  });

  test('are of one model alone', async () => {
    const { model, asked } = await open({ models: { other: { overrides: { temperature: 1 } }, m: null } });
    await model.call(requestOf({ settings }), contextOf());
    expect(asked[0]?.body).toMatchObject({ temperature: 0.2 });
  });

  test.each([openaiResponses, openaiChat])('of a model that refuses to be told: $label', async (wire) => {
    const bodyOf = async (config: object) => {
      const models = { 'gpt-5.4': { overrides: { temperature: 1 } } };
      const { model, requests } = await serveWire(wire, [{ text: 'Hello' }], { config: { models, ...config } });
      await model.call(requestOf({ settings }), contextOf());
      return requests[0]?.body;
    };
    expect(await bodyOf({})).not.toHaveProperty('temperature');
    // Whoever knows better can say so, in the words of the provider package.
    const custom = { providerOptions: { forceReasoning: false } };
    expect(await bodyOf({ custom })).toMatchObject({ temperature: 1, top_p: 0.9 });
  });

  test('change nothing that the caller holds', async () => {
    const request = Object.freeze(requestOf({ settings: Object.freeze({ ...settings }) }));
    const { model } = await open({ models: { m: { overrides: { temperature: null } } } });
    await model.call(request, contextOf());
    expect(request.settings).toEqual(settings);
  });
});

test.each([
  [{}, undefined],
  [{ contextWindow: null }, undefined],
  [{ contextWindow: 1000 }, 1000],
  [{ contextWindow: 1000, models: { m: { contextWindow: 500 } } }, 500],
  [{ contextWindow: 1000, models: { m: { contextWindow: null } } }, 1000],
  [{ models: { other: { contextWindow: 500 } } }, undefined],
])('the context window of %j is %s', async (config, window) => {
  expect((await open(config)).model.contextWindowTokens).toBe(window);
});

function ofLocal(topK: number, penalty: number) {
  return { top_k: topK, frequency_penalty: Number((penalty - 1).toFixed(6)) };
}
