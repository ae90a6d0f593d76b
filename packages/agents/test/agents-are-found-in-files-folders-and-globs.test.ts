// The promise: an entry is a file, a folder or a glob, relative to whoever names it; what is no agent is passed over.

import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type LoadedAgent, SubagentRegistry, type World } from '../src/index.ts';
import { agentFile, childFile, inside, loadFiles, toWorld, writeFiles } from './support/world.ts';

const tree = {
  'a.ai': childFile(),
  'b.md': childFile(),
  'README.md': '# Not an agent\n\n---\nWords.\n',
  'rule.md': '---\n\nA rule, never closed.\n',
  'plain.ai': 'You have no options.\n',
  'notes.txt': childFile(),
  'deep/c.AI': childFile(),
  'deep/down/d.Md': childFile(),
  '.hidden/e.ai': childFile(),
  '.f.ai': childFile(),
  'node_modules/x/g.ai': childFile(),
};

async function namesOf(entries: readonly string[], files: Readonly<Record<string, unknown>> = tree) {
  const { agents, problems } = await loadFiles(files, entries);
  expect(problems).toEqual([]);
  return agents.map(({ name }) => name);
}

test('a file, whatever it is called', async () => {
  expect(await namesOf(['a.ai'])).toEqual(['a']);
  expect(await namesOf(['notes.txt'])).toEqual(['notes']);
  expect(await namesOf(['.f.ai'])).toEqual(['f']);
  expect(await namesOf(['README.md'])).toEqual(['readme']);
});

test('a folder, with all below it: .ai, and .md that has a frontmatter', async () => {
  expect(await namesOf(['.'])).toEqual(['a', 'b', 'c', 'd', 'plain']);
  expect(await namesOf(['deep/'])).toEqual(['c', 'd']);
});

test('a glob', async () => {
  expect(await namesOf(['*.ai'])).toEqual(['a', 'plain']);
  expect(await namesOf(['*.md'])).toEqual(['b']);
  expect(await namesOf(['deep/**/*'])).toEqual(['c', 'd']);
  expect(await namesOf(['{a,b}.*'])).toEqual(['a', 'b']);
  expect(await namesOf(['?.ai', 'a.ai', './a.ai'])).toEqual(['a']);
});

test('the order is that of the names, whatever the order of the disk', async () => {
  const names = ['m', 'c', 'x', 'a', 'z', 'k', 'b', 'y'];
  const files = Object.fromEntries(names.map((name) => [`${name}.ai`, agentFile()]));
  for (const entry of ['.', '*.ai']) expect(await namesOf([entry], files)).toEqual([...names].sort());
});

test('a file whose name looks like a glob is that file', async () => {
  expect(await namesOf(['[x].ai'], { '[x].ai': agentFile(), 'x.ai': agentFile() })).toEqual(['x_']);
});

test.each([
  ['gone.ai', 'there is no agent at gone.ai'],
  ['a.ai/b.ai', 'there is no agent at a.ai/b.ai'],
  ['empty', 'there is no agent at empty'],
  ['*.yaml', 'nothing fits *.yaml'],
])('%s is told', async (entry, message) => {
  const { problems, agents } = await loadFiles({ ...tree, 'empty/x.txt': '' }, [entry]);
  expect(problems).toMatchObject([{ code: 'file-missing', severity: 'error', file: entry, message }]);
  expect(agents).toEqual([]);
});

test('paths begin where the file that names them is; on the command line, where the command is', async () => {
  const files = {
    'x/lead.ai': agentFile('agents: team/one.ai, ../y/two.ai'),
    'x/team/one.ai': childFile('agents: [deep/three.ai]'),
    'x/team/deep/three.ai': childFile(),
    'y/two.ai': childFile(),
    'four.ai': childFile(),
  };
  const { agents, problems } = await loadFiles(files, ['x/lead.ai']);
  expect(problems).toEqual([]);
  expect(familyOf(agents[0])).toEqual(['lead', ['one', ['three']], ['two']]);
  const flag = new Map([['agents', { value: ['four.ai'], place: { file: 'the command line', key: '--agents' } }]]);
  const flagged = await loadFiles(files, ['x/lead.ai'], { flags: flag });
  expect(flagged.problems).toEqual([]);
  expect(familyOf(flagged.agents[0])).toEqual(['lead', ['four']]);
});

