// How layers come together where it is not by entry: defaults, queues, whole sections, agents and roots of includes.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configFolders } from '../src/config/layers.ts';
import { openFolder, writeFolder } from './config-folders.ts';

test('defaults: those of every layer, the highest first', async () => {
  const { configuration, folder } = await openFolder({
    'cwd/.ai-agent.json': { defaults: { maxTurns: 3 } },
    'agent/.ai-agent.json': { defaults: { temperature: 0.5, maxTurns: 4 } },
  });
  expect(configuration.defaults()).toMatchObject([
    { at: { value: { temperature: 0.5, maxTurns: 4 } }, file: join(folder, 'agent/.ai-agent.json'), line: 2 },
    { at: { value: { maxTurns: 3 } }, file: join(folder, 'cwd/.ai-agent.json'), line: 2 },
  ]);
});

test('queues: all of them, and of two with one name the larger', async () => {
  const { configuration, folder } = await openFolder({
    'cwd/.ai-agent.json': { queues: { default: { concurrent: 2 }, a: { concurrent: 9 }, wrong: { concurrent: 'x' } } },
    'agent/.ai-agent.json': { queues: { default: { concurrent: 8 }, a: { concurrent: 1 }, b: { concurrent: '3' } } },
  });
  const sizes = [...configuration.queues()].map(([name, { concurrent }]) => [name, concurrent]);
  expect(Object.fromEntries(sizes)).toEqual({ default: 8, a: 9, b: 3 });
  expect(configuration.queues().get('default')).toMatchObject({ file: join(folder, 'agent/.ai-agent.json'), line: 3 });
});

test.each([
  'pricing',
  'telemetry',
  'embed',
  'toolOutput',
  'cache',
  'accounting',
  'slack',
  'api',
  'persistence',
] as const)('%s: the whole of the first layer that has it', async (name) => {
  const { configuration, folder } = await openFolder(
    {
      'cwd/.ai-agent.json': {},
      'agent/.ai-agent.json': { [name]: { a: `\${A} \${B}` } },
      'agent/.ai-agent.env': 'A=1\nC=3',
      'etc/ai-agent.json': { [name]: { b: 1 } },
    },
    { environment: { D: '4' } },
  );
  expect(configuration.section(name)).toMatchObject({
    ...{ file: join(folder, 'agent/.ai-agent.json'), line: 2, value: { a: `\${A} \${B}` } },
    ...{ variables: { A: '1' }, missing: ['B'] },
  });
  expect((await openFolder({})).configuration.section(name)).toBeUndefined();
});

test('agents: of the first layer that has them, with their folder', async () => {
  const { configuration, folder } = await openFolder({
    'agent/.ai-agent.json': { agents: ['*.ai', 'team, lab'] },
    'etc/ai-agent.json': { agents: 'x.ai' },
  });
  expect(configuration.agents()).toMatchObject({ entries: ['*.ai', 'team', 'lab'], folder: join(folder, 'agent') });
  const other = await openFolder({ 'etc/ai-agent.json': { agents: 'x.ai, y.ai' } });
  expect(other.configuration.agents()).toMatchObject({ entries: ['x.ai', 'y.ai'], folder: join(other.folder, 'etc') });
  expect((await openFolder({})).configuration.agents()).toBeUndefined();
});

test('includeRoots: of all layers, each relative to its own file', async () => {
  const { configuration, folder } = await openFolder({
    'cwd/.ai-agent.json': { includeRoots: ['../shared', 'parts'] },
    'agent/.ai-agent.json': { includeRoots: ['../shared', '/srv/prompts'] },
  });
  expect(configuration.includeRoots()).toEqual([join(folder, 'shared'), '/srv/prompts', join(folder, 'cwd/parts')]);
});

test('the nearest folder with a configuration is looked for upwards from the agent', async () => {
  const folder = await writeFolder({ 'a/.ai-agent.json': {}, 'a/b/.ai-agent.env': '', 'a/b/c/x.ai': '' });
  expect([...configFolders(join(folder, 'a/b/c'))][0]).toBe(join(folder, 'a'));
  expect([...configFolders(join(folder, 'a'))][0]).toBe(join(folder, 'a'));
  expect([...configFolders(folder)]).toEqual([]);
  const { configuration } = await openFolder({}, { cwd: folder, agentFolder: 'a/b' });
  expect(configuration.nearestConfigFolder).toBe(join(folder, 'a'));
});
