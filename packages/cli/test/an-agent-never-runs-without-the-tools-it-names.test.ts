// The promise: a tool that a file names is there, or nothing runs; a tool that it takes away is away, by whichever of its names;
// a server that is switched off is said, however that is written.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';

const telling = { command: process.execPath, args: [join(import.meta.dirname, 'support/telling-server.mjs')] };

async function desk(tools: string, more: object = {}) {
  return folderWith({
    'desk.ai': agentFile(['models: offline/demo', `tools: ${tools}`]),
    '.ai-agent.json': { mcpServers: { gh: { ...telling, ...more } } },
  });
}

test.each([
  ['gh__tel', 'mcpServers.gh offers no gh__tel, which the agent names in tools; did you mean gh__tell?'],
  ['[gh__tell, gh__repo.remove]', 'mcpServers.gh offers no gh__repo.remove, which the agent names in tools'],
])('%s', async (tools, message) => {
  const { code, stdout, stderr } = await run(['desk.ai', '-q', 'Go.'], { cwd: await desk(tools) });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(`failed (config): ${message}`);
  expect(stderr).toContain('ai-agent tools <file> lists it');
});

test.each([
  ['gh', ['gh__tell', 'gh__repo_delete']],
  ['gh__repo.delete', ['gh__repo_delete']],
  ['gh__repo_delete', ['gh__repo_delete']],
  ['[gh, "!gh__repo.delete"]', ['gh__tell']],
  ['[gh, "!gh__repo_delete"]', ['gh__tell']],
  ['[gh, "!gh__repo.d*"]', ['gh__tell']],
  ['["gh__*", "!gh__*_delete"]', ['gh__tell']],
])('%s offers %j', async (tools, offered) => {
  const { code, stdout } = await run(['tools', 'desk.ai', '--json'], { cwd: await desk(tools) });
  expect(code).toBe(0);
  expect(JSON.parse(stdout).tools.map(({ name }: { name: string }) => name)).toEqual(offered);
});

test.each(['repo.delete', 'gh__repo.delete', 'gh__repo_delete', 'GH__REPO_*'])('toolsDenied: %s', async (denied) => {
  const { stdout } = await run(['tools', 'desk.ai', '--json'], { cwd: await desk('gh', { toolsDenied: [denied] }) });
  expect(JSON.parse(stdout).tools.map(({ name }: { name: string }) => name)).toEqual(['gh__tell']);
});

test.each([false, 'no', 'off', 0, `$\{GH_ENABLED}`])('enabled: %j', async (enabled) => {
  const cwd = await desk('gh', { enabled });
  const { code, stdout } = await run(['check', 'desk.ai'], { cwd, env: { GH_ENABLED: 'false' } });
  expect([code, stdout]).toEqual([0, expect.stringContaining('gh is switched off (enabled: false)')]);
});
