// The promise: an agent is called as its file is, made safe, or as its toolName says; what others need for themselves is refused.

import { expect, test } from 'vitest';
import { agentFile, childFile, loadFiles } from './support/world.ts';

test.each([
  ['desk.ai', 'desk'],
  ['Market Research.ai', 'market_research'],
  ['research.icp.ai', 'research.icp'],
  ['desk-2_b.md', 'desk-2_b'],
  ['Ärger & Öl.ai', 'arger_ol'],
  ['__init.ai', 'init'],
  ['№1.ai', 'no1'],
  ['C™.ai', 'ctm'],
  ['İzmir.ai', 'izmir'],
  ['日本.ai', 'agent-5ffcbea4'],
  ['no-extension', 'no-extension'],
  [`${'x'.repeat(128)}.ai`, 'x'.repeat(128)],
])('%s is %s', async (file, name) => {
  const { agents, problems } = await loadFiles({ [file]: agentFile() }, [file]);
  expect(problems).toEqual([]);
  expect(agents.map((one) => [one.name, one.agent.name])).toEqual([[name, name]]);
});

test('a toolName is taken as it is; the agent keeps the name of its file for its records', async () => {
  const { agents, registry } = await loadFiles({ 'desk.ai': agentFile('toolName: Help.Desk') }, ['desk.ai']);
  expect(agents[0]).toMatchObject({ name: 'Help.Desk', agent: { name: 'desk', toolName: 'Help.Desk' } });
  expect(registry.get('Help.Desk')).toBe(agents[0]);
  expect(registry.get('desk')).toBe(agents[0]);
  expect(registry.get('nobody')).toBe(undefined);
});

test('a caller knows it by its toolName', async () => {
  const files = { 'lead.ai': agentFile('agents: desk.ai'), 'desk.ai': childFile('toolName: help.desk') };
  const { agents, registry } = await loadFiles(files, ['lead.ai']);
  expect(agents[0]?.agent.tools).toMatchObject([{ name: 'agent__help_desk', identity: { tool: 'help.desk' } }]);
  expect(agents[0]?.children.map(({ name }) => name)).toEqual(['help.desk']);
  expect(registry.agents).toHaveLength(1);
});

test.each([['""'], ['"help desk"'], ['a/b'], [`"${'x'.repeat(129)}"`]])('toolName %s is refused', async (toolName) => {
  const { agents, problems } = await loadFiles({ 'desk.ai': agentFile(`toolName: ${toolName}`) }, ['desk.ai']);
  const message = `found "${toolName.replaceAll('"', '')}"; must be 1 to 128 letters, digits, dots, dashes or underscores`;
  expect(problems).toMatchObject([{ code: 'key-invalid', severity: 'error', line: 3, key: 'toolName', message }]);
  expect(agents).toEqual([]);
});

/** By hand: these are paths of servers, or tools that every session has. */
const reserved = [
  'models',
  'messages',
  'chat',
  'responses',
  'completions',
  'sessions',
  'task_status',
  'final_report',
  'batch',
  'tool_output',
];

test.each(reserved)('the name %s is refused, of a file and as a toolName', async (name) => {
  const message = `the name ${name} is reserved, and so are ${reserved.filter((one) => one !== name).join(', ')}`;
  const file = await loadFiles({ [`${name}.ai`]: agentFile() }, [`${name}.ai`]);
  expect(file.problems).toMatchObject([{ code: 'name-reserved', severity: 'error', file: `${name}.ai`, message }]);
  expect(file.agents).toEqual([]);
  const said = await loadFiles({ 'desk.ai': agentFile(`toolName: ${name.toUpperCase()}`) }, ['desk.ai']);
  expect(said.problems).toMatchObject([{ code: 'name-reserved', file: 'desk.ai', line: 3, key: 'toolName' }]);
});

test('another toolName saves a file with a reserved name; a check refuses it too; so does a parent', async () => {
  const saved = await loadFiles({ 'chat.ai': agentFile('toolName: talk') }, ['chat.ai']);
  expect(saved.problems).toEqual([]);
  const check = await loadFiles({ 'chat.ai': agentFile() }, ['chat.ai'], { purpose: 'check' });
  expect(check.registry.hasErrors).toBe(true);
  const child = await loadFiles({ 'lead.ai': agentFile('agents: chat.ai'), 'chat.ai': childFile() }, ['lead.ai']);
  expect(child.problems.map(({ code, file }) => `${code} ${file}`)).toEqual(['name-reserved chat.ai']);
});
