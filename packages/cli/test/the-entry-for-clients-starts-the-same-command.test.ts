// The promise: the entry that a server on stdio shows for clients starts this very command, from any folder, in one line.

import { spawn } from 'node:child_process';
import { mkdir, realpath, symlink } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished, test } from 'vitest';
import { agentFile, command, folderWith, path } from './support/command.ts';
import { environmentIn } from './support/on-stdio.ts';

interface Entry {
  readonly command: string;
  readonly args: readonly string[];
}

/** What stands on stderr of one that is started so. */
async function entryOf(words: readonly string[], cwd: string, PATH: string): Promise<Entry> {
  const [program = '', ...args] = [...words, 'serve', 'desk.ai', '--mcp', 'stdio'];
  const child = spawn(program, args, { cwd, env: environmentIn({ cwd, env: { PATH } }), stdio: 'pipe' });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  await expect.poll(() => said, { timeout: 10_000 }).toContain('The end of its input stops it.');
  child.stdin.end();
  const [, line = '{}'] = /^For clients of MCP, as in \.mcp\.json: (.*)$/m.exec(said) ?? [];
  return JSON.parse(line).mcpServers.desk;
}

/** The names of its tools, for a client in another folder that starts it by this entry. */
async function toolsBy({ command, args }: Entry, cwd: string, PATH: string): Promise<readonly string[]> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  onTestFinished(() => client.close());
  const env = environmentIn({ cwd, env: { PATH } });
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    cwd: join(cwd, 'home'),
    env,
    stderr: 'ignore',
  });
  await client.connect(transport);
  return (await client.listTools()).tools.map(({ name }) => name);
}

const files = { 'desk.ai': agentFile(['models: offline/demo', 'description: Answers.']) };
const told = (cwd: string) => ['serve', join(cwd, 'desk.ai'), '--mcp', 'stdio'];

test('one that npm runs out of node_modules is named by its whole path', async () => {
  const cwd = await folderWith(files);
  const npmPath = [join(command, '..'), path].join(delimiter);
  const entry = await entryOf(['ai-agent'], cwd, npmPath);
  expect(entry).toEqual({ command, args: told(cwd) });
  expect(await toolsBy(entry, cwd, path)).toEqual(['desk']);
});

test('one that is given to Node is given to it again', async () => {
  const cwd = await folderWith(files);
  const script = await realpath(command);
  const entry = await entryOf([process.execPath, script], cwd, path);
  expect(entry).toEqual({ command: process.execPath, args: [script, ...told(cwd)] });
  expect(await toolsBy(entry, cwd, path)).toEqual(['desk']);
});

test('one that everybody finds is named by its name, and another one of that name is not taken for it', async () => {
  const cwd = await folderWith(files);
  const [here, other] = [join(cwd, 'bin'), join(cwd, 'other')];
  await Promise.all([mkdir(here), mkdir(other)]);
  await symlink(command, join(here, 'ai-agent'));
  await symlink('/bin/echo', join(other, 'ai-agent'));
  const found = [here, path].join(delimiter);
  const entry = await entryOf(['ai-agent'], cwd, found);
  expect(entry).toEqual({ command: 'ai-agent', args: told(cwd) });
  expect(await toolsBy(entry, cwd, found)).toEqual(['desk']);
  const hidden = await entryOf([join(here, 'ai-agent')], cwd, [other, found].join(delimiter));
  expect(hidden.command).toBe(join(here, 'ai-agent'));
});
