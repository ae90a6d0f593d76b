// `ai-agent --help` and the help of each command: one look, no line wider than a usual window; a word that was nearly a command is understood.

import { expect, test } from 'vitest';
import { commands } from '../src/commands/table.ts';
import { folderWith, run } from './support/command.ts';

test('the list has every command on an aligned line', async () => {
  const { code, stdout, stderr } = await run(['--help'], { cwd: await folderWith({}) });
  expect([code, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n');
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(100);
  const about = Object.entries(commands).map(([name, row]) => {
    const line = lines.find((one) => one.startsWith(`  ${name} ${row.words}`.trimEnd()));
    return line?.indexOf(row.about);
  });
  expect(new Set(about).size).toBe(1);
  expect(about[0]).toBeGreaterThan(0);
});

test.each(Object.entries(commands))('%s --help', async (name, { flags, sections = [], examples }) => {
  const { code, stdout } = await run([name, '--help'], { cwd: await folderWith({}) });
  expect(code).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Usage: ai-agent ${name === 'run' ? '<file>' : name} `));
  const lines = stdout.split('\n');
  for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(100);
  // What flags do is a column of its own, also beside those with long names.
  const rows = lines.filter((line) => line.startsWith('  --'));
  for (const row of rows) expect(row).toMatch(/^.{36} \S|^ {2}--\S+(?: <.*>)?$/);
  const inOneLine = stdout.replace(/\s+/g, ' ');
  for (const flag of [...flags, ...sections.flatMap((section) => section.flags)]) {
    expect(stdout).toContain(`\n  ${flag.names[0]}`);
    expect(inOneLine).toContain(` ${flag.about}`);
  }
  for (const example of examples) expect(stdout).toContain(`\n  ${example}\n`);
});

test.each([
  ['lst', 'list'],
  ['tool', 'tools'],
  ['int', 'init'],
  ['completions', 'completion'],
])('%s is nearly %s', async (word, meant) => {
  const { code, stderr } = await run([word], { cwd: await folderWith({}) });
  expect([code, stderr]).toEqual([
    4,
    expect.stringContaining(`There is no file or command ${word}. Did you mean ${meant}?`),
  ]);
});
