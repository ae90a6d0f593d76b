// `ai-agent check --connect`: every provider is asked, for nothing, whether it answers, takes the key and has the model.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { closedPort } from '../../models/test/support/closed-port.ts';
import { agentFile, folderWith, run } from './support/command.ts';
import {
  type Answering,
  anthropicList,
  chatList,
  googleList,
  type Lister,
  lister,
  ollamaList,
  openrouterList,
  says,
} from './support/model-lists.ts';
import { startInTerminal } from './support/pty.ts';

const key = 'Zx9canaryQ7vT-and-more';

const desk = (models: string) =>
  agentFile(['description: d', 'usage: u', 'output: {format: text}', `models: ${models}`]);

interface SetUp {
  readonly type: string;
  readonly baseUrl: string;
  readonly apiKey?: string;
}

const chat = (url: string, more: object = {}): SetUp => ({ type: 'openai-compatible', baseUrl: `${url}/v1`, ...more });

const connect = async (models: string, providers: Readonly<Record<string, SetUp>>, ...args: readonly string[]) => {
  const cwd = await folderWith({ 'desk.ai': desk(models), '.ai-agent.json': { providers } });
  return run(['check', '--connect', 'desk.ai', ...args], { cwd });
};

/** A kind of provider, a model that it has, and one that it has not. */
const kinds = {
  openai: { path: '/v1', model: 'gpt-5.4', wrong: 'gpt-5.4-mino', answer: chatList(key, ['gpt-5.4', 'gpt-5.4-mini']) },
  'openai-compatible': { path: '/v1', model: 'qwen', wrong: 'qwen-mxa', answer: chatList(key, ['qwen', 'qwen-max']) },
  anthropic: {
    path: '/v1',
    model: 'claude-b',
    wrong: 'claude-c',
    answer: anthropicList(key, ['claude-a', 'claude-b'], 'claude-latest'),
  },
  google: { path: '/v1beta', model: 'gemini-b', wrong: 'gemini-c', answer: googleList(key, ['gemini-a', 'gemini-b']) },
  openrouter: { path: '/api/v1', model: 'x/y:nitro', wrong: 'x/q', answer: openrouterList(key, ['x/y', 'x/z']) },
};

describe('each kind of provider', () => {
  const askAll = async (field: 'model' | 'wrong', apiKey = key) => {
    const servers = await Promise.all(Object.values(kinds).map(({ answer }) => lister(answer)));
    const providers = Object.entries(kinds).map(([type, { path }], i) => [
      `my-${type}`,
      { type, baseUrl: `${servers[i]?.url}${path}`, apiKey },
    ]);
    const refs = Object.entries(kinds).map(([type, kind]) => `my-${type}/${kind[field]}`);
    const ended = await connect(`[${refs}]`, Object.fromEntries(providers));
    return { ...ended, asked: servers.map(({ asked }) => asked) };
  };

  test('is fine with a key that it takes and a model that it has, and nothing is generated', async () => {
    const { code, stdout, stderr, asked } = await askAll('model');
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toBe('1 agent checked: 0 errors, 0 warnings; 5 of 5 models reached\n');
    expect(asked).toEqual([
      ['GET /v1/models'],
      ['GET /v1/models'],
      ['GET /v1/models?limit=1000', 'GET /v1/models?limit=1000&after_id=claude-a'],
      ['GET /v1beta/models?pageSize=1000', 'GET /v1beta/models?pageSize=1000&pageToken=1'],
      expect.arrayContaining(['GET /api/v1/models', 'GET /api/v1/key']),
    ]);
  });

  test('refuses a wrong key: an error each, without the key', async () => {
    const { code, stdout } = await askAll('model', `${key}-wrong`);
    expect(code).toBe(1);
    for (const [type, words] of Object.entries({
      openai: 'Incorrect API key provided: \\*\\*\\*',
      'openai-compatible': 'Incorrect API key provided: \\*\\*\\*',
      anthropic: 'invalid x-api-key',
      google: 'API key not valid.',
      openrouter: 'User not found.',
    }))
      expect(stdout).toMatch(new RegExp(`^desk\\.ai:5: error: models: (a fallback, )?my-${type}/\\S+: ${words}$`, 'm'));
    expect(stdout.match(/What to do: .*/g)).toEqual([expect.stringContaining('Check the key of this provider')]);
    expect(stdout).not.toContain(key);
  });

  test('lacks a model: an error each, with what may have been meant', async () => {
    const { code, stdout } = await askAll('wrong');
    expect(code).toBe(1);
    const meant = [...stdout.matchAll(/error: models: .*my-\S+: my-\S+ has no model (\S+); did you mean (.*)\?$/gm)];
    expect(meant.map(([, model, names]) => [model, names])).toEqual([
      ['gpt-5.4-mino', 'gpt-5.4-mini'],
      ['qwen-mxa', 'qwen-max'],
      ['claude-c', 'claude-a or claude-b'],
      ['gemini-c', 'gemini-a or gemini-b'],
      ['x/q', 'x/y or x/z'],
    ]);
  });
});

