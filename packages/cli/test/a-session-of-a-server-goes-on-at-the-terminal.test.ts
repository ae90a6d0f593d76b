// The promise: whoever runs a server goes on at the terminal with its sessions without naming files; clients learn nothing of those.

import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';
import { serving } from './support/serving.ts';

test('the file of its agent is known, as long as it is on this machine', async () => {
  const model = await served(() => 'Good day.');
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const server = await serving(['serve', 'desk.ai', '--port', '0'], { cwd });
  await server.get('/v1/desk?q=hello');
  const list = (await server.get('/v1/sessions')).text;
  const [{ id }] = JSON.parse(list).sessions;
  const document = (await server.get(`/v1/sessions/${id}`)).text;
  const events = (await server.get(`/v1/sessions/${id}/events`)).text;
  for (const told of [list, document, events]) expect(told).not.toContain('desk.ai');
  server.child.kill('SIGTERM');
  await server.ended;
  expect((await run(['sessions', 'show', id], { cwd })).stdout).not.toContain('--agent-file');
  const { code, stdout } = await run(['sessions', 'resume', id, 'And', 'now?'], { cwd });
  expect([code, stdout.trim()]).toEqual([0, 'Good day.']);
  await rename(join(cwd, 'desk.ai'), join(cwd, 'other.ai'));
  const lost = await run(['sessions', 'resume', id, 'And', 'now?'], { cwd });
  expect(lost.stderr).toContain('name the file of desk with --agent-file');
});
