// Ctrl-C once ends a run gently: the work under way is dropped, what is done becomes the answer. Twice ends it at once.

import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelRequest } from '@ai-agent/cli';
import type { Script } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { call, resultsIn } from './support/calls.ts';
import { agentFile, command, folderWith, localProvider, start } from './support/command.ts';
import { type InTerminal, startInTerminal } from './support/pty.ts';
import { listening, served } from './support/served.ts';

const ctrlC = '\u0003';
const never = new Promise<never>(() => {});
const isToldToStop = (request: ModelRequest) => JSON.stringify(request.messages.at(-1)).includes('asked to stop');
const textOf = (terminal: InTerminal) => terminal.history().join('\n');

/** A desk with a quick writer and a slow one, which has a slow helper: in the middle of it all, two levels wait. */
async function desk(lastWord: (request: ModelRequest) => ReturnType<Extract<Script, (...args: never) => unknown>>) {
  const model = await served((request) => {
    if (request.system.includes('You are quick')) return 'quick work is done';
    if (request.system.includes('You are the helper')) return { until: never };
    if (request.system.includes('You are slow'))
      return { text: 'slow work has begun', calls: [call('agent__helper', { text: 'go' })] };
    if (isToldToStop(request)) return lastWord(request);
    return { calls: ['quick', 'slow', 'slow'].map((name) => call(`agent__${name}`, { text: 'go' })) };
  });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'agents: [quick.ai, slow.ai]'], 'You are the desk.'),
    'quick.ai': agentFile(['models: local/m', 'description: quick'], 'You are quick.'),
    'slow.ai': agentFile(['models: local/m', 'description: slow', 'agents: helper.ai'], 'You are slow.'),
    'helper.ai': agentFile(['models: local/m', 'description: helps'], 'You are the helper.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  /** Desk, quick, twice slow, and two helpers that never answer. */
  const isInTheMiddle = () => expect.poll(() => [model.requests.length, model.inFlight], late).toEqual([6, 2]);
  return { model, cwd, isInTheMiddle };
}

const late = { timeout: 10_000, interval: 10 };

/** What its children have given so far, in one line. */
const soFar = ({ messages }: ModelRequest) => {
  const results = resultsIn({ messages: messages.slice(0, -1) } as unknown as ModelRequest);
  return `So far: ${results.join(' / ').replace(/\s+/g, ' ')}`;
};

test('once, in the middle of nested parallel children: the answer has their work, and the exit code is 5', async () => {
  const { model, cwd, isInTheMiddle } = await desk(soFar);
  const args = ['-c', `trap : INT; ${command} desk.ai hello > answer.txt; echo exit $?; cat answer.txt`];
  const terminal = startInTerminal(args, { cwd, program: '/bin/sh', columns: 1000 });
  await isInTheMiddle();
  terminal.type(ctrlC);
  await terminal.ended;
  const shown = textOf(terminal);
  expect(shown.match(/Stopping with what there is\. Ctrl-C again ends it at once\./g)).toHaveLength(1);
  expect(shown).toContain('partial: it was stopped.');
  expect(shown).toMatch(/exit 5\nSo far: quick work is done \/ .*slow work has begun.* \/ .*slow work has begun/);
  await expect.poll(() => [model.inFlight, model.aborted]).toEqual([0, 2]);
});

test('twice: the last word is not waited for either', async () => {
  const { model, cwd, isInTheMiddle } = await desk(() => ({ until: never }));
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
  await isInTheMiddle();
  terminal.type(ctrlC);
  await expect.poll(() => [model.requests.length, model.inFlight], late).toEqual([7, 1]);
  await patience();
  terminal.type(ctrlC);
  expect(await terminal.ended).toBe(130);
  expect(textOf(terminal)).toContain('cancelled (cancelled): Interrupted by SIGINT.');
  expect(textOf(terminal)).toMatch(/✗.*desk/);
  await expect.poll(() => [model.inFlight, model.aborted]).toEqual([0, 3]);
});

/** Longer than what counts as the same Ctrl-C, heard twice. */
const patience = () => sleep(250);

test('the same Ctrl-C heard twice, as below npx, is one', async () => {
  const { cwd, isInTheMiddle } = await desk(() => ({ text: 'what I have', latencyMs: 300 }));
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
  await isInTheMiddle();
  terminal.type(ctrlC);
  await sleep(20);
  terminal.pty.kill('SIGINT');
  expect(await terminal.ended).toBe(5);
  expect(textOf(terminal)).toContain('what I have');
});

