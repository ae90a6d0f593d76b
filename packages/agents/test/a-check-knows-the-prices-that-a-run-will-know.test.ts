// The promise: a check of a team whose money is counted refuses exactly those models whose price a run would not know.

import type { Price } from '@ai-agent/core';
import { expect, test } from 'vitest';
import type { ModelSetUp } from '../src/index.ts';
import { agentFile, childFile, loadFiles, providers } from './support/world.ts';

const price: Price = { input: 1, output: 1 };

/** Everybody knows what models of a house without a door cost; a list knows the model `listed`. */
const asked: string[] = [];
const world = {
  purpose: 'check' as const,
  providers: {
    ...providers,
    toPrices: () => (_: string, model: string) => (model === 'listed' ? price : undefined),
    priceOf: async ({ provider, model, config }: ModelSetUp, { env }: { env: object }) => {
      asked.push(`${provider}/${model} ${JSON.stringify(env)}`);
      return config.door === undefined ? price : undefined;
    },
  },
};

async function unknownIn(files: Readonly<Record<string, unknown>>, entry = 'lead.ai') {
  asked.length = 0;
  const { problems } = await loadFiles(files, [entry], world);
  return problems.flatMap(({ code, message }) =>
    code === 'price-unknown' ? [message.split(' ')[3]?.slice(0, -1)] : [],
  );
}

const lead = (models: string, more = '') =>
  agentFile(`agents: [child.ai]\nbudget: { costUsd: 1 }${more}`).replace('openai/gpt-5', models);
const house = { providers: { house: { type: 'x', door: 'shut' }, open: { type: 'x' } } };

test('of a list, of everybody, or of nobody', async () => {
  const files = {
    'lead.ai': lead('house/listed, house/secret, open/any, offline/demo'),
    'child.ai': childFile(),
    '.ai-agent.json': house,
  };
  expect(await unknownIn(files)).toEqual(['house/secret', 'offline/demo']);
});

test('who is on the list is asked of nobody else, and others are with the variables of their own agent', async () => {
  await unknownIn({ 'lead.ai': lead('openai/listed, openai/any'), 'child.ai': childFile() });
  expect(asked).toEqual(['openai/any {"OPENAI_API_KEY":"k-openai"}', 'openai/gpt-5 {"OPENAI_API_KEY":"k-openai"}']);
});

test('one name at two addresses is known only if both are', async () => {
  const files = {
    'above/lead.ai': lead('house/any').replace('child.ai', '../below/child.ai'),
    'above/.ai-agent.json': { providers: { house: { type: 'x' } } },
    'below/child.ai': childFile().replace('openai/gpt-5', 'house/any'),
    'below/.ai-agent.json': { providers: { house: { type: 'x', door: 'shut' } } },
  };
  expect(await unknownIn(files, 'above/lead.ai')).toEqual(['house/any']);
});

test('no price is read without a budget of money', async () => {
  await unknownIn({ 'lead.ai': agentFile() });
  expect(asked).toEqual([]);
});

test('a run is refused as well, before its first request', async () => {
  const files = { 'lead.ai': lead('house/listed'), 'child.ai': childFile(), '.ai-agent.json': house };
  const child = childFile().replace('openai/gpt-5', 'house/secret');
  const { problems, agents } = await loadFiles({ ...files, 'child.ai': child }, ['lead.ai'], {
    ...world,
    purpose: 'run',
  });
  expect(problems.map(({ code }) => code)).toContain('price-unknown');
  expect(agents).toEqual([]);
});
