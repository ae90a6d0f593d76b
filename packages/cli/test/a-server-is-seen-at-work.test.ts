// A run on a terminal shows the servers of its agents: who is being started, which tool works, how far it is, and what it asks.

import { expect, test } from 'vitest';
import { resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run, start } from './support/command.ts';
import { littleServer } from './support/little-server.ts';
import { startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';

const desk = async (calls: readonly object[], more: object = {}) => {
  const model = await served((request) => {
    const results = resultsIn(request);
    return results.length > 0 ? results.join(' and ') : { calls: calls as never };
  });
  return folderWith({
    'desk.ai': agentFile(['models: local/m', 'tools: little']),
    '.ai-agent.json': { ...localProvider(model.baseUrl), mcpServers: { little: littleServer() }, ...more },
  });
};

test('a tool by its whole name, with how far it is; then Ctrl-C', async () => {
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd: await desk([{ name: 'little__slow', input: {} }]) });
  await terminal.shows(/desk .*turn 1 · little__slow: .*three of nine/);
  expect(terminal.raw()).toContain('starting little…');
  expect(terminal.screen().join('\n')).not.toContain('starting');
  terminal.type('\u0003');
  expect(await terminal.ended).toBe(5);
});

test('a call that stands in a row waits', async () => {
  const config = {
    mcpServers: { little: { ...littleServer(), queue: 'one' } },
    queues: { one: { concurrent: 1 } },
  };
  const child = (name: string) =>
    agentFile(['models: local/m', 'tools: little', `description: ${name}`], `You are ${name}.`);
  const model = await served(({ system, messages }) => {
    if (JSON.stringify(messages).includes('asked to stop')) return 'enough';
    if (system.includes('You are')) return { calls: [{ name: 'little__slow', input: {} }] };
    const calls = ['a', 'b'].map((name) => ({ name: `agent__${name}`, input: { text: 'x', reason: 'r' } }));
    return { calls };
  });
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: local/m', 'agents: a.ai, b.ai']),
    'a.ai': child('a'),
    'b.ai': child('b'),
    '.ai-agent.json': { ...localProvider(model.baseUrl), ...config },
  });
  const terminal = startInTerminal(['lead.ai', 'hello'], { cwd });
  await terminal.shows(/little__slow: .*three of nine/);
  await terminal.shows(/● [ab]\[1\] .*little__slow waits for its turn/);
  terminal.type('\u0003');
  expect(await terminal.ended).toBe(5);
});

test('what it asks in the middle of a call is asked like any question, and the answer reaches it', async () => {
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd: await desk([{ name: 'little__ask', input: {} }]) });
  await terminal.shows(/desk asks:\n {2}The server little asks: Who are you\?\n {2}name, Name\n> *$/);
  terminal.type('Anna\r');
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().join('\n')).toMatch(/heard .*"action":"accept".*"name":"Anna"/);
});

test('what it asked is taken back when it is gone, and the run goes on', async () => {
  let letGo = () => {};
  const until = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const model = await served((request) => {
    const [result] = resultsIn(request);
    if (result !== undefined) return { text: result, until };
    return { calls: [{ name: 'little__ask', input: { text: 'and leave' } }] };
  });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'tools: little']),
    '.ai-agent.json': { ...localProvider(model.baseUrl), mcpServers: { little: littleServer() } },
  });
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
  await terminal.shows(/Who are you\?\n {2}name, Name\n> *$/);
  await terminal.shows(/desk .* turn 2 · thinking/);
  letGo();
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().join('\n')).toMatch(/The server little ended/);
});

test('where nobody sits nobody is asked, and the tool has its answer at once', async () => {
  const { code, stdout } = await run(['desk.ai', '-q', 'hello'], {
    cwd: await desk([{ name: 'little__ask', input: {} }]),
  });
  expect([code, stdout]).not.toContain('accept');
});

test('with --verbose how far a tool is stands in lines', async () => {
  const cwd = await desk([{ name: 'little__slow', input: {} }]);
  const { child, ended } = start(['desk.ai', '-v', 'hello'], { cwd });
  const isTold = new Promise<void>((resolve) => {
    child.stderr?.on('data', (text: Buffer) => {
      if (/debug tool little__slow: .*three of nine/.test(String(text))) resolve();
    });
  });
  await isTold;
  child.kill('SIGTERM');
  expect((await ended).code).toBe(130);
});

test('in a pipe a line says the whole name of a tool', async () => {
  const cwd = await desk([{ name: 'little__echo', input: { text: 'moin' } }]);
  expect((await run(['desk.ai', 'hello'], { cwd })).stderr).toMatch(/ info tool little__echo took \d+ ms/);
});
