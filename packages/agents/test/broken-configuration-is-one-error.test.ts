// A configuration file that cannot be read is one error, however many agents, providers and tools then lack their settings.

import { expect, test } from 'vitest';
import { agentFile, childFile, loadFiles } from './support/world.ts';

const models = (name: string, more = '') => agentFile(more).replace('openai/gpt-5', name);

const team = {
  'lead.ai': models('house/m', 'agents: [a.ai, b.ai]\ntools: [files, weather, openapi:shop]\nbudget: { costUsd: 1 }'),
  'a.ai': childFile('tools: [files, rest__weather]').replace('openai/gpt-5', 'house/m, nowhere/m'),
  'b.ai': childFile(),
};

/** Without the key of openai, which the file may have. */
const load = (config: unknown, given: object = {}) =>
  loadFiles({ ...team, '.ai-agent.json': config }, ['lead.ai', 'b.ai'], { env: {}, purpose: 'check', ...given });

const errorsIn = ({ problems }: Awaited<ReturnType<typeof load>>) =>
  problems.filter(({ severity }) => severity === 'error').map(({ file, code, line }) => [file, code, line]);

test.each([
  ['a comma too few', '{\n "providers": { "house": { "type": "openai" } }\n "mcpServers": {}\n}', 3],
  ['nothing at all', '', 1],
  ['words', 'providers: none', 1],
])('%s', async (_, text, line) => {
  for (const purpose of ['run', 'check'])
    expect(errorsIn(await load(text, { purpose }))).toEqual([['.ai-agent.json', 'config-invalid', line]]);
});

test('folders of includes and schemas that the broken file may name', async () => {
  const files = {
    'team/desk.ai': agentFile('output: { schemaRef: ../shared/out.json }'),
    'team/.ai-agent.json': '{ "includeRoots": ["../shared"] ',
    'shared/out.json': { type: 'object' },
  };
  const { problems } = await loadFiles(files, ['team/desk.ai']);
  expect(problems.map(({ file, code }) => [file, code])).toEqual([['team/.ai-agent.json', 'config-invalid']]);
});

test('a key that an entry lacks, while another file is broken', async () => {
  const files = {
    'team/desk.ai': models('house/m'),
    'team/.ai-agent.json': { providers: { house: { type: 'openai', apiKey: `\${HOUSE_KEY}` } } },
    '.ai-agent.json': '{',
  };
  const { problems } = await loadFiles(files, ['team/desk.ai']);
  expect(problems.map(({ file, code }) => [file, code])).toEqual([['.ai-agent.json', 'config-invalid']]);
});

test('a file that a flag names and that is not there', async () => {
  const loaded = await load({}, { configFile: 'none.json' });
  expect(errorsIn(loaded)).toEqual([['none.json', 'file-missing', undefined]]);
});

test('sections and entries that are no objects: each once, and nothing of the agents', async () => {
  const config = {
    providers: { house: 'local', nowhere: 1, openai: [] },
    mcpServers: [],
    restTools: 1,
    openapiSpecs: '',
  };
  const { problems } = await load(config);
  const errors = problems.filter(({ severity }) => severity === 'error');
  expect(new Set(errors.map(({ file }) => file))).toEqual(new Set(['.ai-agent.json']));
  expect(errors.map(({ key }) => key)).toEqual([
    ...['providers.house', 'providers.nowhere', 'providers.openai', 'mcpServers', 'restTools', 'openapiSpecs'],
  ]);
});

test('what is wrong in the agents themselves is still told, and once the file is right, what it lacks', async () => {
  const wrong = await loadFiles({ 'desk.ai': models('house/m', 'maxTurns: many'), '.ai-agent.json': '{' }, ['desk.ai']);
  expect(wrong.problems.map(({ file, code }) => [file, code])).toEqual([
    ['.ai-agent.json', 'config-invalid'],
    ['desk.ai', 'key-invalid'],
  ]);
  const codes = errorsIn(await load({})).map(([, code]) => code);
  expect(codes).toContain('model-unknown');
  expect(codes).toContain('tool-not-configured');
  expect(codes).toContain('secret-missing');
});

test('a layer that is right gives what a broken one lacks', async () => {
  const files = {
    'desk.ai': models('house/m'),
    '.ai-agent.json': '{',
    'home/.ai-agent/ai-agent.json': { providers: { house: { type: 'openai' } } },
  };
  const { folder } = await loadFiles(files, []);
  const { problems } = await loadFiles({ ...files, 'desk.ai': models('house/m') }, ['desk.ai'], {
    homeFolder: `${folder}/home`,
  });
  expect(problems.map(({ code }) => code)).toEqual(['config-invalid']);
});
