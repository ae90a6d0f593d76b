// The promise: a team whose files lie in folders is set up once, at its top, wherever it is started from.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configFolders } from '../src/config/layers.ts';
import { childFile, loadFiles, writeFiles } from './support/world.ts';

const team = {
  'team/.ai-agent.json': { defaults: { models: 'openai/gpt-5', maxTurns: 4 } },
  'team/lead.ai': '---\nagents: scouts/scout.ai\n---\nYou lead.\n',
  'team/scouts/scout.ai': childFile(),
};

test('a sub-agent in a folder below has the configuration above it', async () => {
  const { agents, problems } = await loadFiles(team, ['team/lead.ai']);
  expect(problems).toEqual([]);
  const [lead] = agents;
  expect(lead?.children[0]?.effective.said('maxTurns')?.value).toBe(4);
  expect(lead?.children[0]?.choice).toBeUndefined();
});

test('its own folder says more', async () => {
  const files = { ...team, 'team/scouts/.ai-agent.json': { defaults: { maxTurns: 2, models: 'openai/gpt-5' } } };
  const { agents } = await loadFiles(files, ['team/lead.ai']);
  expect(agents[0]?.children[0]?.effective.said('maxTurns')?.value).toBe(2);
});

test('what somebody else left above is not read, what the system has there is', async () => {
  const folder = writeFiles({ '.ai-agent.json': {}, 'mine/a.ai': childFile() });
  const mine = join(folder, 'mine');
  expect([...configFolders(mine)][0]).toBe(folder);
  const config = join(folder, '.ai-agent.json');
  const ownedBy = (owner: number) => (path: string) => (path === config ? owner : path === mine ? 7 : undefined);
  expect([...configFolders(mine, ownedBy(12345))]).toEqual([]);
  expect([...configFolders(mine, ownedBy(7))][0]).toBe(folder);
  expect([...configFolders(mine, ownedBy(0))][0]).toBe(folder);
});
