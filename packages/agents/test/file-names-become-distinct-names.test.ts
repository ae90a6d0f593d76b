// Every file name gives a safe agent name of its own, in any script.

import { expect, test } from 'vitest';
import { agentFile, childFile, loadFiles } from './support/world.ts';

async function namesOf(...files: readonly string[]) {
  const { agents, problems } = await loadFiles(Object.fromEntries(files.map((file) => [file, agentFile()])), files);
  expect(problems).toEqual([]);
  return agents.map(({ name }) => name);
}

test('names in other scripts are safe, distinct and stable', async () => {
  const files = ['日本.ai', '研究.ai', 'отчёт.ai', '🚀.ai', '🎉.ai', '---.ai', '___.ai', '日本 report.ai'];
  const names = await namesOf(...files);
  expect(new Set(names).size).toBe(files.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9][\w.-]{0,127}$/);
  expect(names[0]).toMatch(/^agent-[0-9a-f]{8}$/);
  expect(names[7]).toMatch(/^report-[0-9a-f]{8}$/);
  expect(await namesOf(...files)).toEqual(names);
});

test('accents are folded, whichever way the file system writes them', async () => {
  expect(await namesOf('Résumé Prüfer.ai')).toEqual(['resume_prufer']);
  expect(await namesOf('Re\u0301sume\u0301 Pru\u0308fer.ai')).toEqual(['resume_prufer']);
  expect(await namesOf('が.ai')).toEqual(await namesOf('か\u3099.ai'));
});

test('long names that differ only at their end stay distinct', async () => {
  const names = await namesOf(`${'x'.repeat(140)}1.ai`, `${'x'.repeat(140)}2.ai`);
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name).toHaveLength(128);
});

test.each([
  ['résumé.ai', 'resume.ai', 'resume'],
  ['pêche.ai', 'péché.ai', 'peche'],
])('%s and %s have one name without accents: an error that says what to do, not a choice', async (one, other, name) => {
  const files = { [one]: agentFile(), [other]: agentFile() };
  const { problems } = await loadFiles(files, Object.keys(files));
  const message = `${one} is called ${name} too; to serve both, or to make both tools of one agent, rename one file or set its toolName`;
  expect(problems).toMatchObject([{ severity: 'error', code: 'name-taken', message }]);
  const named = await loadFiles({ ...files, [other]: agentFile('toolName: other') }, Object.keys(files));
  expect(named.problems).toEqual([]);
  expect(named.agents.map((agent) => agent.name)).toEqual([name, 'other']);
});

test('a lead has two sub-agents in another script as two tools', async () => {
  const { agents, problems } = await loadFiles(
    { 'lead.ai': agentFile('agents: [日本.ai, 研究.ai]'), '日本.ai': childFile(), '研究.ai': childFile() },
    ['lead.ai'],
  );
  expect(problems).toEqual([]);
  const tools = agents[0]?.agent.tools?.map((tool) => ('name' in tool ? tool.name : ''));
  expect(new Set(tools).size).toBe(2);
  expect(agents[0]?.children.map(({ file }) => file.split('/').at(-1))).toEqual(['日本.ai', '研究.ai']);
});
