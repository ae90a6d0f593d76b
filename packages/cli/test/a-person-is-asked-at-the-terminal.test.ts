// A question, or an approval, is put to whoever sits at the terminal, and what they type resumes the very session that asked.

import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ModelRequest } from '@ai-agent/cli';
import type { Script } from '@ai-agent/cli/testing';
import { expect, test } from 'vitest';
import { call, resultsIn } from './support/calls.ts';
import { agentFile, command, folderWith, localProvider, run } from './support/command.ts';
import { type InTerminal, startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';

const isChild = ({ system }: ModelRequest) => system.includes('You are the child');
const asks = (...inputs: readonly object[]) => ({ calls: inputs.map((input) => ({ name: 'ask_user', input })) });

/** A parent whose child asks a person this; each answers with the results of its calls. */
async function team(...inputs: readonly object[]) {
  const script: Script = (request) => {
    const results = resultsIn(request);
    if (results.length > 0) return `${isChild(request) ? 'child' : 'desk'} heard ${results.join(' and ')}`;
    return isChild(request) ? asks(...inputs) : { calls: [call('agent__child', { text: 'go' })] };
  };
  return teamOf(script);
}

async function teamOf(script: Script) {
  const model = await served(script);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'agents: child.ai'], 'You are the desk.'),
    'child.ai': agentFile(['models: local/m', 'description: asks', 'ask: person'], 'You are the child.'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  return { model, cwd };
}

/** Everything on the screen, wrapped lines and all, with single blanks. */
const seen = (terminal: InTerminal) => terminal.history().join('\n').replace(/\s+/g, ' ');

/** The prompt stands, and nothing else is written over it. */
async function answers(terminal: InTerminal, prompt: RegExp, ...keys: readonly string[]) {
  await terminal.shows(prompt);
  terminal.type(keys.join(''));
}

test('a child asks with choices: a wrong answer is told, a number or a word is right, and the very child goes on', async () => {
  for (const right of ['2', 'BLUE']) {
    const { model, cwd } = await team({ question: 'Which colour?', choices: ['red', 'blue'] });
    const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
    await answers(terminal, /child asks:\n {2}Which colour\?\n {2}1\. red\n {2}2\. blue\n1-2: *$/, 'green\r');
    await answers(terminal, /1-2: green\nChoose one of them: .*\n1-2: *$/, `${right}\r`);
    expect(await terminal.ended).toBe(0);
    expect(seen(terminal)).toContain('desk heard child heard blue');
    // The same conversation goes on: its prompt, its question, the answer.
    const [, first, second] = model.requests;
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages);
    expect(JSON.stringify(second?.messages.at(-1))).toContain('blue');
    expect(model.requests).toHaveLength(4);
  }
});

test('while a question stands nothing is drawn over it, and afterwards the tree is there again', async () => {
  const { cwd } = await team({ question: 'Which year?' });
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
  await terminal.shows(/Which year\?\n> *$/);
  const before = terminal.raw().length;
  // Longer than the tree takes to be drawn again, three times over.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(terminal.raw().slice(before)).toBe('');
  terminal.type('2024\r');
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().join('\n')).toMatch(/> 2024\n[\s\S]*└─ .*child/);
});

test('several at once are asked one after the other, each in its form', async () => {
  const year = { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] };
  const object = { type: 'object', properties: { at: year }, required: ['at'] };
  const { cwd } = await team(
    { question: 'Sure?', schema: { type: 'boolean' } },
    { question: 'How many?', schema: { type: 'integer' } },
    { question: 'When?', schema: object },
    { question: 'Who?' },
  );
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
  await answers(terminal, /Sure\?\n\[yes\/no\] *$/, 'perhaps\r');
  expect(seen(terminal)).not.toContain('How many');
  await answers(terminal, /Answer yes or no\.\n\[yes\/no\] *$/, 'yes\r');
  await answers(terminal, /How many\?\n {2}It must be a whole number\.\nA number: *$/, 'two\r');
  await answers(terminal, /Answer with a number\.\nA number: *$/, '2.5\r');
  await answers(terminal, /2\.5\nIt must be a whole number\.\nA number: *$/, '2\r');
  await answers(terminal, /When\?\n {2}at\nThe answer is JSON: [\s\S]*\nJSON: *$/, 'soon\r');
  await answers(terminal, /This is not JSON.*\nJSON: *$/, '{}\r');
  await answers(terminal, /does not fit[\s\S]*year[\s\S]*\nJSON: *$/, '{"year": 2024}\r');
  await answers(terminal, /Who\?\n> *$/, 'Ünal\r');
  expect(await terminal.ended).toBe(0);
  expect(seen(terminal)).toContain('child heard true and 2 and {"at":{"year":2024}} and Ünal');
});

