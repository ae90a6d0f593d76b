// The promise: whoever is asked by `sessions resume` can leave, and the question stays open; one that went with its process is not denied.

import type { Script } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { call, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { factsIn, headsIn } from './support/kept.ts';
import { startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';
import { keys } from './support/talk.ts';

const script: Script = (request) => {
  const results = resultsIn(request);
  if (results.length > 0) return `heard ${results.join(' and ')}`;
  if (request.system.includes('boss')) return { calls: [call('agent__child')] };
  return { calls: [{ name: 'ask_user', input: { question: 'Which colour?', choices: ['red', 'blue'] } }] };
};

async function team() {
  const model = await served(script);
  return folderWith({
    'boss.ai': agentFile(['models: local/m', 'agents: child.ai'], 'You are the boss'),
    'child.ai': agentFile(['models: local/m', 'description: asks', 'ask: person'], 'You are the child'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
}

async function asked() {
  const cwd = await team();
  expect((await run(['boss.ai', 'hello'], { cwd })).code).toBe(6);
  const [head] = await headsIn(cwd);
  return { cwd, id: head?.id ?? '' };
}

const leaving: readonly (readonly [string, string, number])[] = [
  ['Ctrl-C', keys.ctrlC, 130],
  ['Ctrl-C behind some letters', `bl${keys.ctrlC}`, 130],
  ['Ctrl-D', keys.ctrlD, 6],
  ['a wrong word, then Ctrl-D', `pink\r${keys.ctrlD}`, 6],
];

test.each(leaving)('%s', async (_, typed, code) => {
  const { cwd, id } = await asked();
  const terminal = startInTerminal(['sessions', 'resume', id], { cwd, columns: 140 });
  await terminal.shows(/Which colour\?[\s\S]*1-2: *$/);
  terminal.type(typed);
  expect(await terminal.ended).toBe(code);
  const shown = terminal.history().join('\n');
  expect(shown).toContain(`The question stays open. Answer it: ai-agent sessions resume ${id} --answer "…"`);
  expect(shown).not.toContain('go on without');
  expect(await headsIn(cwd)).toMatchObject([{ id, status: 'needs_user_input', resumptions: 0 }]);
});

test('Enter twice', async () => {
  const { cwd, id } = await asked();
  const terminal = startInTerminal(['sessions', 'resume', id], { cwd, columns: 140 });
  await terminal.shows(/1-2: *$/);
  terminal.type('\r');
  await terminal.shows(/press Enter once more to leave it open\.\n1-2: *$/);
  terminal.type('\r');
  expect(await terminal.ended).toBe(6);
  expect(terminal.history().at(-1)).toMatch(/^The question stays open\. Answer it: /);
});

test.each(['SIGTERM', 'SIGHUP'])('%s', async (signal) => {
  const { cwd, id } = await asked();
  const terminal = startInTerminal(['sessions', 'resume', id], { cwd, columns: 140 });
  await terminal.shows(/1-2: *$/);
  terminal.pty.kill(signal);
  expect(await terminal.ended).toBe(130);
  expect(terminal.history().join('\n')).toContain('The question stays open.');
});

test('an answer after all', async () => {
  const { cwd, id } = await asked();
  const terminal = startInTerminal(['sessions', 'resume', id], { cwd, columns: 140 });
  await terminal.shows(/1-2: *$/);
  terminal.type('\r');
  await terminal.shows('press Enter once more to leave it open.');
  terminal.type('2\r');
  await terminal.shows('heard heard blue');
  expect(await terminal.ended).toBe(0);
});

test('a wrong answer is told the choices', async () => {
  const { cwd, id } = await asked();
  const { code, stderr } = await run(['sessions', 'resume', id, '--answer', 'green'], { cwd });
  expect(code).toBe(4);
  expect(stderr).toContain('"green" is none of: red, blue.');
});

test('one that went with its process', async () => {
  const cwd = await team();
  const terminal = startInTerminal(['boss.ai', 'hello'], { cwd });
  await terminal.shows(/1-2: *$/);
  const told = async () => {
    const [asking] = await headsIn(cwd);
    return asking ? (await factsIn(cwd, asking.id)).map(({ type }) => type) : [];
  };
  await expect.poll(told).toContain('question-start');
  terminal.pty.kill('SIGKILL');
  await terminal.ended;
  const [head] = await headsIn(cwd);
  expect(head?.status).toBe('interrupted');
  const { code, stderr } = await run(['sessions', 'resume', head?.id ?? '', '--answer', '1'], { cwd });
  expect(code).toBe(4);
  expect(stderr).toContain('had asked "Which colour?", and the process that asked is gone');
  expect(stderr).toContain(`ai-agent sessions resume ${head?.id} goes on`);
});
