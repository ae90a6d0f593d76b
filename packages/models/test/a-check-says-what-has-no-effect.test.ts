// The promise: of every key in a provider's configuration it can be said whether it works, waits to be built, or is none.

import { catalogue } from '@ai-agent/core';
import { createModels, describeProvider, type ProviderConfig } from '@ai-agent/models';
import { describe, expect, test } from 'vitest';

const good = { type: 'openai-compatible', baseUrl: 'http://127.0.0.1:1/v1' };

/** Everything that existing configurations have, with values that work or are what we do anyway. */
const works = {
  ...good,
  apiKey: 'k',
  headers: { 'x-a': 'b', 'x-c': null },
  supportsStructuredOutputs: true,
  contextWindow: 1000,
  toolChoice: 'auto',
  openaiMode: 'chat',
  tokenizer: 'approximate',
  custom: {},
  reasoning: null,
  models: {
    a: { overrides: { temperature: null, top_p: 1 }, contextWindow: 5, toolChoice: 'auto', reasoning: null },
    b: null,
  },
};

const waits: Record<string, unknown> = {
  openaiMode: 'responses',
  custom: { provider: { order: ['x'] } },
  reasoning: ['low', 'low', 'medium', 'high'],
  reasoningValue: 1024,
  reasoningAutoStreamLevel: 'medium',
  toolChoice: 'required',
  contextWindowBufferTokens: 100,
  tokenizer: 'tiktoken:gpt-4o',
  stringSchemaFormatsAllowed: ['date'],
  stringSchemaFormatsDenied: '*',
  mergeStrategy: 'overlay',
  toolsAllowed: ['a'],
  toolsDenied: 'b',
};

test('what works needs no words', () => {
  expect(describeProvider('local', works)).toEqual([]);
  expect(describeProvider('openai', {})).toEqual([]);
  expect(describeProvider('openai', Object.fromEntries(Object.keys(waits).map((key) => [key, null])))).toEqual([]);
});

test.each(Object.entries(waits))('%s: %j waits to be built', (key, value) => {
  expect(describeProvider('local', { ...good, [key]: value })).toEqual([
    {
      severity: 'warning',
      path: [key],
      code: 'key-not-built',
      message: expect.stringMatching(new RegExp(`^Provider local: its ${key} .*\\.$`)),
    },
  ]);
});

test.each([
  ['reasoning', 'high'],
  ['interleaved', true],
  ['interleaved', 'reasoning_content'],
  ['toolChoice', 'required'],
  ['tokenizer', 'anthropic'],
  ['contextWindowBufferTokens', 1],
])('so does %s: %j of a model', (key, value) => {
  const problems = describeProvider('local', { ...good, models: { 'z-ai/glm': { [key]: value } } });
  expect(problems).toMatchObject([{ severity: 'warning', path: ['models', 'z-ai/glm', key], code: 'key-not-built' }]);
});

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
  [{ reasoning: {} }, ['reasoning'], 'is not a text, a number or a list of these'],
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
  const problems = describeProvider('a/b', { type: 'x', colour: 1, custom: { a: 1 }, apiKey: 1 });
  expect(problems.map(({ code, path }) => [code, ...path])).toEqual([
    ['key-invalid'],
    ['key-unknown', 'colour'],
    ['key-not-built', 'custom'],
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

  test('a key that waits to be built is no error', () => {
    expect(create(waits)).not.toThrow();
  });

  test('a key that nobody knows is', () => {
    expect(create({ colour: 'x' })).toThrow(/^Provider local: there is no option colour/);
    expect(create({ models: { m: { colour: 'x' } } })).toThrow(/there is no option models\.m\.colour/);
  });
});
