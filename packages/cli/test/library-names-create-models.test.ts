// A model whose provider is not set up in code is a failure that says what to import and what to pass; following it works.

import { ask, createModels, type Outcome, type Ports } from '@ai-agent/cli';
import { expect, test } from 'vitest';
import { served } from './support/served.ts';

const failureOf = (outcome: Outcome) => {
  if (outcome.status !== 'failed') throw new Error(`ended as ${outcome.status}`);
  return outcome.failure;
};

const askFor = async (model: string, ports: Partial<Ports> = {}) =>
  failureOf(await ask({ name: 'writer', instructions: 'You write.', model }, 'hi', { ports }));

test('a provider that everybody knows: its type and the variable of its key', async () => {
  expect(await askFor('openai/gpt-5')).toMatchObject({
    class: 'config',
    code: 'model-unknown',
    message: 'Model openai/gpt-5: there is no provider openai; set it up with createModels. Known: offline/demo.',
    remedy: `Import createModels from ai-agent and pass ports: { models: createModels({ providers: { openai: { type: 'openai', apiKey: '$\{OPENAI_API_KEY}' } } }).resolve } and envOverlay: { OPENAI_API_KEY: '…' }.`,
  });
  const { remedy } = await askFor('groq/llama');
  expect(remedy).toContain(`groq: { type: 'openai-compatible', apiKey: '$\{GROQ_API_KEY}' }`);
});

test('a provider without a key, and an unknown provider', async () => {
  expect((await askFor('ollama/qwen3')).remedy).toMatch(/ollama: \{ type: 'ollama' \} \} \}\)\.resolve \}\.$/);
  const { message, remedy } = await askFor('own-house/m');
  expect(message).toContain('there is no provider own-house; set it up with createModels');
  expect(remedy).toContain("'own-house': { type: 'openai-compatible', baseUrl: 'https://…' }");
});

test('one that is missing among others', async () => {
  const { resolve } = createModels({
    providers: { local: { type: 'openai-compatible', baseUrl: 'http://localhost:1' } },
  });
  const { message } = await askFor('openai/gpt-5', { models: resolve });
  expect(message).toContain('set it up with createModels. Known: local/…, offline/demo.');
});

test('what the remedy says runs', async () => {
  const model = await served(['hello']);
  const { resolve } = createModels({
    providers: { 'own-house': { type: 'openai-compatible', baseUrl: model.baseUrl } },
  });
  const agent = { name: 'writer', instructions: 'You write.', model: 'own-house/m' };
  expect(await ask(agent, 'hi', { ports: { models: resolve } })).toMatchObject({ status: 'completed', text: 'hello' });
});
