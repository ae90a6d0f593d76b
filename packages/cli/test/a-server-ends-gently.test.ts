// The promise: on SIGTERM or Ctrl-C no new runs begin, those that run have their time, then they are cancelled; and it ends.

import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider } from './support/command.ts';
import { startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';
import { serving } from './support/serving.ts';

async function aDesk(script: Parameters<typeof served>[0], args: readonly string[] = [], more = {}) {
  const model = await served(script);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
    ...more,
  });
  const server = await serving(['serve', 'desk.ai', '--port', '0', ...args], { cwd });
  return { model, server, cwd };
}

const slow = { latencyMs: 30_000, text: 'too late' };

test('a run that ends within the grace is answered; meanwhile others are turned away, and exit is 0', async () => {
  const { model, server } = await aDesk([{ latencyMs: 1_500, text: 'in time' }, 'never']);
  const waiting = server.get('/v1/desk?q=hello');
  await expect.poll(() => model.inFlight).toBe(1);
  server.child.kill('SIGTERM');
  await expect.poll(server.stderr).toContain('Stopping: 1 run gets up to 30 s. Ctrl-C again cancels it.');
  const [ready, health, refused] = await Promise.all([
    server.get('/ready'),
    server.get('/health'),
    server.get('/v1/desk?q=more'),
  ]);
  expect([ready.status, health.status, refused.status]).toEqual([503, 200, 503]);
  expect(JSON.parse(refused.text).error.code).toBe('server-stopping');
  expect([refused.headers.get('connection'), refused.headers.get('retry-after')]).toEqual(['close', '5']);
  expect(await waiting).toMatchObject({ status: 200, text: 'in time' });
  expect(await server.ended).toBe(0);
  expect(model.requests).toHaveLength(1);
});

test('a run that takes longer is cancelled, down to the request of the model; those that waited are turned away', async () => {
  const { model, server } = await aDesk(() => slow, ['--grace', '300ms', '--concurrency', '1']);
  const replies = [server.get('/v1/desk?q=one'), server.get('/v1/desk?q=two')];
  await expect.poll(() => model.inFlight).toBe(1);
  await expect.poll(async () => (await server.get('/health')).status).toBe(200);
  server.child.kill('SIGTERM');
  const ended = await Promise.all(replies);
  expect(ended.map(({ status }) => status)).toEqual([503, 503]);
  expect(await server.ended).toBe(0);
  await expect.poll(() => [model.inFlight, model.aborted]).toEqual([0, 1]);
  expect(model.requests).toHaveLength(1);
  const runs = server.log().filter(({ event }) => event === 'run');
  expect(runs.map(({ agent, status, code }) => [agent, status, code])).toEqual([
    ['desk', 'failed', 'server-stopping'],
    ['desk', 'cancelled', runs[1]?.code],
  ]);
});

test('a grace of longer than a timer can be is no short one', async () => {
  const { model, server } = await aDesk([{ latencyMs: 1_500, text: 'in time' }], ['--grace', '30d']);
  const waiting = server.get('/v1/desk?q=hello');
  await expect.poll(() => model.inFlight).toBe(1);
  server.child.kill('SIGTERM');
  expect(await waiting).toMatchObject({ status: 200, text: 'in time' });
  expect(await server.ended).toBe(0);
  expect(server.stderr()).not.toMatch(/Left behind|Warning/);
});

test('a second SIGTERM cancels at once, and exit is 0 too', async () => {
  const { model, server } = await aDesk(() => slow);
  const reply = server.get('/v1/desk?q=hello').catch(() => undefined);
  await expect.poll(() => model.inFlight).toBe(1);
  server.child.kill('SIGTERM');
  await expect.poll(server.stderr).toContain('Stopping:');
  // The same signal within a moment counts once.
  await new Promise((resolve) => setTimeout(resolve, 100));
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  await reply;
  await expect.poll(() => model.aborted).toBe(1);
});

test('Ctrl-C stops it, a second one cancels: exit 130; where nothing runs, one is enough: exit 0', async () => {
  const model = await served(() => slow);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const idle = startInTerminal(['serve', 'desk.ai', '--port', '0'], { cwd });
  const busy = startInTerminal(['serve', 'desk.ai', '--port', '0'], { cwd });
  await Promise.all([idle.shows('Ctrl-C stops it'), busy.shows('Ctrl-C stops it')]);
  idle.type('\u0003');
  expect(await idle.ended).toBe(0);
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(busy.history().join('\n'))?.[0];
  const reply = fetch(`${url}/v1/desk?q=hello`).catch(() => undefined);
  await expect.poll(() => model.inFlight).toBe(1);
  busy.type('\u0003');
  await busy.shows('Stopping: 1 run gets up to 30 s');
  await new Promise((resolve) => setTimeout(resolve, 100));
  busy.type('\u0003');
  expect(await busy.ended).toBe(130);
  await reply;
  await expect.poll(() => model.aborted).toBe(1);
});

test('followers of a session hear its end before the server is gone', async () => {
  const { model, server } = await aDesk(() => slow, ['--grace', '300ms']);
  const body = JSON.stringify({ agent: 'desk', input: 'hello' });
  const headers = { 'content-type': 'application/json' };
  const created = await server.get('/v1/sessions', { method: 'POST', body, headers });
  expect(created.status).toBe(201);
  const { id } = JSON.parse(created.text);
  await expect.poll(() => model.inFlight).toBe(1);
  const events = server.get(`/v1/sessions/${id}/events`);
  await expect.poll(async () => (await server.get(`/v1/sessions/${id}`)).status).toBe(200);
  server.child.kill('SIGTERM');
  expect((await events).text).toContain('session-end');
  expect(await server.ended).toBe(0);
});

test('a plugin works when the reply is out, its failure is told, and one that hangs does not keep the process', async () => {
  const plugin = (body: string) => `export default {
  name: 'p',
  getRequirements: () => ({ schema: {}, systemPromptInstructions: 'Say anything.' }),
  onComplete: async () => { ${body} },
};`;
  const model = await served(() => 'Done. <ai-agent-META plugin="p">1</ai-agent-META>');
  const cwd = await folderWith({
    'bad.ai': agentFile(['models: local/m', 'plugins: [bad.mjs]']),
    'bad.mjs': plugin("Promise.reject(new Error('out of paper')); throw new Error('out of ink');"),
    'hung.ai': agentFile(['models: local/m', 'plugins: [hung.mjs]']),
    'hung.mjs': plugin('setInterval(() => {}, 1000); await new Promise(() => {});'),
    '.ai-agent.json': localProvider(model.baseUrl),
  });
  const server = await serving(['serve', 'bad.ai', 'hung.ai', '--port', '0', '--grace', '500ms'], { cwd });
  expect((await server.get('/v1/bad?q=a')).text).toBe('Done.');
  expect((await server.get('/v1/hung?q=b')).text).toBe('Done.');
  await expect.poll(server.stderr).toContain('out of ink');
  // Also what nobody waited for is a line of the log.
  expect(server.log().filter(({ message }) => /out of (ink|paper)/.test(String(message)))).toHaveLength(2);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(server.stderr()).toContain('hung is not done, and is not waited for any longer');
});
