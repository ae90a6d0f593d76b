// The promise: the frontmatter that help prints, pasted into a new file, is an agent with the same options.

import { cpSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Effective, type LoadedAgent, options, SubagentRegistry, toTemplate } from '../src/index.ts';
import { keysFolder, namedFixtures } from './support/key-fixtures.ts';
import { loadFiles, toWorld } from './support/world.ts';

/** A copy of the fixtures, to paste beside them. */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'template-')));
cpSync(keysFolder, folder, { recursive: true });
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each(namedFixtures)('%s', async (_, { file }) => {
  const first = await load(join(folder, file));
  const pasted = join(folder, dirname(file), 'pasted.ai');
  writeFileSync(pasted, `${toTemplate(first)}You are helpful.\n`);
  const second = await load(pasted);
  expect(heldBy(second.effective)).toEqual(heldBy(first.effective));
  expect(toTemplate(second)).toBe(toTemplate(first));
  expect(contractsOf(second)).toEqual(contractsOf(first));
  // What runs still runs.
  const { problems } = await SubagentRegistry.load([pasted], toWorld(dirname(pasted)));
  expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
});

test('every key of a file stands in it once, under its group', async () => {
  const lines = toTemplate(await load(join(keysFolder, 'nothing-said.ai'))).split('\n');
  for (const { key, said } of options) {
    const [outer = '', inner] = key.split('.');
    const count = lines.filter((line) => line.startsWith(inner === undefined ? `${outer}:` : `  ${inner}:`)).length;
    expect([key, count]).toEqual([key, said.includes('file') ? 1 : 0]);
  }
  expect(lines).toEqual(expect.arrayContaining(['llmTimeout: 10m', 'toolTimeout: 5m', 'models:']));
  expect(lines.filter((line) => line.startsWith('# '))).toEqual([
    '# What it is',
    '# What it takes and gives',
    '# Whom it works with',
    '# Its model',
    '# Its limits',
    '# What it may use, with everything below it',
    '# Results, caches and plugins',
  ]);
});

test('it shows what holds: times in units, what is not sent, and in words what has no value', async () => {
  const { agents } = await loadFiles(
    {
      'a.ai': '---\nmodels: openai/gpt-5\ntopP: none\nllmTimeout: 90s\nbudget: { time: 1500 }\n---\nHi.\n',
      '.ai-agent.json': { defaults: { maxTurns: 3, toolTimeout: '2h' } },
    },
    ['a.ai'],
  );
  const lines = toTemplate(agents[0] as LoadedAgent).split('\n');
  expect(lines).toEqual(
    expect.arrayContaining([
      'temperature: 0.2',
      'topP: none',
      'topK: null # not sent',
      'llmTimeout: 90s',
      'toolTimeout: 2h',
      'maxTurns: 3',
      'budget:',
      '  time: 1500',
      '  tokens: null # unlimited',
      'cache: off',
      'description: null',
    ]),
  );
  const cached = await loadFiles({ 'a.ai': '---\nmodels: openai/gpt-5\ncache: 1d\n---\nHi.\n' }, ['a.ai']);
  expect(toTemplate(cached.agents[0] as LoadedAgent).split('\n')).toContain('cache: 1d');
  expect([lines[0], ...lines.slice(-2)]).toEqual(['---', '---', '']);
});

async function load(file: string) {
  const registry = await SubagentRegistry.load([file], toWorld(dirname(file), { purpose: 'check' }));
  expect(registry.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  const [loaded] = registry.agents;
  if (!loaded) throw new Error(`${file} was not loaded`);
  return loaded;
}

function heldBy(effective: Effective) {
  return Object.fromEntries(options.map((option) => [option.key, effective.value(option) ?? otherwise[option.key]]));
}

/** What holds when nobody says it, and what the template therefore says. */
const plainText = { format: 'text' };
const otherwise: Readonly<Record<string, unknown>> = {
  input: plainText,
  output: plainText,
  maxDepth: 3,
  'budget.descendants': 64,
};

function contractsOf({ agent }: { readonly agent: { readonly input?: unknown; readonly output?: unknown } }) {
  return { input: agent.input ?? plainText, output: agent.output ?? plainText };
}
