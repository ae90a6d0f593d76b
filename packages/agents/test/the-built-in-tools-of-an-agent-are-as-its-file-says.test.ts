// The promise: `batch` in tools and `progress` give an agent the tools of its session, and an override takes them away everywhere.

import { expect, test } from 'vitest';
import { Problems, readOverrides } from '../src/index.ts';
import { agentFile, childFile, loadFiles } from './support/world.ts';

async function load(frontmatter: string, overrides: readonly string[] = [], config: object = {}) {
  const problems = new Problems();
  const team = {
    'a.ai': agentFile(`${frontmatter}\nagents: [b.ai]`),
    'b.ai': childFile('tools: batch\nprogress: true'),
    '.ai-agent.json': config,
  };
  const loaded = await loadFiles(team, ['a.ai'], { overrides: readOverrides(overrides, problems) });
  expect([...problems.all, ...loaded.problems]).toEqual([]);
  const [a] = loaded.agents;
  const of = (agent: { readonly batch?: boolean; readonly progress?: boolean } | undefined) => [
    agent?.batch,
    agent?.progress,
  ];
  return [of(a?.agent), of(a?.children[0]?.agent)];
}

const child = [true, true];

test.each<[string, readonly unknown[]]>([
  ['usage: x', [undefined, undefined]],
  ['tools: batch', [true, undefined]],
  ['tools: [batch, "!batch"]', [undefined, undefined]],
  ['progress: true', [undefined, true]],
  ['progress: off', [undefined, false]],
])('%s', async (frontmatter, own) => {
  expect(await load(frontmatter)).toEqual([own, child]);
});

test.each<[string, readonly unknown[], readonly unknown[]]>([
  ['no-batch', [undefined, true], [undefined, true]],
  ['no-batch=false', [true, true], child],
  ['no-progress', [true, false], [true, false]],
  ['no-progress=0', [true, true], child],
  ['progress=false', [true, false], [true, false]],
])('--override %s holds for every agent', async (pair, own, below) => {
  expect(await load('tools: batch\nprogress: true', [pair])).toEqual([own, below]);
});

test('a default of the configuration holds for who says nothing', async () => {
  expect(await load('usage: x', [], { defaults: { progress: true } })).toEqual([[undefined, true], child]);
});
