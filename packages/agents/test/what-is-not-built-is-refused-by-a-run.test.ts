// The promise: a key whose feature is not built is refused by a run and named by a check, never ignored;
// a value that asks for nothing passes, and what changes no answer is a warning.

import { expect, test } from 'vitest';
import { options, Problems, readOverrides } from '../src/index.ts';
import { agentFile, childFile, loadFiles } from './support/world.ts';

const files = {
  'x.js': '',
  '.ai-agent.json': { mcpServers: { github: { command: 'x' } } },
};

/** What asks for something that is not there yet, and what asks for nothing. */
const wishes: Readonly<Record<string, { readonly asks: readonly string[]; readonly harmless: readonly string[] }>> = {
  tools: { asks: ['batch', '[github, batch]'], harmless: ['[]', '""', 'null', '["!github"]'] },
  plugins: { asks: ['x.js'], harmless: ['[]', 'null'] },
};

const rows = Object.entries(wishes);
const asking = rows.flatMap(([key, { asks }]) => asks.map((value) => [key, value] as const));
const harmless = rows.flatMap(([key, row]) => row.harmless.map((value) => [key, value] as const));

test('these are all the keys of a file that are not built, or not wholly', () => {
  const inTable = options.filter(({ said, isBuilt }) => said.includes('file') && isBuilt);
  expect(inTable.map(({ key }) => key).sort()).toEqual(Object.keys(wishes).sort());
});

test.each(asking)('%s: %s', async (key, value) => {
  const about = options.find((option) => option.key === key)?.about.replace(/\.$/, '');
  const said = {
    code: 'key-not-built',
    file: 'desk.ai',
    line: 3,
    key,
    message: `this version cannot do it yet (${about})`,
  };
  const desk = { ...files, 'desk.ai': agentFile(`${key}: ${value}`) };
  const run = await loadFiles(desk, ['desk.ai'], { purpose: 'run' });
  expect(run.problems).toMatchObject([{ severity: 'error', ...said }]);
  expect(run.agents).toEqual([]);
  const check = await loadFiles(desk, ['desk.ai'], { purpose: 'check' });
  expect(check.problems.filter(({ code }) => code === 'key-not-built')).toMatchObject([
    { severity: 'warning', ...said, message: `${said.message}; a run refuses it` },
  ]);
  expect(check.registry.hasErrors).toBe(false);
  expect(check.agents).toHaveLength(1);
});

test.each(harmless)('%s: %s asks for nothing', async (key, value) => {
  for (const purpose of ['run', 'check'] as const) {
    const { problems, agents } = await loadFiles({ 'desk.ai': agentFile(`${key}: ${value}`) }, ['desk.ai'], {
      purpose,
    });
    expect(problems.filter(({ code }) => !['usage-missing', 'output-missing'].includes(code))).toEqual([]);
    expect(agents).toHaveLength(1);
  }
});

test('a run is what is meant when nobody says', async () => {
  const { problems } = await loadFiles({ 'desk.ai': agentFile('plugins: x.js') }, ['desk.ai']);
  expect(problems.map(({ severity, code }) => `${severity} ${code}`)).toEqual(['error key-not-built']);
});

test.each([
  ['no-batch', 'warning', /; agents go without it$/],
  ['no-progress', 'warning', /; agents go without it$/],
])('--override %s is told once for all agents, as an %s', async (pair, severity, words) => {
  const told = new Problems();
  const overrides = readOverrides([pair], told);
  expect(told.all).toEqual([]);
  const team = { 'a.ai': agentFile('agents: [b.ai]'), 'b.ai': childFile() };
  const { problems, agents } = await loadFiles(team, ['a.ai'], { overrides });
  const [key] = pair.split('=');
  const message = expect.stringMatching(words);
  expect(problems).toMatchObject([{ severity, code: 'key-not-built', file: '--override', key, message }]);
  // What takes away something that is not there changes no answer.
  expect(agents).toHaveLength(severity === 'error' ? 0 : 1);
});

test('what is missing and harmless is a warning of a check alone', async () => {
  const bare = { 'a.ai': '---\nmodels: openai/gpt-5\n---\n' };
  const run = await loadFiles(bare, ['a.ai']);
  expect(run.problems).toMatchObject([{ severity: 'warning', code: 'prompt-empty', file: 'a.ai' }]);
  expect(run.agents).toHaveLength(1);
  const check = await loadFiles(bare, ['a.ai'], { purpose: 'check' });
  expect(check.problems.map(({ severity, code, key }) => [severity, code, key])).toEqual([
    ['warning', 'prompt-empty', undefined],
    ['warning', 'usage-missing', 'usage'],
    ['warning', 'output-missing', 'output'],
  ]);
  expect(check.registry.hasErrors).toBe(false);
});
