// One text file is an agent: run by its name, by the word run, or as a program of its own.

import { chmod } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { promptIn } from './support/calls.ts';
import { agentFile, command, folderWith, localProvider, path, run } from './support/command.ts';
import { served } from './support/served.ts';

const shebang = '#!/usr/bin/env ai-agent\n';
/** As npm puts it there. */
const withCommand = { PATH: [dirname(command), path].join(delimiter) };

const team = async (files: Readonly<Record<string, string>>) => {
  const model = await served((request) => `${request.system.split('\n')[0]}|${promptIn(request)}`);
  return folderWith({ ...files, '.ai-agent.json': localProvider(model.baseUrl) });
};

test('./x.ai "hello" runs it, with flags, from a pipe, and from another folder', async () => {
  const cwd = await team({
    'x.ai': `${shebang}${agentFile(['models: local/m'], 'I am x.')}`,
    'bin/y z.ai': `${shebang}${agentFile(['models: offline/demo'], 'I am y.')}`,
  });
  await chmod(join(cwd, 'x.ai'), 0o755);
  await chmod(join(cwd, 'bin/y z.ai'), 0o755);
  const start = { cwd, env: withCommand };
  expect(await run(['hello', '-q'], { ...start, program: './x.ai' })).toEqual({
    code: 0,
    stdout: 'I am x.|hello\n',
    stderr: '',
  });
  expect((await run(['-q'], { ...start, program: './x.ai', input: 'piped' })).stdout).toBe('I am x.|piped\n');
  expect((await run(['--help'], { ...start, program: './x.ai' })).stdout).toMatch(/^DESCRIPTION\n/);
  const other = await run(['-q', 'hello'], { ...start, program: join(cwd, 'bin/y z.ai') });
  expect([other.code, other.stdout]).toEqual([0, expect.stringContaining('I am y.')]);
});

test.each([
  [
    'with the ends of lines of Windows',
    `${shebang}${agentFile(['models: local/m'], 'I am x.')}`.replaceAll('\n', '\r\n'),
  ],
  ['without a last newline', `${shebang}---\nmodels: local/m\n---\nI am x.`],
  ['with a byte order mark', `\uFEFF${agentFile(['models: local/m'], 'I am x.')}`],
])('a file %s is the same agent', async (_, text) => {
  const cwd = await team({ 'x.ai': text });
  expect(await run(['x.ai', '-q', 'hello'], { cwd })).toEqual({ code: 0, stdout: 'I am x.|hello\n', stderr: '' });
});

test('a closing line without a newline ends the frontmatter too', async () => {
  const cwd = await team({ 'x.ai': '---\r\nmodels: local/m\r\n---' });
  const { code, stdout, stderr } = await run(['x.ai', 'hello'], { cwd });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\|hello\n$/)]);
  expect(stderr).toMatch(/^x\.ai: warning: there is no prompt below the frontmatter\n/);
  expect((await run(['x.ai', '-q', 'hello'], { cwd })).stderr).toBe('');
});

test('no frontmatter at all: the text is the prompt, the model is a flag', async () => {
  const cwd = await team({ 'x.ai': 'I am x.', 'y.md': 'I am y.' });
  for (const [file, answer] of [
    ['x.ai', 'I am x.|hello\n'],
    ['y.md', 'I am y.|hello\n'],
  ] as const)
    expect(await run(['run', file, '--models', 'local/m', '-q', 'hello'], { cwd })).toMatchObject({
      code: 0,
      stdout: answer,
    });
});
