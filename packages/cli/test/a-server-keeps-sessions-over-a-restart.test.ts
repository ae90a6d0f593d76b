// The promise: what a server has answered is there when it is started again, and a run that it left behind says so.

import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { storeIn } from './support/kept.ts';
import { served } from './support/served.ts';
import { serving } from './support/serving.ts';

test('sessions are in the store, for the server and for whoever runs it, and belong to whom they belonged', async () => {
  const model = await served(() => 'Good day.');
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const first = await serving(['serve', 'desk.ai', '--port', '0'], { cwd });
  expect(JSON.parse(first.stdout())).toMatchObject({ store: storeIn(cwd) });
  await first.get('/v1/desk?q=hello');
  await run(['desk.ai', 'at the terminal'], { cwd });
  const { sessions } = JSON.parse((await first.get('/v1/sessions')).text);
  expect(sessions).toHaveLength(1);
  first.child.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  const second = await serving(['serve', 'desk.ai', '--port', '0'], { cwd });
  const again = JSON.parse((await second.get(`/v1/sessions/${sessions[0].id}`)).text);
  expect(again).toMatchObject({ status: 'completed', text: 'Good day.' });
  // Those of the terminal are nobody's here.
  expect(JSON.parse((await second.get('/v1/sessions')).text).sessions).toHaveLength(1);
  const listed = JSON.parse((await run(['sessions', 'list', '--json'], { cwd })).stdout).sessions;
  expect(listed.map(({ headend }: { headend: string }) => headend)).toEqual(['terminal', 'rest']);
});

test('killed in the middle of a run: interrupted', async () => {
  const model = await served(() => ({ until: new Promise<never>(() => {}) }));
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const server = await serving(['serve', 'desk.ai', '--port', '0'], { cwd });
  void server.get('/v1/desk?q=hello').catch(() => {});
  await expect.poll(() => model.inFlight).toBe(1);
  await expect.poll(async () => (await run(['sessions', 'list'], { cwd })).stdout).toContain('running');
  server.child.kill('SIGKILL');
  await server.ended;
  expect((await run(['sessions', 'list'], { cwd })).stdout).toContain('interrupted');
  // A call that began, and whose end nobody knows, is none that cost nothing.
  const again = await serving(['serve', 'desk.ai', '--port', '0'], { cwd });
  const [{ id, usage }] = JSON.parse((await again.get('/v1/sessions')).text).sessions;
  const unknown = { modelCalls: 1, costUsd: 0, unknownCostCalls: 1, unknownUsageCalls: 1 };
  expect(usage).toMatchObject(unknown);
  const document = JSON.parse((await again.get(`/v1/sessions/${id}`)).text);
  expect(document).toMatchObject({ status: 'interrupted', usage: unknown, ledger: { total: unknown } });
  expect(document.failure.message).toContain('text that was being written is not');
});

test('--no-store keeps them in memory, and says so', async () => {
  const model = await served(() => 'Good day.');
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const server = await serving(['serve', 'desk.ai', '--port', '0', '--no-store'], { cwd });
  await server.get('/v1/desk?q=hello');
  expect(JSON.parse((await server.get('/v1/sessions')).text).sessions).toHaveLength(1);
  expect((await run(['sessions', 'list'], { cwd })).stderr).toContain('No session is kept');
});
