// Null anywhere is as good as left out, but where the part it stands in has a meaning for it.

import { expect, test } from 'vitest';
import { openFolder } from './config-folders.ts';

test('in an entry', async () => {
  const { configuration } = await openFolder({
    'cwd/.ai-agent.json': {
      mcpServers: { a: { command: 'x', url: null, env: { A: null, B: 'b' }, args: ['-y', null, { c: null }] } },
    },
  });
  const { value } = configuration.entry('mcpServers', 'a') ?? {};
  expect(value).toEqual({ command: 'x', env: { B: 'b' }, args: ['-y', {}] });
});

test('in the overrides of a model, as its reasoning and in what only its provider knows it says: do not send', async () => {
  const { configuration } = await openFolder({
    'cwd/.ai-agent.json': {
      providers: {
        a: {
          overrides: { topP: null },
          reasoning: null,
          reasoningValue: [null, 'low', null, 'high'],
          custom: { providerOptions: { user: null } },
          models: { 'gpt/5': { reasoning: null, toolChoice: null, overrides: { temperature: null, topP: 1 } } },
        },
      },
    },
  });
  expect(configuration.entry('providers', 'a')?.value).toEqual({
    overrides: {},
    reasoning: null,
    reasoningValue: [null, 'low', null, 'high'],
    custom: { providerOptions: { user: null } },
    models: { 'gpt/5': { reasoning: null, overrides: { temperature: null, topP: 1 } } },
  });
});

test('in schemas and bodies, which have a language of their own, it stays', async () => {
  const find = { url: null, parametersSchema: { properties: { a: { enum: ['x', null] } } }, bodyTemplate: { a: null } };
  const { configuration } = await openFolder({ 'cwd/.ai-agent.json': { restTools: { find } } });
  const { url: _, ...rest } = find;
  expect(configuration.entry('restTools', 'find')?.value).toEqual(rest);
});

test('an entry, a section or a default that is null leaves its place to the next layer', async () => {
  const { configuration, problems } = await openFolder({
    'cwd/.ai-agent.json': {
      ...{ providers: { a: null }, mcpServers: null, pricing: null, defaults: { topP: null }, agents: null },
      includeRoots: [null],
    },
    'etc/ai-agent.json': {
      ...{
        providers: { a: { type: 'x' } },
        mcpServers: { m: { url: 'u' } },
        pricing: { p: {} },
        defaults: { topP: 1 },
      },
      agents: ['a.ai'],
    },
  });
  configuration.check(problems);
  expect(problems.all).toEqual([]);
  expect(configuration.entry('providers', 'a')?.value).toEqual({ type: 'x' });
  expect(configuration.names('providers')).toEqual(['a']);
  expect(configuration.entry('mcpServers', 'm')?.value).toEqual({ url: 'u' });
  expect(configuration.section('pricing')?.value).toEqual({ p: {} });
  expect(configuration.defaults().flatMap(({ at }) => [...(at.fields?.keys() ?? [])])).toEqual(['topP']);
  expect(configuration.agents()?.entries).toEqual(['a.ai']);
  expect(configuration.includeRoots()).toEqual([]);
});

test('a variable in a part that is null is not needed', async () => {
  const { configuration } = await openFolder({
    'cwd/.ai-agent.json': { providers: { a: { apiKey: null, baseUrl: `\${URL}` } } },
  });
  expect(configuration.entry('providers', 'a')?.missing).toEqual(['URL']);
});
