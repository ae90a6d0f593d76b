// The promise: a list of partners names each file once and each name once; to be in several lists is fine.

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Problems, readFlags, SubagentRegistry } from '../src/index.ts';
import { agentFile, childFile, inside, loadFiles, toWorld, writeFiles } from './support/world.ts';

const keys = ['advisors', 'router', 'handoff'] as const;
const naming = (key: (typeof keys)[number], list: string) =>
  key === 'router' ? `router: { destinations: ${list} }` : `${key}: ${list}`;

test.each(keys)('%s with one file twice', async (key) => {
  const folder = writeFiles({
    'x.ai': childFile(),
    'y.ai': childFile(),
    'lead.ai': agentFile(naming(key, '[x.ai, y.ai, ./x.ai, link.ai]')),
  });
  symlinkSync('y.ai', join(folder, 'link.ai'));
  for (const purpose of ['run', 'check'] as const) {
    const { problems, agents } = await SubagentRegistry.load(['lead.ai'], toWorld(folder, { purpose }));
    const errors = inside(folder, problems).filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code, file, line, key: at, message }) => [code, file, line, at, message])).toEqual([
      ['key-invalid', 'lead.ai', 3, key, 'names x.ai twice; name each file once'],
      ['key-invalid', 'lead.ai', 3, key, 'names y.ai twice; name each file once'],
    ]);
    expect(agents).toEqual([]);
  }
});

test('a flag that says it twice is told at the flag', async () => {
  const flags = readFlags([['--advisors', 'x.ai,x.ai']], new Problems());
  const { problems } = await loadFiles({ 'x.ai': agentFile(), 'lead.ai': agentFile() }, ['lead.ai'], { flags });
  expect(problems).toMatchObject([
    {
      code: 'key-invalid',
      file: 'the command line',
      key: '--advisors',
      message: 'names x.ai twice; name each file once',
    },
  ]);
});

test.each(keys)('%s with two of one name', async (key) => {
  const files = {
    'lead.ai': agentFile(naming(key, '[x/desk.ai, y/desk.md]')),
    'x/desk.ai': childFile(),
    'y/desk.md': childFile(),
  };
  const { problems, agents } = await loadFiles(files, ['lead.ai']);
  expect(problems.map(({ code, file, line, key: at, message }) => [code, file, line, at, message])).toEqual([
    [
      'name-taken',
      'lead.ai',
      3,
      key,
      'x/desk.ai and y/desk.md are both called desk; rename one of them, or give it another toolName',
    ],
  ]);
  expect(agents).toEqual([]);
  const parted = { ...files, 'y/desk.md': childFile('toolName: other') };
  expect((await loadFiles(parted, ['lead.ai'])).problems).toEqual([]);
});

test('names that only models cannot tell apart are the same', async () => {
  const files = {
    'lead.ai': agentFile('router: { destinations: [a.b.ai, a_b.ai] }'),
    'a.b.ai': childFile(),
    'a_b.ai': childFile(),
  };
  const { problems } = await loadFiles(files, ['lead.ai']);
  expect(problems.map(({ code }) => code)).toEqual(['name-taken']);
});

test.each(keys)('%s may have the name of the file, at any depth', async (key) => {
  const files = {
    'lead.ai': agentFile(naming(key, 'x/desk.ai')),
    'x/desk.ai': childFile('agents: lead.ai'),
    'x/lead.ai': childFile('toolName: other'),
  };
  expect((await loadFiles(files, ['lead.ai'])).problems).toEqual([]);
});

test('a destination is not called as the tool of the router is', async () => {
  const named = (said: string) => ({ 'lead.ai': agentFile(said), 'x.ai': childFile('toolName: handoff-to') });
  const { problems } = await loadFiles(named('router: { destinations: x.ai }'), ['lead.ai']);
  expect(problems).toMatchObject([{ code: 'name-reserved', file: 'lead.ai', line: 3, key: 'router' }]);
  expect((await loadFiles(named('advisors: x.ai\nhandoff: x.ai\nagents: x.ai'), ['lead.ai'])).problems).toEqual([]);
});

test('one file may be in every list, and two of one name in different lists', async () => {
  const all = `agents: x/desk.ai\n${keys.map((key) => naming(key, 'x/desk.ai')).join('\n')}`;
  const apart = 'agents: x/desk.ai\nadvisors: y/desk.ai';
  const files = {
    'all.ai': agentFile(all),
    'apart.ai': agentFile(apart),
    'x/desk.ai': childFile(),
    'y/desk.ai': childFile(),
  };
  const { problems, agents } = await loadFiles(files, ['all.ai', 'apart.ai']);
  expect(problems).toEqual([]);
  expect(agents.map(({ children }) => children.length)).toEqual([1, 2]);
});

test('a folder or glob brings those that are not there yet, and never the file itself', async () => {
  const files = {
    'team/lead.ai': agentFile('advisors: [b.ai, "*.ai", .]\nhandoff: [c.ai, "*.ai"]'),
    'team/a.ai': agentFile(),
    'team/b.ai': agentFile(),
    'team/c.ai': agentFile(),
  };
  const { problems, agents } = await loadFiles(files, ['team/lead.ai']);
  expect(problems).toEqual([]);
  const named = (role: 'advisors' | 'handoff') => agents[0]?.team[role].map(({ name }) => name);
  expect([named('advisors'), named('handoff')]).toEqual([
    ['b', 'a', 'c'],
    ['c', 'a', 'b'],
  ]);
});
