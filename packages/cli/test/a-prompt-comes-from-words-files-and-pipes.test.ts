// Where the prompt of a run comes from, and that a run without one does not begin.

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { promptIn } from './support/calls.ts';
import { agentFile, command, folderWith, localProvider, path, run } from './support/command.ts';
import { served } from './support/served.ts';

const echo = async () => {
  const model = await served((request) => promptIn(request));
  const cwd = await folderWith({
    'echo.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
    'letter.txt': '\uFEFFDear all,\r\n\r\n\tgood morning.\r\n',
    'below/note.txt': 'a note',
    'blank.txt': ' \n\n',
  });
  const asked = async (args: readonly string[], input?: string) => {
    const { code, stderr } = await run(['echo.ai', '-q', ...args], { cwd, ...(input === undefined ? {} : { input }) });
    const prompt = model.requests.at(-1);
    return { code, stderr, prompt: prompt && promptIn(prompt), count: model.requests.length };
  };
  return { cwd, asked };
};

test.each([
  ['words, as they stand', ['good  morning', 'to', '', 'you  '], undefined, 'good  morning to  you  '],
  ['a pipe', [], 'from a pipe\n', 'from a pipe'],
  ['a dash', ['-'], 'from a dash\n', 'from a dash'],
  ['words and a pipe that is asked for', ['Summarise:', '-', 'in French'], 'text', 'Summarise:\n\ntext\n\nin French'],
  ['a pipe that nobody asks for', ['only words'], 'not this', 'only words'],
  ['a file', ['@letter.txt'], undefined, 'Dear all,\r\n\r\n\tgood morning.'],
  [
    'words and files',
    ['Compare', '@below/note.txt', 'with', '@letter.txt'],
    undefined,
    /^Compare\n\na note\n\nwith\n\nDear/,
  ],
  ['a pipe asked for twice', ['-', 'and again', '-'], 'once', 'once\n\nand again'],
  ['text with an @ in it', ['@anna said hello', 'a@b.example', '@'], undefined, '@anna said hello a@b.example @'],
  ['letters of all kinds', ['naïve 漢字 👩‍👩‍👧', '-'], 'ünï\n', 'naïve 漢字 👩‍👩‍👧\n\nünï'],
  ['what looks like a template', ['{{ nobody }} $HOME {% raw %}'], undefined, '{{ nobody }} $HOME {% raw %}'],
])('%s', async (_, args, input, prompt) => {
  const { asked } = await echo();
  expect(await asked(args, input)).toEqual({
    code: 0,
    stderr: '',
    count: 1,
    prompt: typeof prompt === 'string' ? prompt : expect.stringMatching(prompt),
  });
});

test('a megabyte through a pipe arrives whole', async () => {
  const { asked } = await echo();
  const text = 'word '.repeat(40_000).trim();
  expect(await asked([], text)).toMatchObject({ code: 0, prompt: text });
});

test.each([
  [['@nobody.txt'], /@nobody\.txt cannot be read: .*To say it as text, put -- before it/],
  [['hello', '@below'], /@below cannot be read/],
  [[], /The prompt is empty/],
  [[''], /The prompt is empty/],
  [['  ', '\n'], /The prompt is empty/],
  [['-'], /The prompt is empty/],
  [['@blank.txt'], /The prompt is empty/],
])('%j is misuse, and nobody is asked', async (args, words) => {
  const { asked } = await echo();
  const { code, stderr, count } = await asked(args);
  expect([code, count]).toEqual([4, 0]);
  expect(stderr).toMatch(words);
  expect(stderr).toMatch(/^failed \(usage\): .* See ai-agent echo\.ai --help\.\n$/);
});

test('on a terminal, without a prompt, it says so instead of waiting', async () => {
  const { cwd } = await echo();
  const env = { PATH: path, HOME: join(cwd, 'home') };
  const { code, screen } = await new Promise<{ code: unknown; screen: string }>((resolve) => {
    // script(1) gives it a pseudo-terminal for all three streams.
    execFile('script', ['-qec', `${command} echo.ai`, '/dev/null'], { cwd, env, timeout: 15_000 }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, screen: stripVTControlCharacters(stdout) }),
    ).stdin?.end();
  });
  expect(screen).toContain('There is no prompt: write one after the file, or pipe it in.');
  expect(code).toBe(4);
});