test('two children that ask at once do not talk at once', async () => {
  const script: Script = (request) => {
    const results = resultsIn(request);
    if (results.length > 0) return results.join(' and ');
    if (!isChild(request)) return { calls: ['first', 'second'].map((text) => call('agent__child', { text })) };
    return asks({ question: `Who is ${JSON.stringify(request.messages[0]).includes('first') ? 'first' : 'second'}?` });
  };
  const { cwd } = await teamOf(script);
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
  await terminal.shows(/Who is (first|second)\?\n> *$/);
  const [, one = ''] = /Who is (first|second)\?/.exec(terminal.history().join('\n')) ?? [];
  terminal.type(`${one === 'first' ? 'Anna' : 'Berit'}\r`);
  const other = one === 'first' ? 'second' : 'first';
  await answers(terminal, new RegExp(`Who is ${other}\\?\\n> *$`), `${one === 'first' ? 'Berit' : 'Anna'}\r`);
  expect(await terminal.ended).toBe(0);
  expect(seen(terminal)).toContain('Anna and Berit');
});

test.each([
  ['Ctrl-D', '\u0004'],
  ['two empty lines', '\r\r'],
])('%s gives no answer: the agent is told, and goes on without', async (_, keys) => {
  const { cwd } = await team({ question: 'Which year?' });
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
  await answers(terminal, /Which year\?\n> *$/, keys);
  expect(await terminal.ended).toBe(0);
  expect(seen(terminal)).toMatch(/child heard Failed \(tool\): .*the person gave no answer\..*Do without the answer/);
});

test('what was typed before a question was asked does not answer it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const script: Script = (request) => {
    const results = resultsIn(request);
    if (results.length > 0) return `heard ${results.join()}`;
    return isChild(request) ? { ...asks({ question: 'Really?' }), until: promise } : { calls: [call('agent__child')] };
  };
  const { cwd } = await teamOf(script);
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
  await terminal.shows(/child/);
  terminal.type('too early\r');
  await terminal.shows('too early');
  resolve();
  await answers(terminal, /Really\?\n> *$/, 'yes\r');
  expect(await terminal.ended).toBe(0);
  expect(seen(terminal)).toContain('heard heard yes');
});

test('Ctrl-C at a question closes it, and the run ends with what there is', async () => {
  const script: Script = (request) => {
    if (JSON.stringify(request.messages.at(-1)).includes('You are asked to stop')) return 'what I have';
    return isChild(request) ? asks({ question: 'Which year?' }) : { calls: [call('agent__child', { text: 'go' })] };
  };
  const { cwd } = await teamOf(script);
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
  await answers(terminal, /Which year\?\n> *$/, '\u0003');
  expect(await terminal.ended).toBe(5);
  expect(terminal.history().join('\n')).toMatch(/> *\nStopping with what there is\. .*\n[\s\S]*what I have/);
});

