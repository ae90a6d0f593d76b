// The promise: where a name has to mean one agent, two of that name are an error that names both files.

import { expect, test } from 'vitest';
import { agentFile, childFile, loadFiles } from './support/world.ts';

const twins = { 'x/desk.ai': childFile(), 'y/desk.md': childFile() };

test('at the top, a run refuses and a check warns', async () => {
  const message =
    'x/desk.ai is called desk too; to serve both, or to make both tools of one agent, rename one file or set its toolName';
  const run = await loadFiles(twins, ['x/desk.ai', 'y/desk.md']);
  expect(run.problems).toMatchObject([{ code: 'name-taken', severity: 'error', file: 'y/desk.md', message }]);
  const check = await loadFiles(twins, ['x', 'y'], { purpose: 'check' });
  const told = check.problems.filter(({ code }) => code === 'name-taken');
  expect(told).toMatchObject([{ severity: 'warning', file: 'y/desk.md', message }]);
  expect(check.registry.hasErrors).toBe(false);
  expect(check.agents).toHaveLength(2);
});

test('as tools of one agent, whatever the purpose', async () => {
  for (const purpose of ['run', 'check'] as const) {
    const files = { ...twins, 'lead.ai': agentFile('agents: [x/desk.ai, y/desk.md]') };
    const { problems, agents } = await loadFiles(files, ['lead.ai'], { purpose });
    const message = 'x/desk.ai and y/desk.md are both called desk; rename one of them, or give it another toolName';
    const told = problems.filter(({ severity }) => severity === 'error');
    expect(told).toMatchObject([{ code: 'name-taken', file: 'lead.ai', key: 'agents', message }]);
    expect(agents).toEqual([]);
  }
});

test('names that only models cannot tell apart are the same as tools, of an agent or of clients', async () => {
  const files = { 'lead.ai': agentFile('agents: [a.b.ai, a_b.ai]'), 'a.b.ai': childFile(), 'a_b.ai': childFile() };
  const { problems } = await loadFiles(files, ['lead.ai']);
  expect(problems.map(({ code }) => code)).toEqual(['name-taken']);
  const top = await loadFiles(files, ['a.b.ai', 'a_b.ai']);
  const message =
    'a.b.ai is called a.b, which is a_b as a tool, as a_b is; to serve both, or to make both tools of one agent, rename one file or set its toolName';
  expect(top.problems).toMatchObject([{ code: 'name-taken', severity: 'error', file: 'a_b.ai', message }]);
});

test('a toolName parts them, or brings them together', async () => {
  const parted = { 'x/desk.ai': childFile('toolName: other'), 'y/desk.ai': childFile() };
  expect((await loadFiles(parted, ['x/desk.ai', 'y/desk.ai'])).problems).toEqual([]);
  const together = { 'one.ai': childFile('toolName: two'), 'two.ai': childFile() };
  const { problems } = await loadFiles(together, ['one.ai', 'two.ai']);
  expect(problems.map(({ code, file }) => `${code} ${file}`)).toEqual(['name-taken two.ai']);
});

test('different parents may have children of one name; one file named twice is one agent', async () => {
  const files = { ...twins, 'a.ai': agentFile('agents: x/desk.ai'), 'b.ai': agentFile('agents: y/desk.md') };
  const { problems, agents } = await loadFiles(files, ['a.ai', 'b.ai', './a.ai']);
  expect(problems).toEqual([]);
  expect(agents.map(({ name }) => name)).toEqual(['a', 'b']);
});
