// The promise: a server says where it is found and what of its set-up does nothing; and who was refused, why, and by which key.

import { writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { hashOf } from '@ai-agent/server';
import { expect, test } from 'vitest';
import { agentFile, folderWith, run, start } from './support/command.ts';
import { serving } from './support/serving.ts';

const secret = 'aia_0123456789abcdef0123456789abcdef';
const offline = 'models: offline/demo';

/** Its stderr up to where it says how to stop, and then it is stopped. */
async function saidAtStart(args: readonly string[], files: Readonly<Record<string, string | object>>) {
  const cwd = await folderWith(files);
  const { child, ended } = start(['serve', '--port', '0', ...args], { cwd });
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  await expect.poll(() => said, { timeout: 10_000 }).toContain('Ctrl-C stops it');
  child.kill('SIGTERM');
  await ended;
  return said;
}

/** The status, for a request to this host. */
function statusAs(host: string, port: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asking = request({ host: '127.0.0.1', port, path: '/v1', headers: { host }, agent: false }, (reply) => {
      reply.resume().once('end', () => resolve(reply.statusCode));
    });
    asking.once('error', reject).end();
  });
}

test('one that listens everywhere names addresses that can be used', async () => {
  const said = await saidAtStart(['--host', '0.0.0.0', '--open'], { 'desk.ai': agentFile([offline]) });
  const [, port] = /Serving 1 agent on http:\/\/127\.0\.0\.1:(\d+)\n/.exec(said) ?? [];
  expect(said).toContain(`Other machines may find it at http://${hostname()}:${port}`);
  expect(said).not.toContain('0.0.0.0');
  expect(said).not.toContain('--open changes nothing');
});

test('it is known by the names of its machine, and by those that are allowed', async () => {
  const cwd = await folderWith({ 'desk.ai': agentFile([offline]) });
  const names = ['--allow-host', 'desk.example', '--allow-host', 'Agents.Example'];
  const { port } = await serving(['serve', '--port', '0', '--host', '0.0.0.0', '--open', ...names], { cwd });
  for (const host of [hostname(), `${hostname()}:${port}`, 'desk.example:80', 'agents.example'])
    expect([host, await statusAs(host, port)]).toEqual([host, 200]);
  expect(await statusAs('evil.example', port)).toBe(403);
});

test('--open that changes nothing says so', async () => {
  const files = { 'desk.ai': agentFile([offline]) };
  expect(await saidAtStart(['--open'], files)).toContain('--open changes nothing: it listens on this machine alone.');
  const keys = { '.ai-agent.json': { api: { keys: { website: { hash: hashOf(secret) } } } } };
  expect(await saidAtStart(['--open'], { ...files, ...keys })).toContain('--open changes nothing: there are keys');
});

test('a team that overlaps is told once what it runs on', async () => {
  const files = {
    'a.ai': agentFile(['agents: [b.ai, c.ai]']),
    'b.ai': agentFile(['description: B', 'agents: c.ai']),
    'c.ai': agentFile(['description: C']),
  };
  const said = await saidAtStart(['a.ai', 'b.ai', 'c.ai'], files);
  expect(said.match(/names? no model/g)).toHaveLength(1);
  expect(said).toContain('a.ai and 2 others name no model: they run on offline/demo');
});

test('agents of a key that nobody has are told of, at the start and when files change', async () => {
  const api = { keys: { website: { hash: hashOf(secret), agents: ['desk', 'suport.*'] } } };
  const cwd = await folderWith({ 'desk.ai': agentFile([offline]), '.ai-agent.json': { api } });
  const server = await serving(['serve', '--port', '0', '--watch'], { cwd });
  const first = 'Warning: no agent that is served fits suport.*, which the key website may call.';
  await expect.poll(server.stderr).toContain(first);
  await writeFile(join(cwd, 'desk.ai'), agentFile([offline, 'toolName: front']));
  const second = 'no agent that is served fits desk, suport.*, which the key website may call; it can call none.';
  await expect.poll(server.stderr, { timeout: 5_000 }).toContain(second);
});

test('--verbose says of each refusal its code, and its key where that is known', async () => {
  const api = { keys: { website: { hash: hashOf(secret), agents: ['desk'], requestsPerMinute: 1 } } };
  const cwd = await folderWith({ 'desk.ai': agentFile([offline]), '.ai-agent.json': { api } });
  const server = await serving(['serve', '--port', '0', '--verbose'], { cwd });
  const headers = { 'x-api-key': secret };
  await server.get('/v1/desk?q=hi', { headers });
  for (const route of ['/v1/desk?q=hi', '/v1/other?q=hi', '/nothing']) await server.get(route, { headers });
  await server.get('/v1/desk?q=hi');
  const refused = () => server.log().flatMap(({ event, ...one }) => (event === 'refused' ? [one] : []));
  await expect.poll(refused).toMatchObject([
    { message: 'GET /v1/desk 429 too-many-requests key=website', code: 'too-many-requests', key: 'website' },
    { message: 'GET /v1/other 403 agent-forbidden key=website', code: 'agent-forbidden', key: 'website' },
    { message: 'GET /nothing 404 route-unknown key=website', code: 'route-unknown' },
    { message: 'GET /v1/desk 401 key-refused', code: 'key-refused', key: null },
  ]);
  expect(server.stderr()).not.toContain(secret);
});

test('keys that are spelt wrong, or that lie above, stop it with what to do', async () => {
  const keys = { website: { hash: hashOf(secret) } };
  const cwd = await folderWith({
    'a/desk.ai': agentFile([offline]),
    'a/.ai-agent.json': { api: { kyes: keys } },
    'b/desk.ai': agentFile([offline]),
    'b/.ai-agent.json': { Api: { keys } },
    'top/.ai-agent.json': { api: { keys } },
    'top/team/inner/desk.ai': agentFile([offline]),
    'top/team/.ai-agent.json': {},
  });
  const serve = (entry: string) => run(['serve', entry, '--port', '0'], { cwd });
  const [wrong, capital, above] = await Promise.all([serve('a'), serve('b'), serve('top/team/inner')]);
  expect([wrong.code, capital.code, above.code]).toEqual([1, 1, 1]);
  expect(wrong.stderr).toMatch(/error: api\.kyes: is not known; did you mean keys\?/);
  expect(capital.stderr).toMatch(/^b\/\.ai-agent\.json:2: error: Api: is not known; did you mean api\?\nfailed/);
  expect(above.stderr).toMatch(/^top\/\.ai-agent\.json:2: error: api: has keys that would not hold/);
  expect(above.stderr).toContain(`say --config ${join(cwd, 'top/.ai-agent.json')}.`);
});
