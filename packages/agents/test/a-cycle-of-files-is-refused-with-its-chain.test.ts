// T4, when files are loaded: agents that name each other in a ring are refused, the ring is shown; everything else is loaded, children first.

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SubagentRegistry } from '../src/index.ts';
import { agentFile, childFile, inside, loadFiles, toWorld, writeFiles } from './support/world.ts';

const naming = (...agents: readonly string[]) => childFile(`agents: [${agents.join(', ')}]`);

/** Ring files to what is told; nothing is loaded. */
const rings: readonly (readonly [name: string, files: Readonly<Record<string, string>>, told: readonly unknown[]])[] = [
  ['two', { 'a.ai': naming('b.ai'), 'b.ai': naming('a.ai') }, ['b.ai:4 a.ai → b.ai → a.ai']],
  ['one', { 'a.ai': naming('a.ai') }, ['a.ai:4 a.ai → a.ai']],
  [
    'three',
    { 'a.ai': naming('b.ai'), 'b.ai': naming('c.ai'), 'c.ai': naming('a.ai') },
    ['c.ai:4 a.ai → b.ai → c.ai → a.ai'],
  ],
  [
    'through a folder',
    { 'a.ai': naming('team'), 'team/b.ai': naming('../a.ai'), 'team/c.md': childFile() },
    ['team/b.ai:4 a.ai → b.ai → a.ai'],
  ],
  [
    'through a glob',
    { 'a.ai': naming('team/*.md'), 'team/b.ai': childFile(), 'team/c.md': naming('../*.ai') },
    ['team/c.md:4 a.ai → c.md → a.ai'],
  ],
  [
    'deep below, its beginning left out',
    {
      'a.ai': naming('b.ai'),
      'b.ai': naming('c.ai'),
      'c.ai': naming('d.ai'),
      'd.ai': naming('e.ai'),
      'e.ai': naming('c.ai'),
    },
    ['e.ai:4 c.ai → d.ai → e.ai → c.ai'],
  ],
  [
    'same names in different folders, told apart',
    { 'a.ai': naming('x/b.ai'), 'x/b.ai': naming('../y/b.ai'), 'y/b.ai': naming('../x/b.ai') },
    ['y/b.ai:4 x/b.ai → y/b.ai → x/b.ai'],
  ],
  [
    'two rings at once',
    { 'a.ai': naming('b.ai', 'c.ai'), 'b.ai': naming('a.ai'), 'c.ai': naming('c.ai', 'a.ai') },
    ['b.ai:4 a.ai → b.ai → a.ai', 'c.ai:4 c.ai → c.ai', 'c.ai:4 a.ai → c.ai → a.ai'],
  ],
];

test.each(rings)('%s', async (_, files, told) => {
  const { problems, agents, registry } = await loadFiles(files, ['a.ai']);
  const lines = problems.map(({ file, line, message }) => `${file}:${line} ${message}`);
  expect(lines).toEqual(told.map((one) => String(one).replace(' ', ' these files form a cycle: ')));
  expect(
    problems.every(
      ({ code, severity, key }) => code === 'agent-file-cycle' && severity === 'error' && key === 'agents',
    ),
  ).toBe(true);
  expect(agents).toEqual([]);
  expect(new Set(registry.files).size).toBe(registry.files.length);
});

test('a ring is told once, whichever of its files are named', async () => {
  const files = { 'a.ai': naming('b.ai'), 'b.ai': naming('a.ai'), 'c.ai': naming('b.ai') };
  const { problems } = await loadFiles(files, ['a.ai', 'b.ai', 'c.ai']);
  expect(problems.map(({ message }) => message)).toEqual(['these files form a cycle: a.ai → b.ai → a.ai']);
});

test('whoever closes a ring is told that, and not what it lacks as a sub-agent', async () => {
  const { problems } = await loadFiles({ 'a.ai': agentFile('agents: b.ai'), 'b.ai': naming('a.ai') }, ['a.ai']);
  expect(problems.map(({ code }) => code)).toEqual(['agent-file-cycle']);
});

test('a ring through a link is a ring', async () => {
  const folder = writeFiles({ 'a.ai': naming('team/b.ai'), 'team/b.ai': naming('link.ai') });
  symlinkSync('../a.ai', join(folder, 'team/link.ai'));
  const { problems } = await SubagentRegistry.load(['a.ai'], toWorld(folder));
  expect(inside(folder, problems).map(({ message }) => message)).toEqual([
    'these files form a cycle: a.ai → b.ai → a.ai',
  ]);
});

test('a ring does not hide what else is wrong', async () => {
  const files = { 'a.ai': naming('b.ai', 'c.ai'), 'b.ai': naming('a.ai'), 'c.ai': childFile('maxTurns: 0') };
  const { problems } = await loadFiles(files, ['a.ai']);
  expect(problems.map(({ code }) => code)).toEqual(['agent-file-cycle', 'key-invalid']);
});

test('a diamond is no ring: the shared file is loaded once, and is the same agent for both', async () => {
  const { problems, agents, registry, folder } = await loadFiles(
    { 'a.ai': naming('b.ai', 'c.ai'), 'b.ai': naming('d.ai'), 'c.ai': naming('d.ai'), 'd.ai': childFile() },
    ['a.ai'],
  );
  expect(problems).toEqual([]);
  const [b, c] = agents[0]?.children ?? [];
  expect(b?.children[0]?.name).toBe('d');
  expect(b?.children[0]).toBe(c?.children[0]);
  expect(registry.files.map((file) => file.slice(folder.length + 1))).toEqual(['a.ai', 'b.ai', 'd.ai', 'c.ai']);
});

test('a file named twice by one agent is one tool', async () => {
  const { agents, problems } = await loadFiles({ 'a.ai': naming('b.ai', './b.ai', '"*.ai"'), 'b.ai': childFile() }, [
    'a.ai',
  ]);
  expect(problems).toEqual([]);
  expect(agents[0]?.agent.tools).toHaveLength(1);
});

test('a folder or glob that holds the file itself does not mean it', async () => {
  const team = { 'team/a.ai': naming('.'), 'team/b.ai': childFile() };
  const { problems, agents } = await loadFiles(team, ['team/a.ai']);
  expect(problems).toEqual([]);
  expect(agents[0]?.children.map(({ name }) => name)).toEqual(['b']);
  const alone = await loadFiles({ 'team/a.ai': naming('./*.ai') }, ['team/a.ai']);
  expect(alone.problems).toEqual([]);
  expect(alone.agents[0]?.children).toEqual([]);
});

test('children are loaded before their parents', async () => {
  const { agents, problems } = await loadFiles(
    { 'a.ai': agentFile('agents: b.ai'), 'b.ai': childFile('agents: c.ai'), 'c.ai': childFile('maxTurns: 0') },
    ['a.ai'],
  );
  expect(problems.map(({ file }) => file)).toEqual(['c.ai']);
  // Who has a broken child is broken.
  expect(agents).toEqual([]);
});
