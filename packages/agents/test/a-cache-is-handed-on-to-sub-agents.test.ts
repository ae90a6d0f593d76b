// The promise: a sub-agent that says nothing of a cache has that of its caller, and one that does has its own.

import { expect, test } from 'vitest';
import { type LoadedAgent, Problems, readFlags, readOverrides, type World } from '../src/index.ts';
import { agentFile, childFile, loadFiles } from './support/world.ts';

const [minute, hour] = [60_000, 3_600_000];

/** Of the lead, its child and the child of that one. */
async function timesOf(lines: readonly string[], { config = {}, ...given }: Partial<World> & { config?: object }) {
  const [lead = '', child = '', deep = ''] = lines;
  const files = {
    'lead.ai': agentFile(`agents: [child.ai]\n${lead}`),
    'child.ai': childFile(`agents: [deep.ai]\n${child}`),
    'deep.ai': childFile(deep),
    '.ai-agent.json': config,
  };
  const { agents, problems } = await loadFiles(files, ['lead.ai'], given);
  expect(problems).toEqual([]);
  const [top] = agents as readonly [LoadedAgent];
  const [below] = top.children;
  return [top, below, below?.children[0]].map((one) => one?.agent.cache?.ttlMs);
}

const flags = { flags: readFlags([['--cache', '1h']], new Problems()) };
const overrides = { overrides: readOverrides(['cache=1m'], new Problems()) };
const defaults = { config: { defaults: { cache: '1m' } } };

test.each([
  ['nobody', ['', '', ''], {}, [undefined, undefined, undefined]],
  ['the lead', ['cache: 1h', '', ''], {}, [hour, hour, hour]],
  ['the child', ['', 'cache: 1h', ''], {}, [undefined, hour, hour]],
  ['the lead, and the child says off', ['cache: 1h', 'cache: off', ''], {}, [hour, undefined, undefined]],
  ['each', ['cache: 1h', 'cache: 1m', 'cache: 2m'], {}, [hour, minute, 2 * minute]],
  ['a flag', ['', '', ''], flags, [hour, hour, hour]],
  ['an override', ['cache: 1h', 'cache: off', ''], overrides, [minute, minute, minute]],
  ['the configuration', ['cache: off', '', 'cache: 1h'], defaults, [undefined, minute, hour]],
  ['the lead and the configuration', ['cache: 1h', '', ''], defaults, [hour, minute, minute]],
])('said by %s', async (_who, lines, given, expected) => {
  expect(await timesOf(lines, given)).toEqual(expected);
});

test('callers that say the same share one child', async () => {
  const caller = agentFile('agents: [child.ai]\ncache: 1h');
  const { agents } = await loadFiles({ 'a.ai': caller, 'b.ai': caller, 'child.ai': childFile() }, ['a.ai', 'b.ai']);
  expect(agents[0]?.children[0]).toBe(agents[1]?.children[0]);
});

test('one file below two callers has the cache of each', async () => {
  const files = {
    'a.ai': agentFile('agents: [child.ai]\ncache: 1h'),
    'b.ai': agentFile('agents: [child.ai]\ncache: 1m'),
    'c.ai': agentFile('agents: [child.ai]'),
    'child.ai': childFile(),
  };
  const { agents, problems } = await loadFiles(files, ['a.ai', 'b.ai', 'c.ai', 'child.ai']);
  expect(problems).toEqual([]);
  const below = agents.map(({ children }) => children[0]?.agent.cache?.ttlMs);
  expect(below).toEqual([hour, minute, undefined, undefined]);
  expect(agents.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'child']);
});