test('an alias of Anthropic is in no list and yet there', async () => {
  const { url } = await lister(anthropicList(key, ['claude-a'], 'claude-latest'));
  const ended = await connect('it/claude-latest', { it: { type: 'anthropic', baseUrl: `${url}/v1`, apiKey: key } });
  expect(ended.code).toBe(0);
});

describe('an Ollama', () => {
  const ask = async (...models: readonly string[]) => {
    const { url } = await lister(ollamaList(['llama3:latest', 'qwen3:8b']));
    return connect(`[${models.map((model) => `ollama/${model}`)}]`, { ollama: { type: 'ollama', baseUrl: url } });
  };

  test('has a model with its tag, or the latest without', async () => {
    expect(await ask('llama3', 'llama3:latest', 'qwen3:8b')).toMatchObject({ code: 0 });
  });

  test('that lacks a model says how to get it', async () => {
    const { code, stdout } = await ask('gemma9');
    expect(code).toBe(1);
    expect(stdout).toContain('ollama has no model gemma9; it has llama3:latest, qwen3:8b');
    expect(stdout).toContain('What to do: Run `ollama pull gemma9`');
  });
});

/** A provider for each, by its name; what is said of each, and how it ended. */
const askEach = async (answers: Readonly<Record<string, Answering>>) => {
  const servers = await Promise.all(Object.values(answers).map(lister));
  const names = Object.keys(answers);
  const providers = Object.fromEntries(servers.map(({ url }, i) => [names[i], chat(url, { apiKey: key })]));
  const { code, stdout } = await connect(`[${names.map((name) => `${name}/m`)}]`, providers);
  const told = names.map((name) => new RegExp(`^desk\\.ai:5: (.*${name}/m: .*)$`, 'm').exec(stdout)?.[1] ?? '');
  return { code, stdout, told: told.map((line) => line.replace('a fallback, ', '')), servers };
};

const sayingError =
  (status: number, message: string): Answering =>
  (_, response) =>
    says(response, status, { error: { message } });

const saying =
  (body: unknown, headers: Record<string, string> = {}): Answering =>
  (_, response) =>
    says(response, 200, body, headers);

