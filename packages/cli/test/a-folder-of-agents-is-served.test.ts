// The promise: `ai-agent serve` answers on one port for what it was told to serve, and says why when it cannot.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { promptIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run, start } from './support/command.ts';
import { served } from './support/served.ts';
import { serving } from './support/serving.ts';

async function aFolder(more: Readonly<Record<string, string | object>> = {}) {
  const model = await served(promptIn);
  const cwd = await folderWith({
    'agents/desk.ai': agentFile(['models: local/m', 'description: A desk']),
    'agents/child.ai': agentFile(['models: local/m', 'toolName: kid']),
    '.ai-agent.json': localProvider(model.baseUrl),
    ...more,
  });
  return { cwd, model };
}

test('each agent answers at its name, and every run has a line of the log', async () => {
  const { cwd } = await aFolder();
  const server = await serving(['serve', 'agents', '--port', '0', '--verbose', '--max-body', '1000'], { cwd });
  expect([server.agents, server.url]).toEqual([['kid', 'desk'], `http://127.0.0.1:${server.port}`]);
  const answer = await server.get('/v1/desk?q=Good%20morning');
  expect([answer.status, answer.text]).toEqual([200, 'Good morning']);
  expect((await server.get('/v1/kid?q=hi')).text).toBe('hi');
  const template = await server.get('/v1/desk/template');
  expect([template.status, template.text]).toEqual([
    200,
    expect.stringMatching(/^---\n(?:.*\n)*description: A desk\n/),
  ]);
  expect((await server.get('/v1/nobody?q=secret')).status).toBe(404);
  const large = await server.get('/v1/desk', { method: 'POST', body: 'x'.repeat(2_000) });
  expect([large.status, JSON.parse(large.text).error.code]).toEqual([413, 'request-too-large']);
  expect([(await server.get('/health')).status, (await server.get('/ready')).status]).toEqual([200, 200]);
  const session = answer.headers.get('x-ai-agent-session');
  await expect.poll(server.log).toMatchObject([
    {
      event: 'run',
      headend: 'rest',
      agent: 'desk',
      status: 'completed',
      session,
      key: null,
      tokens: expect.any(Number),
    },
    { event: 'run', agent: 'kid' },
    { event: 'refused', method: 'GET', path: '/v1/nobody', status: 404, code: 'agent-unknown', key: null },
    { event: 'refused', method: 'POST', path: '/v1/desk', status: 413, code: 'request-too-large', key: null },
  ]);
  expect(server.stderr()).not.toContain('secret');
  expect(server.stdout().match(/\n/g)).toHaveLength(1);
});

test('for people stdout stays empty, and stderr says where, who, and how to stop', async () => {
  const { cwd } = await aFolder();
  const { child, ended } = start(['serve', 'agents/desk.ai', '--port', '0'], { cwd });
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  await expect.poll(() => said, { timeout: 10_000 }).toContain('Ctrl-C stops it');
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0];
  expect(said).toContain(`Serving 1 agent on ${url}`);
  expect(said).toMatch(new RegExp(`\\n {2}desk +${url}/v1/desk +A desk`));
  expect(said).toContain('It is reached from this machine alone; no key is needed.');
  expect(await (await fetch(`${url}/v1/desk?q=hi`)).text()).toBe('hi');
  child.kill('SIGTERM');
  const { code, stdout } = await ended;
  expect([code, stdout]).toEqual([0, '']);
});

test('without arguments it serves what the configuration names, or else this folder', async () => {
  const { cwd, model } = await aFolder();
  const here = await serving(['serve', '--port=0'], { cwd });
  expect(here.agents).toEqual(['kid', 'desk']);
  const named = await folderWith({
    'a.ai': agentFile(['models: local/m']),
    'b.ai': agentFile(['models: local/m']),
    '.ai-agent.json': { ...localProvider(model.baseUrl), agents: ['b.ai'], api: { port: 0 } },
  });
  expect((await serving(['serve'], { cwd: named })).agents).toEqual(['b']);
});