/** A model that streams half an answer and then nothing. */
async function essayist() {
  const { url, heard } = await listening((_, response) => {
    const choice = { index: 0, delta: { role: 'assistant', content: 'Once upon a time' } };
    const piece = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] };
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(piece)}\n\n`);
  });
  const cwd = await folderWith({ 'essay.ai': agentFile(['models: local/m']), '.ai-agent.json': localProvider(url) });
  const begin = (...args: string[]) => start(['essay.ai', 'hello', ...args], { cwd });
  return { heard, begin };
}

/** Nobody sees it stream but the server: a moment after it has sent, it has arrived. */
const arrived = () => sleep(500);

test('in the middle of an answer: what is written so far is the answer, and nothing more is asked for', async () => {
  const { heard, begin } = await essayist();
  const { child, ended } = begin();
  await expect.poll(() => heard.length, late).toBe(1);
  await arrived();
  child.kill('SIGINT');
  const { code, stdout, stderr } = await ended;
  expect([code, stdout]).toEqual([5, 'Once upon a time\n']);
  expect(stderr).toMatch(/session ended as partial after \d+ ms, limit stop[\s\S]*partial: it was stopped\./);
  expect(stderr).not.toContain('cancelled');
  expect(heard).toHaveLength(1);
});

test('the same as a document and as events', async () => {
  const { heard, begin } = await essayist();
  const [document, events] = [begin('--json'), begin('--events')];
  await expect.poll(() => heard.length, late).toBe(2);
  await arrived();
  for (const { child } of [document, events]) child.kill('SIGINT');
  expect(JSON.parse((await document.ended).stdout)).toMatchObject({
    status: 'partial',
    limit: 'stop',
    text: 'Once upon a time',
    report: 'Once upon a time',
    tree: { status: 'partial', limit: 'stop' },
  });
  const told = (await events.ended).stdout.trimEnd().split('\n');
  expect(JSON.parse(told.at(-1) ?? '')).toMatchObject({ type: 'session-end', ending: { status: 'partial' } });
});

test('before anything has come there is nothing to sum up: it ends at once', async () => {
  const model = await served([{ until: never }]);
  const cwd = await folderWith({
    'a.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const { child, ended } = start(['a.ai', 'hello'], { cwd });
  await expect.poll(() => model.inFlight, late).toBe(1);
  child.kill('SIGINT');
  const { code, stderr } = await ended;
  expect(code).toBe(130);
  expect(stderr).toContain('cancelled (cancelled): Interrupted by SIGINT.');
  expect([model.requests.length, model.aborted]).toEqual([1, 1]);
});

test('a signal that does not wait: what was written so far is shown, and is the text of the outcome', async () => {
  const { heard, begin } = await essayist();
  const shown = begin();
  const told = begin('--json');
  await expect.poll(() => heard.length, late).toBe(2);
  await arrived();
  shown.child.kill('SIGQUIT');
  told.child.kill('SIGTERM');
  const { code, stdout, stderr } = await shown.ended;
  expect([code, stdout]).toEqual([130, '']);
  expect(stderr).toContain('What it had written:\nOnce upon a time\n');
  const document = await told.ended;
  expect(document.code).toBe(130);
  expect(JSON.parse(document.stdout)).toMatchObject({ status: 'cancelled', text: 'Once upon a time' });
});

test('the demo stops as any run does', async () => {
  const terminal = startInTerminal(['demo'], { cwd: await folderWith({}) });
  await terminal.shows('support_faq');
  terminal.type(ctrlC);
  expect(await terminal.ended).toBe(5);
  expect(textOf(terminal)).toContain('partial: it was stopped.');
});

test('an echo that comes while the end is being printed takes nothing away', async () => {
  const { heard, begin } = await essayist();
  const { child, ended } = begin('--json');
  await expect.poll(() => heard.length, late).toBe(1);
  await arrived();
  for (let i = 0; i < 12; i++) {
    child.kill('SIGTERM');
    await sleep(5);
  }
  const { code, stdout } = await ended;
  // When all is said, Node itself takes its listeners off, and the echo may be what ends it: a shell sees the same.
  expect([130, null]).toContain(code);
  expect(JSON.parse(stdout)).toMatchObject({ status: 'cancelled', text: 'Once upon a time' });
});