describe('who cannot be asked', () => {
  test('because nobody listens there is an error that names the address', async () => {
    const port = await closedPort();
    const { code, stdout } = await connect('local/m', { local: chat(`http://127.0.0.1:${port}`) });
    expect(code).toBe(1);
    expect(stdout).toMatch(new RegExp(`error: models: local/m: .*ECONNREFUSED 127\\.0\\.0\\.1:${port}`));
  });

  test('because there is no list, or not now, is warned of', async () => {
    const { code, told, servers } = await askEach({
      none: sayingError(404, 'Nope'),
      notallowed: sayingError(405, 'Nope'),
      unbuilt: sayingError(501, 'Nope'),
      scoped: sayingError(403, 'You have insufficient permissions for this operation. Missing scopes: api.model.read.'),
      object: saying({}),
      empty: saying({ data: [] }),
      list: saying([]),
      nothing: saying('null'),
      busy: sayingError(429, 'Slow down'),
      ill: sayingError(503, 'Under repair'),
    });
    expect(code).toBe(0);
    const unasked = (name: string, i: number, why: string) =>
      `warning: models: ${name}/m: ${servers[i]?.url}/v1 could not be asked for its models: ${why}`;
    expect(told).toEqual([
      unasked('none', 0, 'Nope'),
      unasked('notallowed', 1, 'Nope'),
      unasked('unbuilt', 2, 'Nope'),
      expect.stringContaining('could not be asked for its models: You have insufficient permissions'),
      unasked('object', 4, 'its answer is no list of models'),
      unasked('empty', 5, 'its answer is no list of models'),
      unasked('list', 6, 'its answer is no list of models'),
      unasked('nothing', 7, 'its answer is no list of models'),
      'warning: models: busy/m: Slow down',
      'warning: models: ill/m: Under repair',
    ]);
  });

  test('because nothing will come of it is an error', async () => {
    const page = '<!doctype html><html><body>Welcome to our portal</body></html>';
    const { code, told, stdout } = await askEach({
      portal: saying(page, { 'content-type': 'text/html' }),
      text: saying('hello'),
      poor: sayingError(402, 'Pay first'),
      gateway: saying({ error: { message: 'Bad key', code: 'invalid_api_key' } }),
      moved: (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    });
    expect(code).toBe(1);
    expect(told).toEqual([
      expect.stringMatching(/^error: models: portal\/m: .*answered with a page.*Welcome to our portal/),
      'error: models: text/m: not a reply we can read: hello',
      'error: models: poor/m: Pay first',
      'error: models: gateway/m: Bad key',
      expect.stringMatching(/^error: models: moved\/m: .*redirect/),
    ]);
    expect(stdout).toContain('What to do: Check baseUrl');
  });
});

test('what a server says reaches the terminal without its control sequences, in one line', async () => {
  const message = 'Bad\u001b[2J\u001b]0;owned\u0007\nkey';
  const { stdout } = await askEach({ local: sayingError(401, message) });
  expect(stdout).toContain('error: models: local/m: Bad key\n');
  expect(stdout).not.toContain('\u001b');
});

test('a fallback that fails is an error too, and is called one; the others are asked all the same', async () => {
  const good = await lister(chatList(key, ['m']));
  const bad = await lister((_, response) => says(response, 401, { error: { message: `Who is ${key}?` } }));
  const { code, stdout } = await connect('[one/m, two/m]', {
    one: chat(good.url, { apiKey: key }),
    two: chat(bad.url, { apiKey: key }),
  });
  expect(code).toBe(1);
  expect(stdout).toContain('desk.ai:5: error: models: a fallback, two/m: Who is ***?\n');
  expect(stdout).toContain('; 1 of 2 models reached');
});

test('agents that share a provider ask it once, and each is told at its own line', async () => {
  const server = await lister(chatList(key, ['m', 'n']));
  const cwd = await folderWith({
    'a/one.ai': desk('local/m'),
    'a/two.ai': agentFile(['description: d', 'models: [local/n, local/x]']),
    '.ai-agent.json': { providers: { local: chat(server.url, { apiKey: key }) } },
  });
  const { code, stdout } = await run(['check', 'a', '--connect'], { cwd });
  expect(code).toBe(1);
  expect(server.asked.filter((one) => one === 'GET /v1/models')).toHaveLength(1);
  expect(stdout).toMatch(/^a\/two\.ai:3: error: models: a fallback, local\/x: local has no model x/m);
  expect(stdout).toContain('; 2 of 3 models reached');
});

test('an agent that has errors of its own is asked for as well', async () => {
  const server = await lister(chatList(key, ['m']));
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/x', 'maxTurn: 3']),
    '.ai-agent.json': { providers: { local: chat(server.url, { apiKey: key }) } },
  });
  const { stdout } = await run(['check', 'desk.ai', '--connect'], { cwd });
  expect(stdout).toMatch(/error: maxTurn: /);
  expect(stdout).toMatch(/error: models: local\/x: /);
});

