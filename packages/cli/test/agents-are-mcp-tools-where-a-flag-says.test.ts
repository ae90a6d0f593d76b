// The promise: --mcp serves agents as tools at the places that it names, and nowhere else; old and new clients find them there.

import { hashOf } from '@ai-agent/server';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, onTestFinished, test } from 'vitest';
import { agentFile, command, folderWith, run } from './support/command.ts';
import { environmentIn, initialize, onStdio } from './support/on-stdio.ts';
import { serving } from './support/serving.ts';

const files = {
  'desk.ai': agentFile(['models: offline/demo', 'description: Answers.']),
  'child.ai': agentFile(['models: offline/demo', 'description: Helps.']),
};

const clients = {
  'the client of SDK 1': (args: readonly string[], cwd: string) => {
    const client = new Client({ name: 'test', version: '1' });
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      cwd,
      env: environmentIn({ cwd }),
      stderr: 'pipe',
    });
    return { client, transport, connect: () => client.connect(transport) };
  },
  'the client of SDK 2': (args: readonly string[], cwd: string) => {
    const client = new NewClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const transport = new NewStdio({ command, args: [...args], cwd, env: environmentIn({ cwd }), stderr: 'pipe' });
    return { client, transport, connect: () => client.connect(transport) };
  },
};

test.each(
  Object.entries(clients).flatMap(([name, open]) =>
    [
      'serve desk.ai child.ai --mcp stdio',
      '--agent desk.ai --agent child.ai --mcp=stdio',
      'desk.ai @child.ai --mcp stdio',
    ].map((line) => [name, line, open] as const),
  ),
)('%s, over stdio: %s', async (_, line, open) => {
  const cwd = await folderWith(files);
  const { client, transport, connect } = open(line.split(' '), cwd);
  onTestFinished(() => client.close());
  await connect();
  const { tools } = await client.listTools();
  expect(tools.map(({ name, description }) => [name, description])).toEqual([
    ['desk', 'Answers.'],
    ['child', 'Helps.'],
  ]);
  const { content } = await client.callTool({ name: 'child', arguments: { text: 'Good morning' } });
  expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('Good morning') }]);
  const { pid } = transport;
  const before = performance.now();
  await client.close();
  // A client that closes its end is not kept waiting, and kills nobody: that comes after two seconds.
  expect(performance.now() - before).toBeLessThan(1_900);
  expect(() => process.kill(pid ?? 0, 0)).toThrow();
});

test('on ports each transport is alone, without REST; and no other port is opened', async () => {
  const cwd = await folderWith(files);
  const server = await serving('--agent desk.ai --mcp http:0 --mcp sse:0 --mcp ws:0'.split(' '), { cwd });
  const [http, sse, ws] = server.ports;
  expect(server.ports).toHaveLength(3);
  const { mcp } = JSON.parse(server.stdout());
  expect(mcp).toEqual([
    `http://127.0.0.1:${http}/mcp`,
    `http://127.0.0.1:${sse}/mcp/sse`,
    `ws://127.0.0.1:${ws}/mcp/ws`,
  ]);
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp[0])));
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(['desk']);
  const statusOf = async (port: number | undefined, route: string, init: RequestInit = {}) =>
    (await fetch(`http://127.0.0.1:${port}${route}`, init)).status;
  expect(await statusOf(http, '/health')).toBe(200);
  expect(await statusOf(http, '/v1/desk?q=hi')).toBe(404);
  expect(await statusOf(http, '/mcp/sse', { method: 'DELETE' })).toBe(404);
  expect(await statusOf(sse, '/mcp/sse', { method: 'DELETE' })).toBe(405);
  expect(await statusOf(sse, '/mcp', { method: 'DELETE' })).toBe(404);
  expect(await statusOf(ws, '/mcp/ws', { method: 'DELETE' })).toBe(405);
  expect(await statusOf(ws, '/mcp', { method: 'DELETE' })).toBe(404);
});

test('beside --api and --port, each has what it says', async () => {
  const cwd = await folderWith(files);
  const server = await serving('serve desk.ai --port 0 --api 0 --mcp http:0'.split(' '), { cwd });
  const seen = await Promise.all(
    server.ports.map(async (port) => {
      const ask = async (route: string) =>
        (await fetch(`http://127.0.0.1:${port}${route}`, { method: 'DELETE' })).status;
      return [(await ask('/v1/desk')) === 405, (await ask('/mcp')) !== 404];
    }),
  );
  expect(seen).toEqual([
    [true, true],
    [true, false],
    [false, true],
  ]);
});

