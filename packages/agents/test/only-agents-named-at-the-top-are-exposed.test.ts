// The promise: the registry offers those that were named; their sub-agents are theirs alone.

import { expect, test } from 'vitest';
import { agentFile, childFile, loadFiles } from './support/world.ts';

const files = {
  'lead.ai': childFile('agents: team/desk.ai'),
  'team/desk.ai': childFile('agents: [../deep.ai]'),
  'deep.ai': childFile(),
  'other.ai': childFile(),
};

test('children are files of the registry, and neither agents nor tools of it', async () => {
  const { registry, folder } = await loadFiles(files, ['lead.ai', 'other.ai']);
  expect(registry.agents.map(({ name }) => name)).toEqual(['lead', 'other']);
  expect(registry.tools().map(({ name }) => name)).toEqual(['agent__lead', 'agent__other']);
  expect(registry.get('desk')).toBe(undefined);
  expect(registry.get('deep')).toBe(undefined);
  expect(registry.files.map((file) => file.slice(folder.length + 1))).toEqual([
    'lead.ai',
    'team/desk.ai',
    'deep.ai',
    'other.ai',
  ]);
});

test('one that is asked for is exposed, child or not', async () => {
  const { registry } = await loadFiles(files, ['lead.ai', 'deep.ai']);
  expect(registry.agents.map(({ name }) => name)).toEqual(['lead', 'deep']);
  expect(registry.get('lead')?.children[0]?.children[0]).toBe(registry.get('deep'));
});

test('files say how deep they go, and their agent may', async () => {
  const chain = Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((level) => [`l${level}.ai`, childFile(level === 6 ? '' : `agents: l${level + 1}.ai`)]),
  );
  const { agents } = await loadFiles({ ...chain, 'flat.ai': agentFile() }, ['l1.ai']);
  expect(agents[0]?.agent.tools).toMatchObject([{ levels: 5 }]);
});

test('what is wrong with a child is wrong with its parent, and with nobody else', async () => {
  const broken = { ...files, 'deep.ai': childFile('maxTurns: 0') };
  const { agents } = await loadFiles(broken, ['lead.ai', 'other.ai']);
  expect(agents.map(({ name }) => name)).toEqual(['other']);
});