test('all are asked side by side', async () => {
  const slow: Answering = (request, response) => setTimeout(() => chatList(key, ['m'])(request, response), 1_000);
  const servers = await Promise.all(Array.from({ length: 5 }, () => lister(slow)));
  const providers = Object.fromEntries(servers.map(({ url }, i) => [`p${i}`, chat(url, { apiKey: key })]));
  const { stdout } = await connect(`[${Object.keys(providers).map((name) => `${name}/m`)}]`, providers, '--json');
  const { connections } = JSON.parse(stdout) as { connections: readonly { ms: number; status: string }[] };
  expect(connections.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok']);
  for (const { ms } of connections) expect(ms).toBeGreaterThan(900);
  expect(Math.max(...connections.map(({ ms }) => ms))).toBeLessThan(2_500);
});

test('--json: connections, each with what is wrong', async () => {
  const server: Lister = await lister(chatList(key, ['m']));
  const { stdout, code } = await connect(
    '[local/m, dead/m, offline/demo]',
    { local: chat(server.url, { apiKey: key }), dead: chat('http://127.0.0.1:1') },
    '--json',
  );
  const document = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(document.connections).toEqual([
    { kind: 'model', provider: 'local', model: 'm', status: 'ok', ms: expect.any(Number) },
    {
      kind: 'model',
      provider: 'dead',
      model: 'm',
      status: 'failed',
      ms: expect.any(Number),
      problem: {
        class: 'network',
        code: 'model-network',
        message: expect.stringContaining('dead/m: '),
        remedy: expect.any(String),
      },
    },
  ]);
  expect(document).toMatchObject({
    errors: 1,
    warnings: 0,
    problems: [{ code: 'model-network', line: 5, key: 'models' }],
  });
  expect(document.problems[0].file).toMatch(new RegExp(`${join('/', 'desk.ai')}$`));
});

test('a model named on the command line that cannot be reached is no misuse', async () => {
  const { url } = await lister(chatList(key, ['m']));
  const { code } = await connect('offline/demo', { local: chat(url, { apiKey: key }) }, '--override', 'models=local/x');
  expect(code).toBe(1);
});

test('a terminal says whom it asks while it asks, and nothing of it is left', async () => {
  let answer = () => {};
  const { url, asked } = await lister((request, response) => {
    answer = () => chatList(key, ['m'])(request, response);
  });
  const cwd = await folderWith({
    'desk.ai': desk('[local/m, dead/m]'),
    '.ai-agent.json': { providers: { local: chat(url, { apiKey: key }), dead: chat('http://127.0.0.1:1') } },
  });
  const terminal = startInTerminal(['check', '--connect', 'desk.ai'], { cwd });
  await terminal.shows('asking local, dead…');
  await expect.poll(() => asked.length).toBe(1);
  answer();
  expect(await terminal.ended).toBe(1);
  expect(terminal.history().join('\n')).not.toContain('asking');
  expect(terminal.history().at(-1)).toContain('1 of 2 models reached');
});

test('the offline model has nobody to ask', async () => {
  const { code, stdout } = await connect('offline/demo', {});
  expect([code, stdout]).toEqual([0, '1 agent checked: 0 errors, 0 warnings; nobody to ask\n']);
});

test('without --connect nobody is asked', async () => {
  const server = await lister(chatList(key, ['m']));
  const cwd = await folderWith({
    'desk.ai': desk('local/x'),
    '.ai-agent.json': { providers: { local: chat(server.url, { apiKey: key }) } },
  });
  const ended = await run(['check', 'desk.ai'], { cwd });
  expect(ended).toMatchObject({ code: 0, stdout: '1 agent checked: 0 errors, 0 warnings\n' });
  expect(JSON.parse((await run(['check', 'desk.ai', '--json'], { cwd })).stdout)).not.toHaveProperty('connections');
  expect(server.asked).toEqual([]);
});