test('stdio listens on no port, also where the configuration names one, and asks for no key', async () => {
  const api = { port: 0, keys: { website: { hash: hashOf('aia_0123456789abcdef0123456789abcdef') } } };
  const cwd = await folderWith({ ...files, '.ai-agent.json': { api } });
  const server = onStdio(['serve', 'desk.ai', '--mcp', 'stdio', '--json', '--host', '0.0.0.0'], { cwd });
  server.send(initialize);
  await server.answer('hello');
  server.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  expect((await server.answer(1)).result).toMatchObject({ tools: [{ name: 'desk' }] });
  await expect
    .poll(server.stderr)
    .toContain(
      '{"ports":[],"mcp":["stdio"],"openai":[],"anthropic":[],"chat":[],"slack":null,"agents":["desk"],"store":"',
    );
});

test('keys, Host and Origin hold on a port of MCP as they do for REST', async () => {
  const key = 'aia_0123456789abcdef0123456789abcdef';
  const api = { keys: { website: { hash: hashOf(key) } } };
  const cwd = await folderWith({ ...files, 'keys/.ai-agent.json': { api } });
  const open = await serving('serve desk.ai --mcp http:0'.split(' '), { cwd });
  const body = JSON.stringify(initialize);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const ask = async (port: number, more: Readonly<Record<string, string>>) =>
    (await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', body, headers: { ...headers, ...more } })).status;
  expect(await ask(open.port, {})).toBe(200);
  expect(await ask(open.port, { origin: 'https://evil.example' })).toBe(403);
  const locked = await serving('serve desk.ai --mcp http:0 --config keys/.ai-agent.json'.split(' '), { cwd });
  expect(await ask(locked.port, {})).toBe(401);
  expect(await ask(locked.port, { authorization: `Bearer ${key}` })).toBe(200);
});

test.each([
  ['foo', '--mcp must be stdio, http:<port>, sse:<port> or ws:<port>; "foo" is none.'],
  ['STDIO', '--mcp must be stdio, http:<port>, sse:<port> or ws:<port>; "STDIO" is none.'],
  ['http', '--mcp http: needs a port from 0 to 65535, such as http:8080, which is missing.'],
  ['sse:', '--mcp sse: needs a port from 0 to 65535, such as sse:8080, which is missing.'],
  ['http:99999', '--mcp http: needs a port from 0 to 65535, such as http:8080; "99999" is none.'],
  ['ws:-1', '--mcp ws: needs a port from 0 to 65535, such as ws:8080; "-1" is none.'],
  ['stdio --mcp stdio', '--mcp stdio may stand once: the process has one stdin.'],
])('--mcp %s is misuse', async (words, said) => {
  const cwd = await folderWith(files);
  const { code, stdout, stderr } = await run(['serve', 'desk.ai', '--mcp', ...words.split(' ')], { cwd });
  expect([code, stdout, stderr]).toEqual([4, '', `failed (usage): ${said} See ai-agent serve --help.\n`]);
});

test.each([
  [
    'serve desk.ai --mcp stdio',
    [
      'Serving 1 agent over MCP on stdin and stdout\n  desk  Answers.\n',
      `{"mcpServers":{"desk":{"command":"${command}","args":["serve","<cwd>/desk.ai","--mcp","stdio"]}}}\n`,
    ],
  ],
  [
    'serve desk.ai child.ai --mcp http:0 --mcp ws:0',
    [
      /Serving 2 agents on http:\/\/127\.0\.0\.1:\d+\/mcp \(MCP alone\)\nand on ws:\/\/127\.0\.0\.1:\d+\/mcp\/ws \(MCP alone\)\n/,
      /\{"mcpServers":\{"agents":\{"type":"http","url":"http:\/\/127\.0\.0\.1:\d+\/mcp"\}\}\}\n/,
    ],
  ],
  [
    'serve desk.ai --port 0',
    [/Serving 1 agent on http:\/\/127\.0\.0\.1:\d+\n/, /"url":"http:\/\/127\.0\.0\.1:\d+\/mcp"/],
  ],
])('%s says on stderr where, and what a client has to know', async (line, all) => {
  const cwd = await folderWith(files);
  const server = onStdio(line.split(' '), { cwd });
  await expect.poll(server.stderr, { timeout: 10_000 }).toContain('stops it.');
  for (const said of all)
    expect(server.stderr()).toMatch(typeof said === 'string' ? toPattern(said.replace('<cwd>', cwd)) : said);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  expect(server.lines()).toEqual([]);
});

function toPattern(text: string): RegExp {
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
}
