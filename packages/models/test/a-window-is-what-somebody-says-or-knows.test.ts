// The promise: how long a conversation may be is said by the configuration, of the model before the provider; else it is what
// everybody may know of the model; else nothing is said.

import { createModels, type ProviderConfig } from '@ai-agent/models';
import { expect, onTestFinished, test } from 'vitest';

async function open(config: object, model = 'gpt-5.4') {
  const models = createModels({ providers: { openai: config as ProviderConfig } });
  onTestFinished(() => models.close());
  return models.resolve(`openai/${model}`, { env: {} });
}

test.each([
  ['what is known', {}, 1_050_000],
  ['what the provider says', { contextWindow: 1_000 }, 1_000],
  ['what the model says', { contextWindow: 1_000, models: { 'gpt-5.4': { contextWindow: 500 } } }, 500],
  ['what another model says does not count', { models: { other: { contextWindow: 500 } } }, 1_050_000],
  ['null says nothing', { contextWindow: null, models: { 'gpt-5.4': { contextWindow: null } } }, 1_050_000],
])('%s', async (_, config, window) => {
  expect((await open(config)).contextWindowTokens).toBe(window);
});

test('of a model that nobody knows nothing is said', async () => {
  expect((await open({}, 'gpt-99')).contextWindowTokens).toBeUndefined();
});

test.each([
  [{}, undefined],
  [{ contextWindowBufferTokens: 0 }, 0],
  [{ contextWindowBufferTokens: 100, models: { 'gpt-5.4': { contextWindowBufferTokens: 7 } } }, 7],
])('what is left free with %j is %s', async (config, buffer) => {
  expect((await open(config)).contextBufferTokens).toBe(buffer);
});