test('a folder or glob of sub-agents', async () => {
  const files = {
    'lead.ai': agentFile('agents: team, more/*.md'),
    'team/b.ai': childFile(),
    'team/a.md': childFile(),
    'more/c.md': childFile(),
  };
  const { agents } = await loadFiles(files, ['lead.ai']);
  expect(familyOf(agents[0])).toEqual(['lead', ['a'], ['b'], ['c']]);
});

test('who names a sub-agent that is not there is not loaded', async () => {
  const files = {
    'lead.ai': agentFile('agents: [b.ai, gone.ai]'),
    'b.ai': childFile(),
    'other.ai': agentFile('agents: x/*.ai'),
  };
  const { agents, problems } = await loadFiles(files, ['lead.ai', 'other.ai']);
  expect(problems.map(({ file, line, message }) => [file, line, message])).toEqual([
    ['lead.ai', 3, 'there is no agent at gone.ai'],
    ['other.ai', 3, 'nothing fits x/*.ai'],
  ]);
  expect(agents).toEqual([]);
});

test('without entries, those that the configuration names, relative to it', async () => {
  const config = '{\n  // ours\n  "agents": ["one.ai", "team", "more/*.ai", "gone.ai"]\n}';
  const files = {
    '.ai-agent.json': config,
    'one.ai': childFile(),
    'team/two.ai': childFile(),
    'more/three.ai': childFile(),
  };
  const { agents, problems } = await loadFiles(files, []);
  expect(agents.map(({ name }) => name)).toEqual(['one', 'two', 'three']);
  expect(problems).toMatchObject([{ code: 'file-missing', file: '.ai-agent.json', line: 3, key: 'agents' }]);
  const named = await loadFiles(files, ['one.ai']);
  expect(named.agents.map(({ name }) => name)).toEqual(['one']);
  const commas = await loadFiles({ ...files, '.ai-agent.json': { agents: 'one.ai, team' } }, []);
  expect(commas.agents.map(({ name }) => name)).toEqual(['one', 'two']);
  const below = { 'conf/c.json': { agents: ['../one.ai'] }, 'one.ai': childFile() };
  expect((await loadFiles(below, [], { configFile: 'conf/c.json' })).agents.map(({ name }) => name)).toEqual(['one']);
  expect((await loadFiles({}, [])).problems).toEqual([]);
});

test('links are followed to the file they mean, which is loaded once, under its own name, from its own place', async () => {
  const { names, problems } = await loadLinked(
    { 'real/desk.ai': agentFile('agents: helper.ai'), 'real/helper.ai': childFile() },
    [['real/desk.ai', 'link.ai']],
    ['link.ai', 'real/desk.ai'],
  );
  expect(problems).toEqual([]);
  expect(names).toEqual(['desk']);
});

test('links that lead nowhere, or in a circle, break nothing', async () => {
  const links = [
    ['gone.ai', 'dead.ai'],
    ['gone.md', 'dead.md'],
    ['loop.ai', 'loop.ai'],
    ['..', 'up'],
    ['folder', 'folder.ai'],
  ] as const;
  const folder = await loadLinked({ 'a.ai': agentFile(), 'folder/b.ai': agentFile() }, links, ['.']);
  expect(folder.names).toEqual(['a', 'b']);
  expect(folder.problems).toEqual([]);
  const glob = await loadLinked({ 'a.ai': agentFile() }, links, ['*.{ai,md}']);
  expect(glob.names).toEqual(['a']);
  const named = await loadLinked({}, links, ['dead.ai', 'loop.ai']);
  expect(named.problems.map(({ code, file }) => `${code} ${file}`)).toEqual([
    'file-missing dead.ai',
    'file-missing loop.ai',
  ]);
});

async function loadLinked(
  files: Readonly<Record<string, unknown>>,
  links: readonly (readonly [to: string, from: string])[],
  entries: readonly string[],
  given: Partial<World> = {},
) {
  const folder = writeFiles(files);
  mkdirSync(join(folder, 'folder'), { recursive: true });
  for (const [to, from] of links) symlinkSync(to, join(folder, from));
  const { agents, problems } = await SubagentRegistry.load(entries, toWorld(folder, given));
  return { names: agents.map(({ name }) => name), problems: inside(folder, problems) };
}

type Family = readonly [string, ...unknown[]];

function familyOf(agent: LoadedAgent | undefined): Family {
  return [agent?.name ?? '', ...(agent?.children ?? []).map(familyOf)];
}
