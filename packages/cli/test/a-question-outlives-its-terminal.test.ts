// The promise: a terminal that is closed while a question stands there leaves the question open, and it is answered later, in another one.

import type { Script } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { call, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { headsIn } from './support/kept.ts';
import { type InTerminal, startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';

const ask = (question: string) => ({ name: 'ask_user', input: { question } });

const script: Script = (request) => {
  const { system } = request;
  const results = resultsIn(request);
  if (results.length > 0)
    return `${/^You (?:are|ask) (?:the )?(\w+)/.exec(system)?.[1]} heard ${results.join(' and ')}`;
  if (system.includes('You are the desk')) return { calls: [call('agent__child')] };
  if (system.includes('You are the busy')) return { calls: [call('agent__child'), call('agent__slow')] };
  if (system.includes('You are slow')) return { latencyMs: 2_500, text: 'done at last' };
  return { calls: system.includes('twice') ? [ask('Which month?'), ask('Which year?')] : [ask('Which year?')] };
};

async function team() {
  const model = await served(script);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'agents: child.ai'], 'You are the desk'),
    'child.ai': agentFile(['models: local/m', 'description: asks', 'ask: person'], 'You are the child'),
    'busy.ai': agentFile(['models: local/m', 'agents: [child.ai, slow.ai]'], 'You are the busy one'),
    'slow.ai': agentFile(['models: local/m', 'description: slow'], 'You are slow'),
    'alone.ai': agentFile(['models: local/m'], 'You are alone'),
    'twice.ai': agentFile(['models: local/m'], 'You ask twice'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  return { model, cwd };
}

/** The window is closed: whatever is written there fails from now on. */
function closeWindow({ pty }: InTerminal): void {
  (pty as unknown as { destroy(): void }).destroy();
}

async function standsOpen(cwd: string) {
  await expect
    .poll(async () => (await headsIn(cwd)).map(({ status }) => status), { timeout: 5_000 })
    .toEqual(['needs_user_input']);
  const [head] = await headsIn(cwd);
  expect(head?.question?.text).toBe('Which year?');
  return head?.id ?? '';
}

async function asked(args: readonly string[], cwd: string) {
  const terminal = startInTerminal(args, { cwd });
  if (args[0] === 'chat') {
    await terminal.shows(/> *$/);
    terminal.type('hello\r');
  }
  return terminal;
}

test.each([
  [['desk.ai', 'hello'], [6], 'desk heard child heard 2024'],
  // Its keys may end before its signal comes: then a talk is over as after Ctrl-D.
  [['chat', 'desk.ai'], [130, 0], 'desk heard child heard 2024'],
  [['chat', 'alone.ai'], [130, 0], 'alone heard 2024'],
])('a window that is closed: %j', async (args, codes, answer) => {
  const { cwd } = await team();
  const terminal = await asked(args, cwd);
  await terminal.shows(/Which year\?\n> *$/);
  closeWindow(terminal);
  // What nobody foresaw would be another one.
  expect(codes).toContain(await terminal.ended);
  const id = await standsOpen(cwd);
  const later = await run(['sessions', 'resume', id, '--answer', '2024', '-q'], { cwd });
  expect(later).toMatchObject({ code: 0, stdout: `${answer}\n` });
  const { stdout } = await run(['sessions', 'export', id, '--format', 'markdown'], { cwd });
  expect(stdout.match(/## .* asks/g)).toHaveLength(1);
});

test.each(['SIGHUP', 'SIGTERM'])('%s alone: a talk goes on with the question', async (signal) => {
  const { cwd } = await team();
  const terminal = await asked(['chat', 'alone.ai'], cwd);
  await terminal.shows(/Which year\?\n> *$/);
  terminal.pty.kill(signal);
  expect(await terminal.ended).toBe(130);
  await standsOpen(cwd);
  const again = startInTerminal(['chat', 'alone.ai', '--continue'], { cwd });
  await again.shows(/Which year\?[\s\S]*alone> *$/);
  again.type('2024\r');
  await again.shows('alone heard 2024');
});

test.each([
  ['busy.ai', 'hello'],
  ['chat', 'busy.ai'],
])('who is at work beside it has time to end: %s %s', async (...args) => {
  const { cwd, model } = await team();
  const terminal = await asked(args, cwd);
  await terminal.shows(/Which year\?\n> *$/);
  await expect.poll(() => model.inFlight).toBe(1);
  terminal.pty.kill('SIGHUP');
  await terminal.ended;
  const id = await standsOpen(cwd);
  const later = await run(['sessions', 'resume', id, '--answer', '2024', '-q'], { cwd });
  expect(later.stdout).toBe('busy heard child heard 2024 and done at last\n');
});

test('what was answered before is not asked again', async () => {
  const { cwd } = await team();
  const terminal = await asked(['twice.ai', 'hello'], cwd);
  await terminal.shows(/Which month\?\n> *$/);
  terminal.type('May\r');
  await terminal.shows(/Which year\?\n> *$/);
  closeWindow(terminal);
  await terminal.ended;
  const id = await standsOpen(cwd);
  const later = await run(['sessions', 'resume', id, '--answer', '2024', '-q'], { cwd });
  expect(later.stdout).toBe('twice heard May and 2024\n');
});

test('where nothing is kept, the run is cancelled', async () => {
  const { cwd } = await team();
  const terminal = await asked(['alone.ai', 'hello', '--no-store'], cwd);
  await terminal.shows(/Which year\?\n> *$/);
  terminal.pty.kill('SIGHUP');
  expect(await terminal.ended).toBe(130);
});