test('keys of the configuration are wanted, and named in the log', async () => {
  const { cwd } = await aFolder({
    'agents/.ai-agent.json': { api: { port: 0, bearerKeys: ['k-0123456789abcdef0123456789abcdef'] } },
  });
  const server = await serving(['serve', 'agents', '--host', '0.0.0.0'], { cwd });
  const url = `http://127.0.0.1:${server.port}/v1/desk?q=hi`;
  expect((await fetch(url)).status).toBe(401);
  const headers = { authorization: 'Bearer k-0123456789abcdef0123456789abcdef' };
  expect(await (await fetch(url, { headers })).text()).toBe('hi');
  const runs = () => server.log().filter(({ event }) => event === 'run');
  await expect.poll(runs).toMatchObject([{ event: 'run', key: 'bearer-1' }]);
  expect(server.stderr()).not.toContain('k-0123456789');
});

test('what cannot be served is refused before anybody listens', async () => {
  const { cwd } = await aFolder({
    'empty/x.txt': '',
    'bad.ai': agentFile(['modles: local/m']),
    'chat.ai': agentFile(['models: local/m']),
    'twin/desk.ai': agentFile(['models: local/m']),
    'one/a.ai': agentFile(['models: local/m']),
    'one/.ai-agent.json': { api: { bearerKeys: ['k-0123456789abcdef0123456789abcdef'] } },
    'two/b.ai': agentFile(['models: local/m']),
    'two/.ai-agent.json': { api: { port: 0 } },
  });
  const each: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['nobody.ai'], 4, /there is no agent at nobody\.ai/],
    [['empty'], 4, /there is no agent at empty/],
    [['bad.ai'], 1, /modles.*\n[\s\S]*in the way of a server/],
    [['chat.ai'], 1, /the name chat is reserved/],
    [['agents', 'twin'], 1, /is called desk too; to serve both/],
    [['one', 'two'], 1, /one server has one set-up/],
    [['agents', '--host', '0.0.0.0'], 1, /no keys: whoever reaches it could use every agent/],
    [['agents', '--host', '192.0.2.1', '--open'], 1, /this machine has no such address/],
    [['agents', '--port', 'many'], 4, /--port must be a whole number from 0 to 65535/],
    [['agents', '--concurrency', '0'], 4, /--concurrency must be a whole number of 1 or more/],
    [['agents', '--grace', 'soon'], 4, /--grace must be a time/],
    [['agents', '--allow-host', 'http://desk:80'], 4, /--allow-host must be a name without http/],
    [['agents', '--prt', '80'], 4, /no option --prt\. Did you mean --port\? See ai-agent serve --help\.\n$/],
    [['agents', '-p', '80'], 4, /no option -p\. See ai-agent serve --help\.\n$/],
    [['agents', '--quiet', '--verbose'], 4, /Choose one of --quiet and --verbose/],
  ];
  const ended = await Promise.all(each.map(([args]) => run(['serve', '--port', '0', ...args], { cwd })));
  for (const [i, { code, stdout, stderr }] of ended.entries()) {
    expect([each[i]?.[0], code, stdout]).toEqual([each[i]?.[0], each[i]?.[1], '']);
    expect(stderr).toMatch(each[i]?.[2] as RegExp);
  }
});

test('a port that is taken is a sentence and exit 1, and a document with --json; an empty folder is misuse', async () => {
  const { cwd } = await aFolder();
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void taken.close());
  const port = String((taken.address() as AddressInfo).port);
  const ended = await run(['serve', 'agents', '--port', port, '--json'], { cwd });
  expect(ended.code).toBe(1);
  expect(ended.stderr).toContain(`Nobody can listen on 127.0.0.1, port ${port}: somebody listens there already.`);
  expect(JSON.parse(ended.stdout)).toMatchObject({ failure: { class: 'config', code: 'listen-refused' } });
  const nothing = await run(['serve'], { cwd: await folderWith({ 'readme.txt': '' }) });
  expect([nothing.code, nothing.stderr]).toEqual([4, expect.stringContaining('There is no agent here')]);
});
