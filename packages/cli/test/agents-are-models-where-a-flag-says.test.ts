// The promise: agents are models on the one port of a server, and where a flag says it on ports of their own; it says what clients have to be told.

import { hashOf } from '@ai-agent/server';
import { expect, test } from 'vitest';
import { call, resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run, start } from './support/command.ts';
import { served } from './support/served.ts';
import { serving } from './support/serving.ts';

const files = {
  'desk.ai': agentFile(['models: offline/demo', 'description: Answers.']),
  'child.ai': agentFile(['models: offline/demo', 'description: Helps.']),
};

const asAnthropic = { 'anthropic-version': '2023-06-01' };

/** Which of these there is on a port: REST, MCP, the routes of OpenAI, those of Anthropic, and in whose shape models are listed. */
async function whatIsOn(port: number): Promise<readonly string[]> {
  const ask = (route: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${route}`, init);
  const isThere = async (route: string) => (await ask(route, { method: 'POST', body: '{}' })).status !== 404;
  const listed = await ask('/v1/models');
  const list = listed.ok ? ((await listed.json()) as object) : {};
  const found = {
    rest: (await ask('/v1/desk?q=hi')).ok,
    mcp: await isThere('/mcp'),
    chat: await isThere('/v1/chat/completions'),
    responses: await isThere('/v1/responses'),
    messages: await isThere('/v1/messages'),
    'models of OpenAI': 'object' in list,
    'models of Anthropic': 'has_more' in list,
  };
  return Object.entries(found).flatMap(([name, isFound]) => (isFound ? [name] : []));
}

test('one port has every way in', async () => {
  const cwd = await folderWith(files);
  const server = await serving(['serve', 'desk.ai', 'child.ai', '--port', '0'], { cwd });
  expect(await whatIsOn(server.port)).toEqual(['rest', 'mcp', 'chat', 'responses', 'messages', 'models of OpenAI']);
  const names = async (headers: Readonly<Record<string, string>>) => {
    const { text } = await server.get('/v1/models', { headers });
    return (JSON.parse(text) as { data: { id: string }[] }).data.map(({ id }) => id);
  };
  expect([await names({}), await names(asAnthropic)]).toEqual([
    ['desk', 'child'],
    ['desk', 'child'],
  ]);
  expect(JSON.parse(server.stdout())).toMatchObject({
    openai: [`http://127.0.0.1:${server.port}/v1`],
    anthropic: [`http://127.0.0.1:${server.port}`],
  });
});

test('on ports of their own each is alone, also beside others', async () => {
  const cwd = await folderWith(files);
  const line = 'serve desk.ai --port 0 --api 0 --openai-completions 0 --openai-completions 0 --anthropic-completions 0';
  const server = await serving(line.split(' '), { cwd });
  const [all, rest, openai, second, anthropic] = server.ports;
  expect(JSON.parse(server.stdout())).toMatchObject({
    openai: [all, openai, second].map((port) => `http://127.0.0.1:${port}/v1`),
    anthropic: [all, anthropic].map((port) => `http://127.0.0.1:${port}`),
    mcp: [`http://127.0.0.1:${all}/mcp`],
  });
  expect(await Promise.all(server.ports.slice(1).map(whatIsOn))).toEqual([
    ['rest'],
    ['chat', 'responses', 'models of OpenAI'],
    ['chat', 'responses', 'models of OpenAI'],
    ['messages', 'models of Anthropic'],
  ]);
  // Where nobody is asked as a model, that address is nothing, and is told as everywhere.
  const nothing = await fetch(`http://127.0.0.1:${rest}/v1/models`);
  expect([nothing.status, await nothing.json()]).toMatchObject([404, { error: { code: 'route-unknown' } }]);
});

test.each(['--anthropic-completions 8431', '--port 8431', '--mcp http:8431', '--openai-completions 8431'])(
  'a port is named once: %s',
  async (other) => {
    const args = `serve desk.ai --openai-completions 8431 ${other}`.split(' ');
    const { code, stderr } = await run(args, { cwd: await folderWith(files) });
    expect([code, stderr]).toEqual([4, expect.stringContaining('The port 8431 is named twice.')]);
  },
);

test.each([
  ['--openai-completions http', '--openai-completions must be a whole number from 0 to 65535; "http" is none.'],
  ['--anthropic-completions 65536', '--anthropic-completions must be a whole number from 0 to 65535; "65536" is none.'],
  ['--openai-completions-concurrency 0', '--openai-completions-concurrency must be a whole number of 1 or more'],
  ['--anthropic-completions-concurrency x', '--anthropic-completions-concurrency must be a whole number of 1 or more'],
])('%s is misuse', async (words, said) => {
  const { code, stdout, stderr } = await run(['serve', 'desk.ai', ...words.split(' ')], {
    cwd: await folderWith(files),
  });
  expect([code, stdout, stderr]).toEqual([4, '', expect.stringContaining(`failed (usage): ${said}`)]);
});

