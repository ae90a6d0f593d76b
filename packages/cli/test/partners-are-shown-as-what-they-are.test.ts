// The promise: `list`, `check`, `tools` and the help of an agent name its advisors, destinations and handoffs as what they are.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';

const member = (description: string, ...more: readonly string[]) =>
  agentFile(['models: offline/demo', `description: ${description}`, 'usage: u', 'output: {format: text}', ...more]);

const team = {
  'desk.ai': member(
    'Answers',
    'agents: parts/faq.ai',
    'advisors: parts/law.ai, parts/money.ai',
    'router: { destinations: parts/billing.ai }',
    'handoff: [parts/editor.ai, parts/signer.ai]',
  ),
  'parts/faq.ai': member('Knows'),
  'parts/law.ai': member('Advises', 'toolName: lawyer'),
  'parts/money.ai': member('Counts'),
  'parts/billing.ai': member('Bills'),
  'parts/editor.ai': member('Edits'),
  'parts/signer.ai': member('Signs'),
};

const named = {
  agents: ['faq'],
  advisors: ['lawyer', 'money'],
  router: ['billing'],
  handoff: ['editor', 'signer'],
};

test('list', async () => {
  const cwd = await folderWith(team);
  const { code, stdout, stderr } = await run(['list', 'desk.ai'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^NAME +FILE +MODELS +TEAM +DESCRIPTION$/m);
  const words = 'faq, advisor lawyer, advisor money, destination billing, → editor, → signer';
  expect(stdout).toMatch(new RegExp(`^desk +desk\\.ai +offline/demo +${words} +Answers$`, 'm'));
  // All of them are on the list, in the order they are loaded.
  expect(stdout.match(/^\w+/gm)).toEqual(['NAME', 'desk', 'faq', 'lawyer', 'money', 'billing', 'editor', 'signer']);
  const document = JSON.parse((await run(['list', '--json', 'desk.ai'], { cwd })).stdout);
  expect(document.agents[0]).toMatchObject({ name: 'desk', ...named });
  expect(document.agents[1]).toMatchObject({ name: 'faq', agents: [], advisors: [], router: [], handoff: [] });
});

test('check', async () => {
  const cwd = await folderWith(team);
  expect(await run(['check', 'desk.ai'], { cwd })).toEqual({
    code: 0,
    stdout: '7 agents checked: 0 errors, 0 warnings\n',
    stderr: '',
  });
  const { agents, files } = JSON.parse((await run(['check', '--json', 'desk.ai'], { cwd })).stdout);
  expect(agents).toEqual([{ name: 'desk', file: join(cwd, 'desk.ai'), description: 'Answers', ...named }]);
  expect(files).toHaveLength(7);
});

test('check says what is wrong with them, with its place; exit 1', async () => {
  const cwd = await folderWith({
    ...team,
    'ring.ai': member('Goes round', 'router: { destinations: back.ai }'),
    'back.ai': member('Comes back', 'handoff: ring.ai'),
    'twice.ai': member('Asks twice', 'advisors: [parts/law.ai, parts/law.ai]'),
    'empty.ai': member('Has nowhere to go', 'router: { destinations: [] }'),
    'to-nameless.ai': member('Has a bad one', 'router: { destinations: nameless.ai }'),
    'nameless.ai': '---\nmodels: offline/demo\nusage: u\noutput: {format: text}\n---\nYou answer.\n',
  });
  const { code, stdout } = await run(['check', '.'], { cwd });
  expect(code).toBe(1);
  expect(stdout.split('\n').slice(0, -2).sort()).toEqual([
    'empty.ai:6: error: router.destinations: is empty; name at least one path',
    'nameless.ai:1: error: description: is missing; to-nameless.ai has it as a destination; add the line `description: "<what it does, and when to ask it>"`',
    'ring.ai:6: error: router: these files form a cycle: back.ai -(handoff)→ ring.ai -(router)→ back.ai',
    'twice.ai:6: error: advisors: names parts/law.ai twice; name each file once',
  ]);
});

test('tools: the tool of the router is the model’s, the partners are named below', async () => {
  const cwd = await folderWith(team);
  const { code, stdout, stderr } = await run(['tools', 'desk.ai'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^desk has 2 tools\.\n/);
  expect(stdout.match(/^\w+__\S+$/gm)).toEqual(['agent__faq', 'router__handoff-to']);
  expect(stdout).toContain('\n  handoff-to, built in\n');
  expect(stdout).toContain('    agent: "billing", required  Who answers\n');
  const partners = 'advisor lawyer, advisor money, destination billing, → editor, → signer';
  expect(stdout.endsWith(`\n\nIts partners, which are no tools: ${partners}.\n`)).toBe(true);
  const document = JSON.parse((await run(['tools', '--json', 'desk.ai'], { cwd })).stdout);
  const { agents, ...others } = named;
  expect(document).toMatchObject(others);
  expect(document.tools.map(({ from }: { from: object }) => from)).toEqual([
    { type: 'agent', file: join(cwd, 'parts/faq.ai') },
    { type: 'built-in' },
  ]);
});

test('the help of an agent has them as its file has them', async () => {
  const cwd = await folderWith(team);
  const { stdout } = await run(['desk.ai', '--help'], { cwd });
  expect(stdout).toContain(
    [
      'advisors:',
      '  - parts/law.ai',
      '  - parts/money.ai',
      'router:',
      '  destinations:',
      '    - parts/billing.ai',
      'handoff:',
      '  - parts/editor.ai',
      '  - parts/signer.ai',
      '',
    ].join('\n'),
  );
});

test('a dry run counts them', async () => {
  const cwd = await folderWith(team);
  const { stdout } = await run(['desk.ai', '--dry-run'], { cwd });
  expect(stdout).toBe('desk.ai is ready to run: 7 agents loaded, with their models and keys. Nothing was run.\n');
});
