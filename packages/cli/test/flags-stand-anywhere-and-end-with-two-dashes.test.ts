// The words of a command line: flags before, after and between those of the prompt, and nothing guessed.

import { expect, test } from 'vitest';
import { promptIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';

const deskAnd = async (files: Readonly<Record<string, string>> = {}) => {
  const model = await served((request) => promptIn(request));
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
    ...files,
  });
  return { model, cwd, run: (...args: readonly string[]) => run(args, { cwd }) };
};

test.each([
  ['before the file', ['--temperature', '0.7', '-q', 'desk.ai', 'good', 'morning']],
  ['between', ['desk.ai', '--quiet', 'good', '--temperature', '0.7', 'morning']],
  ['after the prompt, with =', ['desk.ai', 'good morning', '-q', '--temperature=0.7']],
  ['after the word run', ['run', '--quiet', 'desk.ai', 'good morning', '--temperature=0.7']],
  ['twice: the last holds', ['desk.ai', '-q', '--temperature=0.1', 'good', 'morning', '--temperature=0.7']],
])('flags %s', async (_, args) => {
  const desk = await deskAnd();
  expect(await desk.run(...args)).toEqual({ code: 0, stdout: 'good morning\n', stderr: '' });
  expect(desk.model.requests[0]?.settings).toMatchObject({ temperature: 0.7 });
});

test('a value may have an equals sign, a space, or a dash in front', async () => {
  const desk = await deskAnd({ 'a b=c.json': '{"defaults": {"temperature": 0.9}}' });
  expect((await desk.run('--config', 'no.json', '--config=a b=c.json', 'desk.ai', '-q', 'hello')).stdout).toBe(
    'hello\n',
  );
  expect(desk.model.requests[0]?.settings).toMatchObject({ temperature: 0.9 });
  const negative = await desk.run('desk.ai', 'hello', '--temperature', '-1');
  expect(negative).toMatchObject({ code: 4, stdout: '' });
  expect(negative.stderr).toMatch(/--temperature: found "-1"; must be .*0.*2/);
});

test('-- ends the flags: what follows is the prompt, dashes, @ and all', async () => {
  const desk = await deskAnd();
  const { stdout } = await desk.run('desk.ai', '-q', '--', '--help', '-', '@nobody', '--');
  expect(stdout).toBe('--help - @nobody --\n');
});

test('-- may stand before the file too', async () => {
  const desk = await deskAnd();
  expect((await desk.run('-q', '--', 'desk.ai', '--json')).stdout).toBe('--json\n');
});

test('a flag that nobody knows is misuse, and the one that was meant is named', async () => {
  const desk = await deskAnd();
  for (const [flag, meant] of [
    ['--max-turn', '--max-turns'],
    ['--jsno', '--json'],
    ['--temprature=1', '--temperature'],
  ] as const)
    expect(await desk.run('desk.ai', flag, 'hello')).toEqual({
      code: 4,
      stdout: '',
      stderr: expect.stringMatching(
        new RegExp(`^failed \\(usage\\): There is no option ${flag.split('=')[0]}\\..* ${meant}\\?`),
      ),
    });
  expect(desk.model.requests).toHaveLength(0);
});

test.each([
  [['desk.ai', 'hello', '--max-turns'], /--max-turns needs a value/],
  [['desk.ai', 'hello', '--json=yes'], /--json takes no value, and "yes" was given/],
  [['desk.ai', 'hello', '--max-turns', 'few'], /--max-turns: found "few"; must be a whole number/],
  [['desk.ai', 'hello', '--override', 'maxTurn=3'], /maxTurn: cannot be overridden; did you mean maxTurns\?/],
  [['desk.ai', 'hello', '--override', 'maxTurns'], /maxTurns: has no value/],
  [['desk.ai', 'hello', '--json', '--events'], /Choose one of --json and --events/],
  [['check', 'desk.ai', '--max-turns=3'], /check has no option --max-turns/],
  // The word run may be left out.
  [['desk.ai', '--output', 'answer.txt', 'hello'], /run has no option --output/],
  [['desk.ai', '--limit', 'hello'], /run has no option --limit/],
  [['--max-turns', '3'], /Which agent\? Name its file/],
  [['run'], /Which agent\? Name its file/],
  [['.', 'hello'], /\. is a folder; name the file of one agent/],
  [['', 'hello'], /Which agent\? Name its file/],
  [['*.ai', 'hello'], /\*\.ai holds several agents/],
  [['desk.ai', 'hello', '--config', 'no.json'], /--config: there is no configuration .*no\.json/],
])('%j is misuse', async (args, words) => {
  const desk = await deskAnd({ 'other.ai': agentFile(['models: offline/demo']) });
  const { code, stderr } = await desk.run(...args);
  expect(code).toBe(4);
  expect(stderr).toMatch(words);
  expect(stderr).toContain('failed (usage): ');
  expect(desk.model.requests).toHaveLength(0);
});

test('a file that does not exist is never taken for a prompt; what was meant is said', async () => {
  const desk = await deskAnd();
  for (const [args, words] of [
    [['dask.ai', 'hello'], /there is no agent at dask\.ai; did you mean desk\.ai\?/],
    [['say hello'], /there is no agent at say hello/],
    [['folder/desk.ai', 'hello'], /there is no agent at folder\/desk\.ai/],
    [['chek', 'desk.ai'], /There is no file or command chek\. Did you mean check\?/],
    [['dask.ai', '--help'], /did you mean desk\.ai\?/],
  ] as const) {
    const { code, stdout, stderr } = await desk.run(...args);
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(words);
  }
  expect(desk.model.requests).toHaveLength(0);
});

test('behind -- nothing asks for a document', async () => {
  const desk = await deskAnd();
  expect(await desk.run('desk.ai', '--jsno', '--', '--json')).toMatchObject({ code: 4, stdout: '' });
  expect(JSON.parse((await desk.run('desk.ai', '--json', '--jsno')).stdout)).toMatchObject({ status: 'failed' });
});
