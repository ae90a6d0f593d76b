// Piped in, every line is a message: stdout has the answers and nothing else, and the exit code is that of the last that failed.

import { expect, test } from 'vitest';
import { agentFile, command, run } from './support/command.ts';
import { startInTerminal } from './support/pty.ts';
import { desk, echo } from './support/talk.ts';

test('answers stand below each other with an empty line between', async () => {
  const { cwd } = await desk(echo);
  const { code, stdout, stderr } = await run(['chat', 'desk.ai'], { cwd, input: 'one\n\ntwo\\\nmore\n/cost\n' });
  expect([code, stdout]).toEqual([0, 'heard one\n\nheard one + two\nmore\n']);
  expect(stderr).toMatch(/total +2 /);
});

test('with --quiet stderr is empty', async () => {
  const { cwd } = await desk(echo);
  expect(await run(['chat', 'desk.ai', '-q'], { cwd, input: 'one' })).toEqual({
    code: 0,
    stdout: 'heard one\n',
    stderr: '',
  });
});

test('the exit code is that of the last message that failed, and the others are answered', async () => {
  const { cwd } = await desk((request, call) =>
    call === 2 ? { fail: { code: 'model-auth' } } : `answer ${call}, ${request.messages.length} messages`,
  );
  const { code, stdout, stderr } = await run(['chat', 'desk.ai'], { cwd, input: 'one\ntwo\nthree\n' });
  expect(code).toBe(2);
  expect(stdout).toMatch(/^answer 1, 1 messages\n\nanswer 3, \d messages\n$/);
  expect(stderr).toMatch(/failed \(auth\): .*\nWhat to do: /);
});

test('--json is a document for every line', async () => {
  const { cwd } = await desk((_, call) => (call === 1 ? { fail: { code: 'model-auth' } } : 'fine'));
  const { stdout } = await run(['chat', 'desk.ai', '--json'], { cwd, input: 'one\ntwo\n' });
  const documents = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(documents.map(({ status }) => status)).toEqual(['failed', 'completed']);
});

test('an agent that takes JSON gets JSON: what is none is told, and the next is read', async () => {
  const input = ['models: local/m', 'input:', '  format: json', '  schema: { type: object, required: [city] }'];
  const { cwd, model } = await desk(['sunny'], { 'desk.ai': agentFile(input) });
  const { code, stdout, stderr } = await run(['chat', 'desk.ai'], { cwd, input: 'Paris\n{"city": "Paris"}\n' });
  expect([code, stdout]).toEqual([4, 'sunny\n']);
  expect(stderr).toMatch(/failed \(usage\): The input of desk does not fit: it is not JSON/);
  expect(model.requests).toHaveLength(1);
});

test('a terminal that can only print gets a prompt and answers', async () => {
  const { cwd } = await desk(echo);
  const terminal = startInTerminal(['chat', 'desk.ai'], { cwd, env: { TERM: 'dumb' } });
  await terminal.shows(/desk> *$/);
  terminal.type('one\r');
  await terminal.shows(/heard one\n[\s\S]*desk> *$/);
  terminal.type('\u0004');
  expect(await terminal.ended).toBe(0);
});

test('lines are answered as they come, and a signal ends the talk', async () => {
  const { cwd } = await desk(echo);
  // Who writes does not end with it: the end of the input would come at the same moment.
  const args = ['-c', `trap : INT; (trap '' INT; echo one; sleep 6) | ${command} chat desk.ai -q; echo exit $?`];
  const terminal = startInTerminal(args, { cwd, program: '/bin/sh' });
  // Its last line is ended when the answer is: before that, a signal would stop the answer alone.
  await expect.poll(terminal.raw, { timeout: 10_000, interval: 20 }).toContain('heard one\r\n');
  terminal.type('\u0003');
  await terminal.shows('exit 130');
});

test.each([
  [['chat'], /Which agent\?/],
  [['chat', 'nobody.ai'], /nobody\.ai/],
  [['chat', 'desk.ai', 'hello'], /A talk begins without a prompt/],
  [['chat', 'desk.ai', '--events'], /chat has no option --events/],
  [['chat', 'desk.ai', '--session', 'x', '--continue'], /Choose one of --session and --continue/],
])('%j is refused before anything is asked', async (args, why) => {
  const { cwd, model } = await desk(echo);
  const { code, stdout, stderr } = await run(args, { cwd, input: 'one\n' });
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toMatch(why);
  expect(model.requests).toHaveLength(0);
});
