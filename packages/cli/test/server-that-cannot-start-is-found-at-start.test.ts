// A server of a sub-agent that cannot start on this machine is an error before anything runs: for check, run, serve and --dry-run.

import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';
import { littleServer } from './support/little-server.ts';

const team = (mcpServers: object) => ({
  'lead.ai': agentFile([
    'description: Leads.',
    'usage: x',
    'models: offline/demo',
    'output: { format: text }',
    'agents: team/kid.ai',
  ]),
  'team/kid.ai': agentFile([
    'description: Helps.',
    'usage: x',
    'models: offline/demo',
    'output: { format: text }',
    'tools: github',
  ]),
  '.ai-agent.json': { mcpServers },
});

const missing = { github: { command: 'no-such-command-anywhere', args: ['--token', 'geheim-0815'] } };

test.each([
  ['check', ['check', 'lead.ai']],
  ['a run', ['run', 'lead.ai', 'Go']],
  ['a dry run', ['lead.ai', '--dry-run']],
  ['serve', ['serve', 'lead.ai', '--port', '0']],
])('%s refuses, and names agent, server, command and remedy', async (_, args) => {
  const cwd = await folderWith(team(missing));
  const { code, stdout, stderr } = await run(args, { cwd });
  expect(code).toBe(1);
  const said = `${stdout}${stderr}`;
  const [line, ...others] = said.split('\n').filter((one) => one.includes('error:'));
  expect(others).toEqual([]);
  expect(line).toMatch(/^team\/kid\.ai:6: error: tools: the server github of the agent kid cannot be started: /);
  expect(line).toContain('the command "no-such-command-anywhere" was not found in its PATH');
  expect(said).toMatch(
    /^What to do: Install it, or correct command of mcpServers\.github\. .* It is set up in \.ai-agent\.json\.$/m,
  );
  expect(said).not.toContain('geheim');
});

test.each([
  ['a missing folder', { command: 'node', cwd: 'gone' }, /its folder ".*\/gone" does not exist/],
  ['a folder that is a file', { command: 'node', cwd: 'lead.ai' }, /its folder ".*\/lead\.ai" is not a folder/],
  ['a missing program file', { command: './bin/server' }, /the command ".\/bin\/server" was not found in ".*"/],
  ['a program that may not be run', { command: './lead.ai' }, /the command ".\/lead\.ai" may not be run/],
  [
    'a missing script',
    { command: 'node', args: ['server/main.mjs'] },
    /the file "server\/main\.mjs" was not found in ".*"/,
  ],
  [
    'a missing script in its folder',
    { command: ['node', 'x.js'], cwd: 'team' },
    /the file "x\.js" was not found in ".*\/team"/,
  ],
  ['a PATH of its own', { command: 'node', env: { PATH: '/nowhere' } }, /the command "node" was not found in its PATH/],
])('%s is found', async (_, github, message) => {
  const { code, stdout } = await run(['check', 'lead.ai'], { cwd: await folderWith(team({ github })) });
  expect([code, stdout]).toEqual([1, expect.stringMatching(message)]);
});

test('servers that can start pass, whatever they would say then, and none is started', async () => {
  const cwd = await folderWith({
    ...team({
      github: { command: `\${TOOL}`, env: { PATH: `\${BINS}` }, args: ['started'] },
      little: littleServer('broken'),
      inline: { command: 'node', args: ['-e', '1', 'gone.mjs'] },
      // bash searches PATH for a script that is not in its folder.
      script: { command: 'bash', args: ['in-path.sh'] },
      far: { url: 'http://127.0.0.1:1/mcp' },
      off: { command: 'no-such-command-anywhere', enabled: false },
      unused: { command: 'no-such-command-anywhere' },
    }),
    'team/kid.ai': agentFile([
      'description: Helps.',
      'models: offline/demo',
      'tools: [github, little, inline, script, far, "off"]',
    ]),
    'bin/.keep': '',
  });
  writeFileSync(join(cwd, 'bin/tool'), '#!/bin/sh\ntouch "$0.$1"\n');
  chmodSync(join(cwd, 'bin/tool'), 0o755);
  const { code, stdout } = await run(['check', 'lead.ai'], { cwd, env: { TOOL: 'tool', BINS: join(cwd, 'bin') } });
  expect(stdout).not.toContain('cannot be started');
  expect(code).toBe(0);
  expect((await run(['lead.ai', '--dry-run'], { cwd, env: { TOOL: 'tool', BINS: join(cwd, 'bin') } })).code).toBe(0);
  const { existsSync } = await import('node:fs');
  expect(existsSync(join(cwd, 'bin/tool.started'))).toBe(false);
});

test('tools still lists what the other servers offer', async () => {
  const cwd = await folderWith({
    ...team({ ...missing, little: littleServer() }),
    'team/kid.ai': agentFile(['description: Helps.', 'models: offline/demo', 'tools: [github, little]']),
  });
  const { stdout } = await run(['tools', 'team/kid.ai'], { cwd });
  expect(stdout).toContain('little__echo');
  expect(stdout).toContain('server github could not be asked');
});
