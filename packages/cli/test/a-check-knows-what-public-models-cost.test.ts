// The promise: a check of a file that counts money knows the prices that everybody may know, and names the models it does not.

import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';

const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', OPENROUTER_API_KEY: 'k' };

async function check(models: string, config: object = {}): Promise<readonly string[]> {
  const cwd = await folderWith({
    'desk.ai': agentFile([`models: ${models}`, 'budget: { costUsd: 1 }', 'usage: hi', 'output: { format: text }']),
    '.ai-agent.json': config,
  });
  const { stdout, stderr } = await run(['check', 'desk.ai'], { cwd, env });
  return [...`${stdout}${stderr}`.matchAll(/No price for (\S+),/g)].map(([, model = '']) => model);
}

test('of models at public addresses', async () => {
  expect(await check('openai/gpt-5.4, anthropic/claude-sonnet-5-20260101, offline/demo')).toEqual([]);
});

test('of OpenRouter, which reports the cost of each reply', async () => {
  expect(await check('openrouter/some/new-model')).toEqual([]);
});

test('not of models that nobody knows, and not of servers of the house', async () => {
  const local = localProvider('http://127.0.0.1:1/v1');
  expect(await check('openai/gpt-5.4, openai/gpt-99, local/gpt-5.4', local)).toEqual([
    'openai/gpt-99',
    'local/gpt-5.4',
  ]);
});

test('nor of an Ollama, unless the configuration says what it costs', async () => {
  expect(await check('ollama/llama3')).toEqual(['ollama/llama3']);
  expect(await check('ollama/llama3', { pricing: { ollama: { llama3: { prompt: 0, completion: 0 } } } })).toEqual([]);
});
