// The promise: of every key in a provider's configuration it can be said whether it works, has no effect, or is none.

import { catalogue } from '@ai-agent/core';
import { createModels, describeProvider, type ProviderConfig, type ProviderType } from '@ai-agent/models';
import { describe, expect, test } from 'vitest';

const good = { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' };

/** Everything that existing configurations have. */
const works = {
  ...good,
  apiKey: 'k',
  headers: { 'x-a': 'b', 'x-c': null },
  supportsStructuredOutputs: true,
  contextWindow: 1000,
  contextWindowBufferTokens: 0,
  toolChoice: 'required',
  tokenizer: 'approximate',
  custom: { providerOptions: { a: 1 }, provider: { order: ['x'] } },
  reasoning: null,
  reasoningValue: 1024,
  reasoningAutoStreamLevel: 'medium',
  stringSchemaFormatsAllowed: ['date'],
  stringSchemaFormatsDenied: '*',
  models: {
    a: { overrides: { temperature: null, top_p: 1 }, contextWindow: 5, toolChoice: 'auto', reasoning: null },
    b: null,
    'z-ai/glm': { interleaved: true, contextWindowBufferTokens: 1, tokenizer: 'anthropic', toolChoice: 'required' },
    c: { interleaved: 'reasoning_content', reasoning: ['low', null, 'medium', 8192], tokenizer: null },
  },
};

const idle: Record<string, unknown> = { mergeStrategy: 'overlay', toolsAllowed: ['a'], toolsDenied: 'b' };

test('what works needs no words', () => {
  expect(describeProvider('local', works)).toEqual([]);
  expect(describeProvider('openai', {})).toEqual([]);
  expect(describeProvider('openai', { openaiMode: 'chat' })).toEqual([]);
  expect(describeProvider('mine', { type: 'openai', openaiMode: 'responses' })).toEqual([]);
  const nulls = Object.fromEntries(Object.keys({ ...works, ...idle, openaiMode: null }).map((key) => [key, null]));
  expect(describeProvider('openai', nulls)).toEqual([]);
});

test.each(['high', 4096, ['minimal', 'low', 'medium', 'high'], [null, 1, 2, 3]])('reasoning may be %j', (reasoning) => {
  expect(describeProvider('local', { ...good, reasoning, reasoningValue: reasoning })).toEqual([]);
  expect(describeProvider('local', { ...good, models: { m: { reasoning } } })).toEqual([]);
});

test.each([
  'approximate',
  'tiktoken:gpt-4o',
  'tiktoken:whatever',
  'anthropic',
  'claude-sonnet-5',
  'google',
  'gemini-3.8-flash',
])('a tokenizer may be %s', (tokenizer) => {
  expect(describeProvider('local', { ...good, tokenizer, models: { m: { tokenizer } } })).toEqual([]);
});

test.each<ProviderType>(['openai', 'anthropic', 'google', 'openrouter', 'ollama'])(
  'interleaved does no harm to %s',
  (type) => {
    expect(describeProvider('mine', { type, models: { m: { interleaved: true } } })).toEqual([]);
  },
);

test.each(Object.entries(idle))('%s: %j has no effect, and never had', (key, value) => {
  expect(describeProvider('local', { ...good, [key]: value })).toEqual([
    {
      severity: 'warning',
      path: [key],
      code: 'key-idle',
      message: `Provider local: its ${key} has no effect, and never had.`,
    },
  ]);
});

test.each(['', [], {}])('nor is anything said of what asks for nothing: %j', (value) => {
  const toolsDenied = Array.isArray(value) || value === '' ? value : [];
  expect(describeProvider('local', { ...good, toolsAllowed: toolsDenied, toolsDenied })).toEqual([]);
});

test.each<ProviderType>(['openai-compatible', 'anthropic', 'google', 'openrouter', 'ollama'])(
  'openaiMode has no effect for the type %s',
  (type) => {
    for (const openaiMode of ['chat', 'responses']) {
      const problems = describeProvider('mine', { ...good, type, openaiMode });
      expect(problems).toMatchObject([{ severity: 'warning', path: ['openaiMode'], code: 'key-idle' }]);
      expect(problems[0]?.message).toContain(`only the type openai has one, and this is ${type}`);
    }
  },
);

test.each([
  [{ baseURL: 'x' }, ['baseURL'], 'there is no option baseURL; the nearest is baseUrl'],
  [{ contextWindows: 1 }, ['contextWindows'], 'the nearest is contextWindow'],
  [{ colour: 'x' }, ['colour'], 'there is no option colour; there are type, baseUrl, apiKey'],
  [{ models: { m: { override: {} } } }, ['models', 'm', 'override'], 'the nearest is overrides'],
  [{ models: { m: { overrides: { top: 1 } } } }, ['models', 'm', 'overrides', 'top'], 'the nearest is topP'],
])('%j has a key that nobody knows', (fields, path, words) => {
  const problems = describeProvider('local', { ...good, ...fields });
  expect(problems).toMatchObject([{ severity: 'warning', code: 'key-unknown', path }]);
  expect(problems[0]?.message).toContain(words);
});

test.each([
  [{ type: 'opneai' }, ['type'], 'there are openai'],
  [{ type: 'test-llm' }, ['type'], 'offline/demo'],
  [{ type: 7 }, ['type'], 'type is not a text'],
  [{ baseUrl: 7 }, ['baseUrl'], 'baseUrl is not a text'],
  [{ baseUrl: 'localhost' }, ['baseUrl'], 'http or https'],
  [{ baseUrl: null }, ['baseUrl'], 'it has no baseUrl'],
  [{ apiKey: ['sk-very-secret'] }, ['apiKey'], 'apiKey is not a text'],
  [{ apiKey: '$'.concat('{MY-KEY}') }, ['apiKey'], 'names a variable wrongly'],
  [{ headers: { a: 1 } }, ['headers', 'a'], 'headers.a is not a text'],
  [{ supportsStructuredOutputs: 'yes' }, ['supportsStructuredOutputs'], 'is not true or false'],
  [{ contextWindow: '128k' }, ['contextWindow'], 'is not a whole number from 1'],
  [{ openaiMode: 'complete' }, ['openaiMode'], 'is not chat or responses'],
  [{ toolChoice: true }, ['toolChoice'], 'is not auto or required'],
  [{ reasoning: {} }, ['reasoning'], 'is not a text, a number, or a list of four of these'],
  [{ reasoning: ['low', 'high'] }, ['reasoning'], 'a list of four of these, from minimal to high'],
  [{ reasoningValue: [1, 2, 3, 4, 5] }, ['reasoningValue'], 'a list of four'],
  [{ reasoning: [1, 2, 3, {}] }, ['reasoning'], 'a list of four'],
  [{ reasoningAutoStreamLevel: 'none' }, ['reasoningAutoStreamLevel'], 'is not minimal or low or medium or high'],
  [{ tokenizer: 'gpt-4o' }, ['tokenizer'], 'is not approximate, tiktoken:<model>, anthropic'],
  [{ tokenizer: 'tiktoken:' }, ['tokenizer'], 'is not approximate, tiktoken:<model>'],
  [{ tokenizer: 7 }, ['tokenizer'], 'is not approximate'],
  [{ contextWindowBufferTokens: -1 }, ['contextWindowBufferTokens'], 'is not a whole number from 0'],
  [{ custom: 'x' }, ['custom'], 'is not an object'],
  [{ stringSchemaFormatsDenied: [1] }, ['stringSchemaFormatsDenied'], 'is not a text or a list of texts'],
  [{ models: { m: { interleaved: 1 } } }, ['models', 'm', 'interleaved'], 'is not a text, true or false'],
  [{ models: { m: { tokenizer: 'x' } } }, ['models', 'm', 'tokenizer'], 'is not approximate'],
  [{ toolsAllowed: [1] }, ['toolsAllowed'], 'is not a text or a list of texts'],
  [{ models: [] }, ['models'], 'models is not an object'],
  [{ models: { m: 1 } }, ['models', 'm'], 'models.m is not an object'],
  [{ models: { m: { overrides: [] } } }, ['models', 'm', 'overrides'], 'models.m.overrides is not an object'],
  [{ models: { m: { overrides: { topP: '1' } } } }, ['models', 'm', 'overrides', 'topP'], 'is not a number or null'],
])('%j is an error', (fields, path, words) => {
  const problems = describeProvider('local', { ...good, ...fields });
  expect(problems).toMatchObject([{ severity: 'error', code: 'key-invalid', path }]);
  expect(problems[0]?.message).toContain(words);
  expect(problems[0]?.message).not.toContain('secret');
});

test.each([undefined, null, 7, 'x', []])('%j is no configuration', (config) => {
  expect(describeProvider('local', config)).toMatchObject([{ severity: 'error', path: [], code: 'key-invalid' }]);
});

test('everything is said at once, with codes of the catalogue', () => {
  const problems = describeProvider('a/b', { type: 'x', colour: 1, mergeStrategy: 'overlay', apiKey: 1 });
  expect(problems.map(({ code, path }) => [code, ...path])).toEqual([
    ['key-invalid'],
    ['key-unknown', 'colour'],
    ['key-idle', 'mergeStrategy'],
    ['key-invalid', 'apiKey'],
    ['key-invalid', 'type'],
  ]);
  for (const { code, message } of problems) {
    expect(catalogue[code].class).toBe('config');
    expect(message).toMatch(/^Provider "a\/b": .*\.$/);
  }
});

describe('in code', () => {
  const create = (fields: object) => () =>
    createModels({ providers: { local: { ...good, ...fields } as ProviderConfig } });

  test('a key without effect is no error', () => {
    expect(create({ ...idle, openaiMode: 'chat' })).not.toThrow();
  });

  test('a key that nobody knows is', () => {
    expect(create({ colour: 'x' })).toThrow(/^Provider local: there is no option colour/);
    expect(create({ models: { m: { colour: 'x' } } })).toThrow(/there is no option models\.m\.colour/);
  });
});
