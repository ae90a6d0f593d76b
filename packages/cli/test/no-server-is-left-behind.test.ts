// However the command ends, the servers that it started end with it: also those that do not want to.

import { expect, test } from 'vitest';
import { agentFile, command, folderWith, localProvider, run, start } from './support/command.ts';
import { littleServer, processesWith } from './support/little-server.ts';
import { startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';

let count = 0;

/** An agent that calls this tool of its server, which can be known by its mark. */
const desk = async (tool: string, ...how: readonly string[]) => {
  const mark = `little-${process.pid}-${count++}`;
  const model = await served(({ messages }) => {
    if (JSON.stringify(messages).includes('asked to stop')) return 'what I have';
    return messages.length === 1 ? { calls: [{ name: tool, input: { text: 'hi' } }] } : 'done';
  });
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m', 'tools: little']),
    '.ai-agent.json': { ...localProvider(model.baseUrl), mcpServers: { little: littleServer(mark, ...how) } },
  });
  const isGone = () => expect.poll(() => processesWith(mark), { timeout: 5_000 }).toBe(0);
  const isThere = () => expect.poll(() => processesWith(mark), { timeout: 10_000 }).toBe(1);
  return { cwd, mark, model, isThere, isGone };
};

/** Until the server works on the call. */
const atWork = ({ model }: { readonly model: { readonly requests: readonly unknown[]; readonly inFlight: number } }) =>
  expect.poll(() => [model.requests.length, model.inFlight], { timeout: 10_000 }).toEqual([1, 0]);

test.each([['plain'], ['stubborn']])('after success, of a %s server', async (...how) => {
  const { cwd, mark } = await desk('little__echo', ...how);
  const { code, stdout } = await run(['desk.ai', '-q', 'hello'], { cwd });
  expect([code, stdout]).toEqual([0, 'done\n']);
  expect(processesWith(mark)).toBe(0);
});

test.each([
  ['SIGTERM', [], 130],
  ['SIGHUP', [], 130],
  ['SIGTERM', ['stubborn'], 130],
  ['SIGINT', [], 5],
] as const)('after %s %j in the middle of a call', async (signal, how, code) => {
  const made = await desk('little__slow', ...how);
  const { child, ended } = start(['desk.ai', '-q', 'hello'], made);
  await made.isThere();
  await atWork(made);
  child.kill(signal);
  expect((await ended).code).toBe(code);
  await made.isGone();
});

test('after a second Ctrl-C on a terminal', async () => {
  const made = await desk('little__slow', 'stubborn');
  const terminal = startInTerminal(['desk.ai', 'hello'], made);
  await terminal.shows(/little__slow: .*three of nine/);
  terminal.type('\u0003');
  await new Promise((resolve) => setTimeout(resolve, 120));
  terminal.type('\u0003');
  expect([5, 130]).toContain(await terminal.ended);
  await made.isGone();
});

test.each([
  [['desk.ai', 'hello'], 'SIGINT'],
  [['desk.ai', 'hello'], 'SIGTERM'],
  [['tools', 'desk.ai'], 'SIGINT'],
  [['check', 'desk.ai', '--connect'], 'SIGTERM'],
] as const)('of %j after %s while it is being started', async (args, signal) => {
  const made = await desk('little__echo', 'mute');
  const { child, ended } = start(args, made);
  await made.isThere();
  child.kill(signal);
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([130, expect.stringContaining(`cancelled): Interrupted by ${signal}.`)]);
  await made.isGone();
});

test('after a server that could not be started beside one that could', async () => {
  const made = await desk('little__echo');
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: offline/demo', 'tools: little, broken']),
    '.ai-agent.json': { mcpServers: { little: littleServer(made.mark), broken: littleServer(made.mark, 'broken') } },
  });
  const { code, stderr } = await run(['desk.ai', 'hello'], { cwd });
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringContaining('little server: no database')]);
  expect(code).not.toBe(0);
  expect(processesWith(made.mark)).toBe(0);
});

test('after nobody reads the answer any more', async () => {
  const made = await desk('little__echo');
  await run(['-c', `'${command}' desk.ai --events hello | head -1`], { cwd: made.cwd, program: '/bin/sh' });
  await made.isGone();
});

test.each([
  ['tools', 'desk.ai'],
  ['check', 'desk.ai', '--connect'],
])('after %s %s', async (...args) => {
  const { cwd, mark } = await desk('little__echo', 'stubborn');
  await run(args, { cwd });
  expect(processesWith(mark)).toBe(0);
});
