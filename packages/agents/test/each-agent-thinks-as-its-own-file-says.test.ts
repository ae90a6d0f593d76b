// The promise: how hard an agent thinks, whether it streams and what its provider keeps are its own: said in its file or for all,
// and never taken over from its caller.

import type { ModelContext, ModelRequest, ModelSource } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { type LoadedAgent, Problems, readFlags, readOverrides, type World } from '../src/index.ts';
import { agentFile, childFile, loadFiles } from './support/world.ts';

const team = (lead: string, child: string, config: object = {}) => ({
  'lead.ai': agentFile(`agents: [child.ai]\n${lead}`),
  'child.ai': childFile(child),
  '.ai-agent.json': config,
});

/** Settings of the lead and of its child. */
async function settingsOf(files: Readonly<Record<string, unknown>>, given: Partial<World> = {}) {
  const { agents, problems } = await loadFiles(files, ['lead.ai'], given);
  expect(problems).toEqual([]);
  const [lead] = agents as readonly [LoadedAgent];
  return [lead.agent.settings, lead.children[0]?.agent.settings];
}

const overriding = (...pairs: readonly string[]) => ({ overrides: readOverrides(pairs, new Problems()) });

test.each([
  ['reasoning: high', { reasoning: 'high' }],
  ['reasoning: none', { reasoning: 'none' }],
  ['reasoning: default', { reasoning: null }],
  ['reasoningTokens: 4096', { reasoningTokens: 4096 }],
  ['reasoningTokens: off', { reasoningTokens: 0 }],
  ['caching: none', { caching: 'none' }],
])('%s of a lead does not reach its child, nor the other way', async (line, settings) => {
  expect(await settingsOf(team(line, ''))).toEqual([settings, undefined]);
  expect(await settingsOf(team('', line))).toEqual([undefined, settings]);
});

test('a flag is for the top alone, an override for all, and defaults for whoever says nothing', async () => {
  const flags = readFlags([['--reasoning', 'low']], new Problems());
  expect(await settingsOf(team('', ''), { flags })).toEqual([{ reasoning: 'low' }, undefined]);
  expect(await settingsOf(team('reasoning: low', ''), overriding('reasoning=high', 'stream=true'))).toEqual([
    { reasoning: 'high', stream: true },
    { reasoning: 'high', stream: true },
  ]);
  const defaults = { reasoning: 'medium', stream: false, caching: 'none' };
  expect(await settingsOf(team('reasoning: default', '', { defaults }))).toEqual([
    { reasoning: null, stream: false, caching: 'none' },
    { reasoning: 'medium', stream: false, caching: 'none' },
  ]);
});

/** What a provider is asked to open for an agent, by model. */
async function setUpsOf({ agent: { model } }: Pick<LoadedAgent, 'agent'>): Promise<unknown[]> {
  const sources = [model].flat() as readonly ModelSource[];
  return Promise.all(
    sources.map(async (source) => {
      const opened = await source.open({ env: {} });
      const { message } = await opened.call({} as ModelRequest, {} as ModelContext);
      const [part] = message.content;
      return JSON.parse(part?.type === 'text' ? part.text : '').config.models;
    }),
  );
}

test('interleaved and contextWindow reach the set-up of every model, above what it says', async () => {
  const models = { a: { contextWindow: 5_000, interleaved: false, toolChoice: 'auto' } };
  const files = {
    'lead.ai': agentFile('agents: [child.ai]').replace('openai/gpt-5', 'house/a, house/b, openai/gpt-5'),
    'child.ai': childFile(),
    '.ai-agent.json': { providers: { house: { type: 'x', models } } },
  };
  const given = overriding('interleaved=reasoning_content', 'contextWindow=8192');
  const { agents, problems } = await loadFiles(files, ['lead.ai'], given);
  expect(problems).toEqual([]);
  const [lead] = agents as readonly [LoadedAgent];
  const said = { interleaved: 'reasoning_content', contextWindow: 8_192 };
  expect(await setUpsOf(lead)).toEqual([
    { a: { ...said, toolChoice: 'auto' } },
    { ...models, b: said },
    { 'gpt-5': said },
  ]);
  expect(await setUpsOf(lead.children[0] as LoadedAgent)).toEqual([{ 'gpt-5': said }]);
  const { agents: plain } = await loadFiles(files, ['lead.ai']);
  expect(await setUpsOf(plain[0] as LoadedAgent)).toEqual([models, models, undefined]);
});

test.each([
  ['interleaved=true', { interleaved: true }],
  ['interleaved=no', { interleaved: false }],
  ['interleaved=thoughts', { interleaved: 'thoughts' }],
])('%s', async (pair, said) => {
  const { agents } = await loadFiles({ 'a.ai': agentFile() }, ['a.ai'], overriding(pair));
  expect(await setUpsOf(agents[0] as LoadedAgent)).toEqual([{ 'gpt-5': said }]);
});

test('what is wrong is told', () => {
  const problems = new Problems();
  readOverrides(['reasoning=hard', 'contextWindow=100', 'stream=perhaps'], problems);
  expect(problems.all.map(({ key, code }) => `${code} ${key}`)).toEqual([
    'key-invalid reasoning',
    'key-invalid contextWindow',
    'key-invalid stream',
  ]);
});