/** Its stderr up to where it says how to stop. */
async function saidAtStart(line: string, more: Readonly<Record<string, object>> = {}): Promise<string> {
  const { child, ended } = start(line.split(' '), { cwd: await folderWith({ ...files, ...more }) });
  let said = '';
  child.stderr?.on('data', (text) => {
    said += text;
  });
  await expect.poll(() => said, { timeout: 10_000 }).toContain('Ctrl-C stops it');
  child.kill('SIGTERM');
  await ended;
  return said.replaceAll(/:\d{4,5}(?=[\s/])/g, ':8080');
}

test.each([
  [
    'serve desk.ai child.ai --port 0',
    'For clients of models: OPENAI_BASE_URL=http://127.0.0.1:8080/v1 ANTHROPIC_BASE_URL=http://127.0.0.1:8080 (model: desk, API key: any)\n',
  ],
  [
    'child.ai --openai-completions 0',
    'Serving 1 agent on http://127.0.0.1:8080/v1 (OpenAI-style alone)\n  child  Helps.\n',
    'For clients of models: OPENAI_BASE_URL=http://127.0.0.1:8080/v1 (model: child, API key: any)\n',
  ],
  [
    '--agent desk.ai --anthropic-completions=0',
    'Serving 1 agent on http://127.0.0.1:8080 (Anthropic-style alone)\n',
    'For clients of models: ANTHROPIC_BASE_URL=http://127.0.0.1:8080 (model: desk, API key: any)\n',
  ],
])('%s says what a client has to be told', async (line, ...all) => {
  const said = await saidAtStart(line);
  for (const part of all) expect(said).toContain(part);
});

test('where there are keys one of them is the key, and where nobody is asked as a model nothing is said of it', async () => {
  const api = { keys: { website: { hash: hashOf('aia_0123456789abcdef0123456789abcdef') } } };
  const [locked, rest] = await Promise.all([
    saidAtStart('serve desk.ai --port 0', { '.ai-agent.json': { api } }),
    saidAtStart('serve desk.ai --api 0'),
  ]);
  expect(locked).toContain('(model: desk, API key: one of yours)\n');
  expect(rest).not.toContain('For clients of models');
});

/** A lead that asks its helper, set up so; and a way to ask it with a body that every API takes. */
async function aTeam(api: object, args: readonly string[] = []) {
  const model = await served((request) => {
    if (request.system.includes('You help.')) return 'helped';
    return resultsIn(request).length > 0 ? 'done' : { calls: [call('agent__helper', { text: 'x' })] };
  });
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: local/m', 'agents: helper.ai']),
    'helper.ai': agentFile(['models: local/m', 'description: Helps.'], 'You help.'),
    '.ai-agent.json': { ...localProvider(model.baseUrl), api },
  });
  const server = await serving(['serve', 'lead.ai', '--port', '0', ...args], { cwd });
  return (route: string, more: object = {}) => {
    const talk = [{ role: 'user', content: 'Go.' }];
    const body = { model: 'lead', max_tokens: 9, messages: talk, input: talk, thinking, ...more };
    const headers = { 'content-type': 'application/json' };
    return server.get(route, { method: 'POST', body: JSON.stringify(body), headers });
  };
}

const thinking = { type: 'adaptive' };

test.each(['/v1/chat/completions', '/v1/responses', '/v1/messages'])(
  'api.showActivity says whether %s tells of what goes on inside, where a request does not',
  async (route) => {
    const [shown, hidden] = await Promise.all([aTeam({ showActivity: true }), aTeam({})]);
    const replies = await Promise.all([
      shown(route),
      hidden(route),
      shown(route, { ai_agent: { activity: false } }),
      hidden(route, { ai_agent: { activity: true } }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(replies.map(({ text }) => text.includes('helper'))).toEqual([true, false, false, true]);
  },
);

test('a request of a client of models may hold 32 MiB, and --max-body bounds it with all others', async () => {
  const [usual, bounded] = await Promise.all([aTeam({}), aTeam({ maxBodyBytes: 9 }, ['--max-body', '2000000'])]);
  const models = ['/v1/chat/completions', '/v1/responses', '/v1/messages'];
  const statuses = (ask: typeof usual, bytes: number, routes: readonly string[]) =>
    Promise.all(routes.map(async (route) => (await ask(route, { user: 'x'.repeat(bytes) })).status));
  expect(await statuses(usual, 3_000_000, [...models, '/v1/lead'])).toEqual([200, 200, 200, 413]);
  expect(await statuses(usual, 32 * 1024 * 1024, models.slice(1))).toEqual([413, 413]);
  expect(await statuses(bounded, 2_000_000, [...models, '/v1/lead'])).toEqual([413, 413, 413, 413]);
  expect(await statuses(bounded, 1_900_000, [...models, '/v1/lead'])).toEqual([200, 200, 200, 200]);
});
