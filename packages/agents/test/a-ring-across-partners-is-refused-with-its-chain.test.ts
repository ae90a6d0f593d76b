// The promise: files that name each other in a ring are refused, whichever keys the ring goes through, and each way is shown as what it is.

import { expect, test } from 'vitest';
import { Problems, readFlags } from '../src/index.ts';
import { childFile, loadFiles } from './support/world.ts';

type Files = Readonly<Record<string, string>>;

/** Files that name each other, to where it is told and how. */
const rings: readonly (readonly [name: string, files: Files, told: readonly string[]])[] = [
  [
    'handoff and router',
    { 'a.ai': childFile('handoff: b.ai'), 'b.ai': childFile('router: { destinations: a.ai }') },
    ['b.ai:4 router: a.ai -(handoff)→ b.ai -(router)→ a.ai'],
  ],
  [
    'all four keys',
    {
      'a.ai': childFile('advisors: b.ai'),
      'b.ai': childFile('router: { destinations: [c.ai] }'),
      'c.ai': childFile('agents: d.ai'),
      'd.ai': childFile('handoff: a.ai'),
    },
    ['d.ai:4 handoff: a.ai -(advisors)→ b.ai -(router)→ c.ai -(agents)→ d.ai -(handoff)→ a.ai'],
  ],
  ['its own advisor', { 'a.ai': childFile('advisors: a.ai') }, ['a.ai:4 advisors: a.ai -(advisors)→ a.ai']],
  [
    'its own destination',
    { 'a.ai': childFile('router:\n  destinations:\n    - ./a.ai') },
    ['a.ai:4 router: a.ai -(router)→ a.ai'],
  ],
  ['handed to itself', { 'a.ai': childFile('handoff: [a.ai]') }, ['a.ai:4 handoff: a.ai -(handoff)→ a.ai']],
  [
    'two advisors of each other',
    { 'a.ai': childFile('advisors: b.ai'), 'b.ai': childFile('advisors: a.ai') },
    ['b.ai:4 advisors: a.ai -(advisors)→ b.ai -(advisors)→ a.ai'],
  ],
  [
    'through the last of a pipeline',
    { 'a.ai': childFile('handoff: [b.ai, c.ai]'), 'b.ai': childFile(), 'c.ai': childFile('agents: a.ai') },
    ['c.ai:4 agents: a.ai -(handoff)→ c.ai -(agents)→ a.ai'],
  ],
  [
    'below, its beginning left out; by sub-agents alone it has plain arrows',
    {
      'a.ai': childFile('handoff: b.ai'),
      'b.ai': childFile('agents: c.ai'),
      'c.ai': childFile('agents: b.ai'),
    },
    ['c.ai:4 agents: b.ai → c.ai → b.ai'],
  ],
  [
    'two keys of one file, two rings',
    { 'a.ai': childFile('agents: b.ai'), 'b.ai': childFile('advisors: a.ai\nhandoff: a.ai') },
    [
      'b.ai:4 advisors: a.ai -(agents)→ b.ai -(advisors)→ a.ai',
      'b.ai:5 handoff: a.ai -(agents)→ b.ai -(handoff)→ a.ai',
    ],
  ],
  [
    'same names in different folders, told apart',
    { 'a.ai': childFile('handoff: x/a.ai'), 'x/a.ai': childFile('router: { destinations: ../a.ai }') },
    ['x/a.ai:4 router: a.ai -(handoff)→ x/a.ai -(router)→ a.ai'],
  ],
];

test.each(rings)('%s', async (_, files, told) => {
  for (const purpose of ['run', 'check'] as const) {
    const { problems, agents } = await loadFiles(files, ['a.ai'], { purpose });
    const errors = problems.filter(({ severity }) => severity === 'error');
    expect(errors.map(({ code }) => code)).toEqual(told.map(() => 'agent-file-cycle'));
    const lines = errors.map(({ file, line, key, message }) => `${file}:${line} ${key}: ${message}`);
    expect(lines.map((line) => line.replace('these files form a cycle: ', ''))).toEqual(told);
    expect(agents).toEqual([]);
  }
});

test('a ring is told in the same words at the same place, wherever somebody comes into it', async () => {
  const files = {
    'front.ai': childFile('router: { destinations: billing.ai }'),
    'billing.ai': childFile('handoff: sign.ai'),
    'sign.ai': childFile('advisors: front.ai'),
  };
  for (const entries of [['front.ai'], ['sign.ai'], ['billing.ai'], ['.'], ['sign.ai', 'front.ai']]) {
    const { problems } = await loadFiles(files, entries);
    const told = problems.map(({ file, line, key, message }) => `${file}:${line} ${key} ${message.split(': ')[1]}`);
    const ring = 'billing.ai -(handoff)→ sign.ai -(advisors)→ front.ai -(router)→ billing.ai';
    expect(told).toEqual([`front.ai:4 router ${ring}`]);
  }
});

test('a flag that closes a ring is told as where it stands', async () => {
  const flags = readFlags([['--handoff', 'b.ai']], new Problems());
  const files = { 'a.ai': childFile(), 'b.ai': childFile('advisors: a.ai') };
  const { problems } = await loadFiles(files, ['a.ai'], { flags });
  expect(problems.map(({ file, message }) => [file, message])).toEqual([
    ['b.ai', 'these files form a cycle: a.ai -(handoff)→ b.ai -(advisors)→ a.ai'],
  ]);
  const own = await loadFiles(files, ['b.ai'], { flags });
  expect(own.problems.map(({ file, key, message }) => [file, key, message])).toEqual([
    ['the command line', '--handoff', 'these files form a cycle: b.ai -(handoff)→ b.ai'],
  ]);
});

test('several ways to one agent are no ring, whatever keys they go through', async () => {
  const files = {
    'a.ai': childFile('agents: b.ai\nadvisors: [b.ai, c.ai]\nrouter: { destinations: c.ai }\nhandoff: [b.ai, d.ai]'),
    'b.ai': childFile('handoff: d.ai'),
    'c.ai': childFile('advisors: b.ai\nagents: d.ai'),
    'd.ai': childFile(),
  };
  const { problems, agents, registry, folder } = await loadFiles(files, ['a.ai']);
  expect(problems).toEqual([]);
  const [a] = agents;
  expect(a?.team.agents[0]).toBe(a?.team.advisors[0]);
  expect(a?.team.advisors[1]).toBe(a?.team.router[0]);
  expect(a?.children.map(({ name }) => name)).toEqual(['b', 'c', 'd']);
  // Each was read once.
  expect(registry.files.map((file) => file.slice(folder.length + 1))).toEqual(['a.ai', 'b.ai', 'd.ai', 'c.ai']);
});