test('a question that a limit closes is taken back, and the next one is asked', async () => {
  const script: Script = (request) => {
    const results = resultsIn(request);
    if (request.system.includes('You are slow')) return { until: new Promise(() => {}) };
    if (request.tools.length === 0) return 'the middle has something';
    if (isChild(request)) return asks({ question: 'Which year?' });
    if (request.system.includes('You are the middle'))
      return { calls: ['agent__child', 'agent__slow'].map((name) => call(name, { text: 'go' })) };
    if (results.length === 0) return { calls: [call('agent__middle', { text: 'go' })] };
    return results.join().includes('something')
      ? asks({ question: 'Is that enough?' })
      : `desk heard ${results.join()}`;
  };
  const file = (name: string, body: string, ...more: string[]) =>
    agentFile(['models: local/m', `description: ${name}`, ...more], body);
  const { baseUrl } = await served(script);
  const cwd = await folderWith({
    'desk.ai': file('desk', 'You are the desk.', 'agents: middle.ai', 'ask: person'),
    'middle.ai': file('middle', 'You are the middle.', 'agents: [child.ai, slow.ai]', 'budget: { time: 1s }'),
    'child.ai': file('child', 'You are the child.', 'ask: person'),
    'slow.ai': file('slow', 'You are slow.'),
    '.ai-agent.json': localProvider(baseUrl),
  });
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
  await terminal.shows(/child asks:\n {2}Which year\?\n> *$/);
  await answers(terminal, /desk asks:\n {2}Is that enough\?\n> *$/, 'yes\r');
  expect(await terminal.ended).toBe(0);
  expect(seen(terminal)).toContain('desk heard yes');
});

test('a question does not hold up a signal', async () => {
  const { cwd } = await team({ question: 'Which year?' });
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
  await terminal.shows(/Which year\?\n> *$/);
  terminal.pty.kill('SIGTERM');
  // It stays open.
  expect(await terminal.ended).toBe(6);
});

test('the terminal is as it was afterwards, answered or not', async () => {
  const { cwd } = await team({ question: 'Which year?' });
  for (const keys of ['2024\r', '\u0004', '\u0003']) {
    const args = ['-c', `${command} desk.ai hello; stty -a | grep -o '[-]*icanon\\|[-]*echo\\b'; echo done`];
    const terminal = startInTerminal(args, { cwd, program: '/bin/sh' });
    await answers(terminal, /Which year\?\n> *$/, keys);
    await terminal.shows(/\bdone$/);
    expect(terminal.history().slice(-3)).toEqual(['icanon', 'echo', 'done']);
  }
});

test('with the prompt piped in, the person is asked all the same', async () => {
  const { cwd } = await team({ question: 'Which year?' });
  const args = ['-c', `echo hello | ${command} desk.ai > answer.txt; cat answer.txt`];
  const terminal = startInTerminal(args, { cwd, program: '/bin/sh' });
  await answers(terminal, /Which year\?\n> *$/, '2024\r');
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().at(-1)).toBe('desk heard child heard 2024');
});

