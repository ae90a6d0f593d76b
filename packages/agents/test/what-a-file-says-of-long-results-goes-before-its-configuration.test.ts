// The promise: toolOutput of the file wins key by key over the section of the first layer that has one; its models are bound.

import { ask } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { loadFiles, providers } from './support/world.ts';

const agentFile = (frontmatter: string) =>
  `---\n${/^models/.test(frontmatter) ? '' : 'models: ollama/x\n'}${frontmatter}\n---\nYou answer.\n`;

const section = { enabled: false, maxChunks: 4, overlapPercent: '20', models: 'openai/small, ollama/tiny' };

async function load(frontmatter: string, config: object = {}, given: Parameters<typeof loadFiles>[2] = {}) {
  const files = { 'desk.ai': agentFile(frontmatter), '.ai-agent.json': config };
  const { agents, problems } = await loadFiles(files, ['desk.ai'], given);
  const { models, ...rest } = agents[0]?.agent.toolOutput ?? {};
  const names = models?.map((model) => (typeof model === 'string' ? model : `${model.provider}/${model.model}`));
  return { agent: agents[0]?.agent, session: agents[0]?.session, rest, names, problems };
}

test('nobody says anything: core decides', async () => {
  const { agent } = await load('usage: x');
  expect(agent).toBeDefined();
  expect(agent).not.toHaveProperty('toolOutput');
});

test('what says nothing is as good as left out', async () => {
  const { agent } = await load('toolOutput: { models: [] }', { toolOutput: {} });
  expect(agent).toBeDefined();
  expect(agent).not.toHaveProperty('toolOutput');
});

test('the configuration alone', async () => {
  const { rest, names, problems } = await load('usage: x', { toolOutput: section });
  expect(rest).toEqual({ enabled: false, maxChunks: 4, overlapPercent: 20 });
  expect(names).toEqual(['openai/small', 'ollama/tiny']);
  expect(problems).toEqual([]);
});

test('the file goes before it, key by key', async () => {
  const given = 'toolOutput: { enabled: yes, avgLineBytesThreshold: 9, models: [openrouter/a/b] }';
  const { rest, names } = await load(given, { toolOutput: section });
  expect(rest).toEqual({ enabled: true, maxChunks: 4, overlapPercent: 20, avgLineBytesThreshold: 9 });
  expect(names).toEqual(['openrouter/a/b']);
  const none = await load('toolOutput: { models: [] }', { toolOutput: section });
  expect(none.names).toBeUndefined();
});

test('of several layers, the section of the nearest is the whole of it', async () => {
  const files = {
    'team/desk.ai': agentFile('usage: x'),
    'team/.ai-agent.json': { toolOutput: { overlapPercent: 1 } },
    '.ai-agent.json': { toolOutput: { maxChunks: 7 } },
  };
  const { agents } = await loadFiles(files, ['team/desk.ai']);
  expect(agents[0]?.agent.toolOutput).toEqual({ overlapPercent: 1 });
});

test('a variable that nobody defines is empty, and says nothing', async () => {
  const config = { toolOutput: { enabled: `\${KEEPS}`, maxChunks: `\${PARTS}`, models: [`\${READER}`] } };
  const missing = await load('usage: x', config);
  expect(missing).toMatchObject({ rest: {}, problems: [] });
  expect(missing.names).toBeUndefined();
  const env = { KEEPS: 'false', PARTS: '3', READER: 'ollama/tiny' };
  expect(await load('usage: x', config, { env })).toMatchObject({
    rest: { enabled: false, maxChunks: 3 },
    names: ['ollama/tiny'],
  });
  const { problems } = await load('usage: x', config, { env: { ...env, PARTS: 'many' } });
  expect(problems).toMatchObject([{ severity: 'error', code: 'config-invalid', key: 'toolOutput.maxChunks' }]);
  expect(problems[0]?.message).toContain('found "many"; must be a whole number from 1');
});

test('its models have their set-ups and variables like those of the agent', async () => {
  const entries = { far: { type: 'openai', apiKey: `\${FAR_KEY}` }, near: { type: 'openai', apiKey: `\${NEAR_KEY}` } };
  const given = 'models: [near/m]\ntoolOutput: { models: [far/reader] }';
  const env = { FAR_KEY: 'k-far', NEAR_KEY: 'k-near' };
  const { agent, session } = await load(given, { providers: entries }, { env });
  expect(session?.envOverlay).toEqual(env);
  const [model] = agent?.toolOutput?.models ?? [];
  const outcome = await ask({ name: 'x', instructions: '', model: model ?? '' }, 'go', {
    ...session,
    ports: fakePorts(),
  });
  expect(JSON.parse(outcome.text)).toMatchObject({ model: 'far/reader', config: { apiKey: `\${FAR_KEY}` }, env });
});

test.each([
  ['toolOutput: { models: [nowhere/m] }', 'toolOutput.models', 'model-unknown', 'there is no provider nowhere'],
  ['toolOutput: { models: [openai/m] }', 'toolOutput.models', 'secret-missing', 'Missing: OPENAI_API_KEY'],
  ['toolOutput: { models: [justaname] }', 'toolOutput.models', 'key-invalid', 'must be provider/model'],
])('%s is an error where it stands', async (frontmatter, key, code, words) => {
  const { problems, agent } = await load(frontmatter, {}, { env: {} });
  expect(problems).toMatchObject([{ severity: 'error', code, key, file: 'desk.ai' }]);
  expect(problems[0]?.message).toContain(words);
  expect(agent).toBeUndefined();
});

test('storeDir is taken, and it is said that it has no effect', async () => {
  const { rest, problems } = await load('toolOutput: { storeDir: /tmp/x, maxChunks: 2 }', {
    toolOutput: { storeDir: '/var/x' },
  });
  expect(rest).toEqual({ maxChunks: 2 });
  const said = { severity: 'warning', code: 'key-idle', key: 'toolOutput.storeDir' };
  expect(problems).toMatchObject([
    { ...said, file: 'desk.ai' },
    { ...said, file: '.ai-agent.json' },
  ]);
  expect(problems[0]?.message).toContain('has no effect');
});

/** Knows the price of one model alone. */
const priced = {
  ...providers,
  toPrices: () => (_: string, model: string) => (model === 'x' ? { input: 0, output: 0 } : undefined),
};

test('money is counted for those that read too', async () => {
  const { problems } = await load(
    'models: ollama/x\nbudget: { costUsd: 1 }\ntoolOutput: { models: [ollama/reader] }',
    {},
    { purpose: 'check', providers: priced },
  );
  expect(problems.filter(({ code }) => code === 'price-unknown').map(({ message }) => message)).toEqual([
    expect.stringContaining('No price for ollama/reader'),
  ]);
});
