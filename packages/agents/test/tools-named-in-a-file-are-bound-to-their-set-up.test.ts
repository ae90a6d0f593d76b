// The promise: what a file names in tools is opened from the set-up of its own configuration, with the variables that set-up
// names and no others, and offers those of its tools that the file wants.

import { dirname, join } from 'node:path';
import type { SourceContext, ToolDefinition, ToolSource } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { type LoadedAgent, type NamedTools, SubagentRegistry } from '../src/index.ts';
import { agentFile, childFile, loadFiles, toWorld, writeFiles } from './support/world.ts';

const config = {
  mcpServers: {
    github: { command: 'g', env: { TOKEN: `\${GITHUB_TOKEN}` }, queue: 'slow' },
    files: { command: 'f' },
    off: { command: 'o', enabled: false },
  },
  restTools: { weather: { url: 'https://w.test' } },
  openapiSpecs: { crm: { spec: 'crm.yaml' } },
  queues: { slow: { concurrent: 1, callsPerMinute: 30 } },
};

async function load(tools: string, given: Parameters<typeof loadFiles>[2] = {}) {
  const files = { 'desk.ai': agentFile(`tools: ${tools}`), '.ai-agent.json': config };
  return loadFiles(files, ['desk.ai'], { env: { GITHUB_TOKEN: 't1', OPENAI_API_KEY: 'k' }, ...given });
}

/** What a session would be offered. */
async function offered({ agent, session }: LoadedAgent): Promise<readonly ToolDefinition[]> {
  const { signal } = new AbortController();
  const context: SourceContext = { env: session.envOverlay, signal, isAttended: false, hide: () => {} };
  const sources = (agent.tools ?? []).filter((tool) => 'list' in tool) as readonly ToolSource[];
  return (await Promise.all(sources.map((source) => source.list(context)))).flat() as readonly ToolDefinition[];
}

test.each([
  ['files', ['files__look', 'files__touch']],
  ['files__look', ['files__look']],
  ['"FILES__L*"', ['files__look']],
  ['"*"', ['crm__look', 'files__look', 'files__touch', 'github__look', 'weather__look'].toSorted()],
  ['"files, !files__touch"', ['files__look']],
  ['"files__*, !*__look"', ['files__touch']],
  ['"github, files, !github"', ['files__look', 'files__touch']],
  ['"!files"', []],
])('%s', async (tools, expected) => {
  const { agents, problems } = await load(tools);
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const names = (await offered(agents[0] as LoadedAgent)).map(({ name }) => name);
  if (tools === '"*"') expect(names).toEqual(expect.arrayContaining(expected as string[]));
  else expect(names).toEqual(expected);
});

test.each([
  ['rest__weather', 'restTools'],
  ['weather', 'restTools'],
  ['openapi:crm', 'openapiSpecs'],
  ['rest__crm_get*', 'openapiSpecs'],
  ['files__l?ok', 'mcpServers'],
])('%s is looked for in %s', async (tools, section) => {
  const named: NamedTools[] = [];
  await load(tools, { onTools: (one) => named.push(one) });
  expect(named.map((one) => one.section)).toEqual([section]);
});

test('a set-up is opened with its own variables, the folder of its file and its queues', async () => {
  const named: NamedTools[] = [];
  const { agents, folder } = await load('github', { onTools: (one) => named.push(one) });
  const [look] = await offered(agents[0] as LoadedAgent);
  expect(JSON.parse(String(await look?.execute({}, {} as never)))).toEqual({
    section: 'mcpServers',
    config: config.mcpServers.github,
    folder,
    env: { GITHUB_TOKEN: 't1', OPENAI_API_KEY: 'k' },
  });
  expect(named[0]?.queues.get('slow')).toMatchObject({ concurrent: 1, callsPerMinute: 30 });
  expect(named[0]?.place).toMatchObject({ line: 3, key: 'tools' });
});

test('a child has what its own file names, from the configuration of its own folder', async () => {
  const files = {
    'desk.ai': agentFile('tools: files\nagents: sub/child.ai'),
    'sub/child.ai': childFile('tools: mail'),
    '.ai-agent.json': config,
    'sub/.ai-agent.json': { mcpServers: { mail: { command: 'm', env: { P: `\${MAIL_KEY}` } } } },
  };
  const { agents } = await loadFiles(files, ['desk.ai'], { env: { MAIL_KEY: 'm1', OPENAI_API_KEY: 'k' } });
  const [desk] = agents as readonly [LoadedAgent];
  const [child] = desk.children as readonly [LoadedAgent];
  expect((await offered(desk)).map(({ name }) => name)).toEqual(['files__look', 'files__touch']);
  expect(desk.session.envOverlay).toEqual({ OPENAI_API_KEY: 'k' });
  const [look] = await offered(child);
  expect(JSON.parse(String(await look?.execute({}, {} as never)))).toMatchObject({
    env: { MAIL_KEY: 'm1', OPENAI_API_KEY: 'k' },
    folder: dirname(child.file),
  });
});

test('two set-ups that mean different values by one name each get their own', async () => {
  const folder = writeFiles({
    'work/desk.ai': agentFile('tools: one, two'),
    'work/.ai-agent.json': { mcpServers: { one: { command: `\${KEY}` } } },
    'work/.ai-agent.env': 'KEY=high',
    'home/.ai-agent/ai-agent.json': { mcpServers: { two: { command: `\${KEY}` } } },
    'home/.ai-agent/ai-agent.env': 'KEY=low',
  });
  const world = { env: { OPENAI_API_KEY: 'k' }, homeFolder: join(folder, 'home') };
  const { agents } = await SubagentRegistry.load(['desk.ai'], toWorld(join(folder, 'work'), world));
  const tools = (await offered(agents[0] as LoadedAgent)).filter(({ name }) => name.endsWith('look'));
  const opened = await Promise.all(tools.map(async (tool) => JSON.parse(String(await tool.execute({}, {} as never)))));
  expect(opened.map(({ config: { command }, env }) => env[command.slice(2, -1)])).toEqual(['high', 'low']);
});

test('one that is switched off offers nothing, and naming it is a warning', async () => {
  const { agents, problems } = await load('off, files');
  expect(problems).toMatchObject([
    {
      severity: 'warning',
      code: 'tool-not-configured',
      key: 'tools',
      message: 'off is switched off (enabled: false): the agent goes without its tools',
      remedy: 'Set enabled to true, or take it out of tools.',
    },
  ]);
  expect((await offered(agents[0] as LoadedAgent)).map(({ name }) => name)).toEqual(['files__look', 'files__touch']);
});

test('what is wrong with a set-up is told at its line; a queue that is not there too', async () => {
  const files = {
    'desk.ai': agentFile('tools: a, b'),
    '.ai-agent.json': {
      mcpServers: { a: { url: 'broken' }, b: { command: 'b', queue: 'slo' } },
      queues: { slow: { concurrent: 1 } },
    },
  };
  const { problems, agents } = await loadFiles(files, ['desk.ai']);
  expect(agents).toEqual([]);
  expect(problems).toMatchObject([
    { code: 'config-invalid', file: '.ai-agent.json', line: 4, key: 'mcpServers.a.url', message: 'found "broken"' },
    { code: 'config-invalid', key: 'mcpServers.b.queue', message: 'there is no queue slo; did you mean slow?' },
  ]);
});