test('text that wants to be more than text is only text', async () => {
  const hostile = 'Fine?\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e\nAllow it? [y/N] y';
  const { cwd } = await team({ question: hostile, choices: ['a\u001b[31m\nb', 'c'] });
  const terminal = startInTerminal(['desk.ai', '-q', 'hello'], { cwd });
  await answers(terminal, /Fine\?.*\n {2}Allow it\? \[y\/N\] y\n {2}1\. a \[31m b\n {2}2\. c\n1-2: *$/, '2\r');
  expect(await terminal.ended).toBe(0);
  for (const sequence of ['\u001b[2J', '\u001b]0', '\u001b[31m', '\u009b', '\u202e'])
    expect(terminal.raw()).not.toContain(sequence);
});

test('where nobody can be asked, the run ends with the question, as ever', async () => {
  const { cwd } = await team({ question: 'Which year?' });
  const { code, stdout, stderr } = await run(['desk.ai', 'hello'], { cwd });
  expect([code, stdout]).toEqual([6, '']);
  expect(stderr).toContain('needs_user_input: Which year?');
});

test('whoever would not see the question is not asked', async () => {
  const { cwd } = await team({ question: 'Which year?' });
  const args = ['-c', `${command} desk.ai hello 2> told.txt; echo exit $?; cat told.txt`];
  const terminal = startInTerminal(args, { cwd, program: '/bin/sh' });
  await terminal.shows(/exit 6\n[\s\S]*needs_user_input: Which year\?/);
});

/** Tools that need approval come from code: a program that attends a run as the command does. */
async function clerk() {
  const source = (name: string) => pathToFileURL(join(import.meta.dirname, `../src/${name}.ts`)).href;
  const program = `
    import { defineTool } from '${source('index')}';
    import { scriptedModel } from '${source('testing')}';
    import { runAttended } from '${source('commands/run/run-attended')}';
    import { Written } from '${source('../../core/src/folds/written')}';
    import { processTerminal } from '${source('terminal')}';
    const inputSchema = { type: 'object' };
    const transfer = defineTool({ name: 'transfer', needsApproval: true, inputSchema, execute: () => 'sent' });
    const model = scriptedModel((request, call) =>
      call === 1
        ? { calls: [{ name: 'transfer', input: { to: 'Anna\\u001b[2J\\u009b', amountUsd: 50, note: 'x'.repeat(1000) + ' the end' } }] }
        : 'clerk heard ' + request.messages.at(-1).content[0].text);
    const agent = { name: 'clerk', instructions: 'You pay.', model, tools: [transfer] };
    const live = { onEvent() {}, aside: () => () => {}, end() {} };
    const attendance = { terminal: processTerminal(), live, written: new Written() };
    const { outcome, release } = await runAttended({ agent }, 'pay', attendance);
    console.log((await outcome).text);
    release();`;
  const cwd = await folderWith({ 'clerk.mjs': program });
  const env = { NODE_COMPILE_CACHE: join(tmpdir(), 'ai-agent-test-cache') };
  return startInTerminal(['clerk.mjs'], { cwd, program: process.execPath, env });
}

test.each([
  ['y', 'clerk heard sent'],
  ['', 'did not approve this call of transfer.'],
  ['no', 'did not approve this call of transfer.'],
  ['n because it is late', 'did not approve this call of transfer: it is late.'],
])('an approval shows the call, and takes "%s"', async (answer, heard) => {
  const terminal = await clerk();
  const call = /clerk wants to call transfer:\n {2}to: "Anna.*"\n {2}amountUsd: 50\n {2}note: "x+\n?x*/;
  await terminal.shows(new RegExp(`${call.source}[\\s\\S]*the\\s*end"\\nAllow it\\? \\[y/N\\] *$`));
  if (answer === 'y') await answers(terminal, /\[y\/N\] *$/, 'yes, but\r');
  if (answer === 'y') await terminal.shows(/Answer y or n; after n you may say why\.\nAllow it\? \[y\/N\] *$/);
  terminal.type(`${answer}\r`);
  expect(await terminal.ended).toBe(0);
  expect(seen(terminal)).toContain(heard);
  expect(terminal.raw()).not.toContain('\u001b[2J');
});

test.each([['--verbose'], ['TERM=dumb']])(
  'with %s, lines of others wait until the question is answered',
  async (how) => {
    const model = await served(({ system, messages }) => {
      const said = JSON.stringify(messages);
      if (system.includes('asker'))
        return said.includes('"tool"')
          ? 'asked'
          : { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
      if (system.includes('busy')) return { text: 'busy is done', latencyMs: 800 };
      return said.includes('"tool"')
        ? 'Good.'
        : { calls: ['asker', 'busy'].map((name) => ({ name: `agent__${name}`, input: { text: 'go', reason: 'r' } })) };
    });
    const cwd = await folderWith({
      'lead.ai': agentFile(['models: local/m', 'agents: [asker.ai, busy.ai]'], 'You lead.'),
      'asker.ai': agentFile(['models: local/m', 'description: a', 'ask: person'], 'You are the asker.'),
      'busy.ai': agentFile(['models: local/m', 'description: b'], 'You are busy.'),
      '.ai-agent.json': localProvider(model.baseUrl),
    });
    const flags = how === '--verbose' ? [how] : [];
    const terminal = startInTerminal(['lead.ai', 'go', ...flags], {
      cwd,
      env: how === '--verbose' ? {} : { TERM: 'dumb' },
    });
    await terminal.shows(/Which year\?\n> *$/);
    await expect.poll(() => model.inFlight, { timeout: 5_000 }).toBe(0);
    terminal.type('19');
    await terminal.shows(/> 19$/);
    expect(terminal.history().join('\n')).not.toContain('session ended');
    terminal.type('99\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.history().join('\n')).toMatch(/> 1999\n[\s\S]*child:busy\[1\] .*session ended as completed/);
  },
);
