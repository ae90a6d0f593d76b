// Who uses a server of his own pays neither for tables of prices nor for tables of tokens; they are loaded for those who have use for them.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

async function loadedBy(config: object, model = 'm'): Promise<readonly string[]> {
  const source = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { createModels } = await import('@ai-agent/models');
    const models = createModels({ providers: { mine: ${JSON.stringify(config)} } });
    await models.resolve('offline/demo', { env: {} });
    await models.resolve('mine/${model}', { env: {} });
    process.stdout.write(JSON.stringify(loaded));
    process.exit();
  `;
  const args = ['--input-type=module', '-e', source];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  const heavy = /@pydantic\/genai-prices|js-tiktoken\/dist\/ranks\/\w+|js-tiktoken/;
  return [...new Set<string>(JSON.parse(stdout).flatMap((name: string) => heavy.exec(name)?.[0] ?? []))];
}

const type = 'openai-compatible';

test.each([
  { type, baseUrl: 'http://127.0.0.1:1/v1' },
  { type, baseUrl: 'http://localhost:1/v1', tokenizer: 'approximate' },
  { type, baseUrl: 'https://gpu/v1', tokenizer: 'anthropic' },
  { type, baseUrl: 'https://[::1]/v1' },
  { type, baseUrl: 'https://192.168.1.4/v1' },
  { type, baseUrl: 'https://llm.lan/v1' },
  { type: 'ollama' },
])('%j loads none', async (config) => {
  expect(await loadedBy(config)).toEqual([]);
});

test('a provider at a public address loads prices alone', async () => {
  expect(await loadedBy({ type: 'openai' }, 'gpt-5.4')).toEqual(['@pydantic/genai-prices']);
});

test('a tokenizer loads its own table alone', async () => {
  const config = { type, baseUrl: 'http://127.0.0.1:1/v1', tokenizer: 'tiktoken:gpt-4' };
  expect(await loadedBy(config)).toEqual(['js-tiktoken/dist/ranks/cl100k_base', 'js-tiktoken']);
});
