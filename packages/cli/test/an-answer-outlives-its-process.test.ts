// The promise: an agent file with a cache is answered once for its time, whichever process asks; edited, it is asked again.

import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ask, FileCache, loadAgent } from '../src/index.ts';
import { agentFile, command, folderWith, localProvider, run } from './support/command.ts';
import { littleServer, processesWith } from './support/little-server.ts';
import { startInTerminal } from './support/pty.ts';
import { completion, listening } from './support/served.ts';

/** A model over HTTP that says how often it was asked. */
async function counting() {
  const { url, heard } = await listening((_one, response) => completion(response, `answer ${heard.length}`));
  return { url, heard };
}

const cached = (more: readonly string[] = [], body?: string) =>
  agentFile(['models: local/m', 'cache: 1h', ...more], body);

/** What the command said to each of these prompts, one process after the other. */
async function answers(cwd: string, prompts: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const said: string[] = [];
  for (const prompt of prompts) said.push((await run(['desk.ai', prompt], { cwd, env })).stdout.trim());
  return said;
}

test('the next process gives the answer of the one before, and says so', async () => {
  const { url, heard } = await counting();
  const cwd = await folderWith({ '.ai-agent.json': localProvider(url), 'desk.ai': cached() });
  expect(await answers(cwd, ['hello', 'hello', 'other'])).toEqual(['answer 1', 'answer 1', 'answer 2']);
  expect(heard).toHaveLength(2);
  const again = await run(['desk.ai', 'hello', '--json', '--show-tree'], { cwd });
  expect(JSON.parse(again.stdout)).toMatchObject({
    status: 'completed',
    text: 'answer 1',
    isCached: true,
    usage: { modelCalls: 0 },
    tree: { isCached: true },
  });
  expect(again.stderr).toMatch(/session ended as completed after \d+ ms, from cache/);
  expect(again.stderr).toMatch(/^desk: completed, from cache/m);
  // On a terminal there is no table of nothing.
  const terminal = startInTerminal(['desk.ai', 'hello'], { cwd });
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().at(-2)).toBe('from cache: no model was asked');
  expect(terminal.history().join('\n')).not.toContain('total');
  const folder = join(cwd, 'home/.ai-agent/cache');
  const names = await readdir(folder);
  expect(names).toHaveLength(2);
  expect([(await stat(folder)).mode & 0o777, (await stat(join(folder, names[0] ?? ''))).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
});

test('a flag and an override say it too, and off is off', async () => {
  const { url, heard } = await counting();
  const cwd = await folderWith({ '.ai-agent.json': localProvider(url), 'desk.ai': agentFile(['models: local/m']) });
  // The same options hold, whoever says them: it is one agent.
  for (const words of [['--cache', '1h'], ['--override', 'cache=1h'], []])
    await run(['desk.ai', 'hello', ...words], { cwd });
  expect(heard).toHaveLength(2);
  await writeFile(join(cwd, 'desk.ai'), cached());
  await run(['desk.ai', 'hello'], { cwd });
  await run(['desk.ai', 'hello', '--cache', 'off'], { cwd });
  expect(heard).toHaveLength(3);
});

test('a failure is asked again', async () => {
  let status = 400;
  const { url, heard } = await listening((_one, response) =>
    status === 200 ? completion(response, 'there') : response.writeHead(status).end('{"error":{"message":"no"}}'),
  );
  const cwd = await folderWith({ '.ai-agent.json': localProvider(url), 'desk.ai': cached() });
  expect((await run(['desk.ai', 'hello'], { cwd })).code).toBe(2);
  status = 200;
  const before = heard.length;
  expect(await answers(cwd, ['hello', 'hello'])).toEqual(['there', 'there']);
  expect(heard).toHaveLength(before + 1);
});

test('a file it includes, or a sub-agent: whichever is edited, it is asked again', async () => {
  const { url } = await counting();
  const child = agentFile(['models: local/m', 'description: Helps.']);
  const cwd = await folderWith({
    '.ai-agent.json': localProvider(url),
    'desk.ai': cached(['agents: child.ai'], 'You answer. {% include "tone.md" %}'),
    'tone.md': 'Be kind.',
    'child.ai': child,
  });
  const said = await answers(cwd, ['hello']);
  await writeFile(join(cwd, 'tone.md'), 'Be strict.');
  said.push(...(await answers(cwd, ['hello'])));
  await writeFile(join(cwd, 'child.ai'), `${child}More.\n`);
  said.push(...(await answers(cwd, ['hello', 'hello'])));
  expect(said).toEqual([1, 2, 3, 3].map((n) => `answer ${n}`));
});

test('whose key it is tells answers apart, and no key is in any file', async () => {
  const { url } = await counting();
  const config = localProvider(url, { apiKey: '$' + '{DESK_KEY}' });
  const cwd = await folderWith({ '.ai-agent.json': config, 'desk.ai': cached() });
  const [ann, bob] = [{ DESK_KEY: 'key-of-ann-0123456789' }, { DESK_KEY: 'key-of-bob-0123456789' }];
  const said = [
    await answers(cwd, ['hello'], ann),
    await answers(cwd, ['hello'], bob),
    await answers(cwd, ['hello'], ann),
  ];
  expect(said.flat()).toEqual(['answer 1', 'answer 2', 'answer 1']);
  const folder = join(cwd, 'home/.ai-agent/cache');
  for (const name of await readdir(folder)) {
    const text = gunzipSync(await readFile(join(folder, name))).toString();
    expect(text).toContain('answer');
    expect(text + name).not.toMatch(/key-of|DESK_KEY/);
  }
});

test('a server of the agent is not started for it', async () => {
  const { url, heard } = await counting();
  const mark = `cached-${process.pid}-${Date.now()}`;
  const config = { ...localProvider(url), mcpServers: { little: littleServer(mark) } };
  const cwd = await folderWith({ '.ai-agent.json': config, 'desk.ai': cached(['tools: little']) });
  const [first, again] = [
    await run(['desk.ai', 'hello', '--trace-mcp'], { cwd }),
    await run(['desk.ai', 'hello', '--trace-mcp'], { cwd }),
  ];
  expect([first.stdout, again.stdout, heard.length]).toEqual(['answer 1\n', 'answer 1\n', 1]);
  expect(first.stderr).toContain('initialize');
  expect(again.stderr).not.toContain('initialize');
  expect(processesWith(mark)).toBe(0);
});

test('a sub-agent has the cache of its caller, and gives its answer again inside the tree', async () => {
  const call = {
    id: 'c1',
    type: 'function',
    function: { name: 'agent__child', arguments: '{"reason":"r","text":"what?"}' },
  };
  const { url, heard } = await listening(({ body }, response) => {
    const { messages, tools = [] } = JSON.parse(body) as { messages: { role: string }[]; tools?: object[] };
    if (tools.length === 0 || messages.at(-1)?.role === 'tool') return completion(response, 'said');
    const message = { role: 'assistant', content: null, tool_calls: [call] };
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
    const reply = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices, usage: {} };
    return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
  const cwd = await folderWith({
    '.ai-agent.json': localProvider(url),
    'desk.ai': cached(['agents: child.ai']),
    'child.ai': agentFile(['models: local/m', 'description: Helps.']),
  });
  await run(['desk.ai', 'one'], { cwd });
  expect(heard).toHaveLength(3);
  const { stderr } = await run(['desk.ai', 'two', '--show-tree'], { cwd });
  expect(heard).toHaveLength(5);
  expect(stderr).toMatch(/child "r": completed, from cache/);
});

test('embedders share the folder, and an earlier conversation makes another question', async () => {
  const { url, heard } = await counting();
  const cwd = await folderWith({ '.ai-agent.json': localProvider(url), 'desk.ai': cached() });
  const [said] = await answers(cwd, ['hello']);
  const { agent, session } = await loadAgent(join(cwd, 'desk.ai'), { cwd });
  const history = (text: string) => [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }];
  const cache = new FileCache({ folder: join(cwd, 'home/.ai-agent/cache') });
  const told = async (options: object) => {
    const { text } = await ask(agent, 'hello', { ...session, ports: { cache }, ...options });
    await cache.settled();
    return text;
  };
  expect([said, await told({})]).toEqual(['answer 1', 'answer 1']);
  expect(await told({ history: history('We spoke of ships.') })).toBe('answer 2');
  expect(await told({ history: history('We spoke of trains.') })).toBe('answer 3');
  expect(await told({ history: history('We spoke of ships.') })).toBe('answer 2');
  expect(heard).toHaveLength(3);
});

test('two processes at once both answer, and the next one is answered', async () => {
  const { url, heard } = await counting();
  const cwd = await folderWith({ '.ai-agent.json': localProvider(url), 'desk.ai': cached() });
  const both = await Promise.all(['a', 'b'].map(() => run(['desk.ai', 'hello'], { cwd })));
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  const asked = heard.length;
  const [said] = await answers(cwd, ['hello']);
  expect(both.map(({ stdout }) => stdout.trim())).toContain(said);
  expect(heard).toHaveLength(asked);
});

test('a file that is damaged is worked out again, and mended', async () => {
  const { url } = await counting();
  const cwd = await folderWith({ '.ai-agent.json': localProvider(url), 'desk.ai': cached() });
  await answers(cwd, ['hello']);
  const folder = join(cwd, 'home/.ai-agent/cache');
  for (const name of await readdir(folder)) await writeFile(join(folder, name), 'damaged');
  expect(await answers(cwd, ['hello', 'hello'])).toEqual(['answer 2', 'answer 2']);
});

test('a folder that cannot be used costs no answer, and is told', async () => {
  const { url } = await counting();
  const config = { ...localProvider(url), cache: { path: 'kept', maxEntries: 10 } };
  const cwd = await folderWith({ '.ai-agent.json': config, 'desk.ai': cached() });
  await mkdir(join(cwd, 'kept'));
  await chmod(join(cwd, 'kept'), 0o777);
  const open = await run(['desk.ai', 'hello'], { cwd });
  expect([open.code, open.stdout]).toEqual([0, 'answer 1\n']);
  expect(open.stderr).toMatch(/^warning: Answers are not kept in .*kept: others can write there\.$/m);
  await chmod(join(cwd, 'kept'), 0o700);
  expect(await answers(cwd, ['hello', 'hello'])).toEqual(['answer 2', 'answer 2']);
  await writeFile(join(cwd, 'file'), '');
  await writeFile(join(cwd, '.ai-agent.json'), JSON.stringify({ ...config, cache: { path: 'file/inside' } }));
  expect(await run(['desk.ai', 'hello', '--quiet'], { cwd })).toMatchObject({
    code: 0,
    stdout: 'answer 3\n',
    stderr: '',
  });
});

test('a full disk costs no answer', async () => {
  const { url } = await counting();
  const cwd = await folderWith({ '.ai-agent.json': localProvider(url), 'desk.ai': cached() });
  // No byte more may be written to any file.
  const full = ['-c', 'ulimit -f 0; exec "$0" "$@"', command, 'desk.ai', 'hello'];
  const { code, stdout, stderr } = await run(full, { cwd, program: '/bin/sh' });
  expect([code, stdout]).toEqual([0, 'answer 1\n']);
  expect(stderr).toMatch(
    /^warning: Answers are not kept in .*home\/\.ai-agent\/cache: EFBIG.*\nWhat to do: Make room there, or /m,
  );
  expect(await readdir(join(cwd, 'home/.ai-agent/cache'))).toEqual([]);
});

test('a folder that takes none is told, and the command ends', async () => {
  const { url } = await counting();
  const config = { ...localProvider(url), cache: { path: '/proc/kept' } };
  const cwd = await folderWith({ '.ai-agent.json': config, 'desk.ai': cached() });
  const ended = await run(['desk.ai', 'hello'], { cwd });
  expect(ended).toMatchObject({ code: 0, stdout: 'answer 1\n' });
  expect(ended.stderr).toMatch(/^warning: Answers are not kept in \/proc\/kept: .*\nWhat to do: Name a folder /m);
});

test('without a home, nothing is written where the command was started', async () => {
  const { url } = await counting();
  const cwd = await folderWith({ '.ai-agent.json': localProvider(url), 'desk.ai': cached() });
  for (const home of ['', 'relative']) {
    const { code, stderr } = await run(['desk.ai', 'hello'], { cwd, env: { HOME: home } });
    expect(code).toBe(0);
    expect(stderr).toMatch(/^warning: Answers are kept for this run alone: .*\nWhat to do: /m);
  }
  expect((await readdir(cwd)).sort()).toEqual(['.ai-agent.json', 'desk.ai', 'home']);
});

test('the number of entries may be a variable; a variable that says nothing is told', async () => {
  const { url } = await counting();
  const cache = { path: '$' + '{DESK_FOLDER}/kept', maxEntries: '$' + '{DESK_MOST}' };
  const cwd = await folderWith({ '.ai-agent.json': { ...localProvider(url), cache }, 'desk.ai': cached() });
  const env = { DESK_FOLDER: join(cwd, 'deep'), DESK_MOST: '2' };
  await answers(cwd, ['a', 'b', 'c'], env);
  expect(await readdir(join(cwd, 'deep/kept'))).toHaveLength(2);
  const { code, stdout } = await run(['check', 'desk.ai'], { cwd, env: { DESK_MOST: 'canary' } });
  expect([code, stdout.includes('canary')]).toEqual([0, false]);
  expect(stdout).toMatch(/warning: cache\.path: nobody defines DESK_FOLDER; answers are kept in the usual folder/);
  expect(stdout).toMatch(/warning: cache\.maxEntries: what DESK_MOST holds is no whole number from 1; 5000 are kept/);
});

test('another backend is told, and files are used', async () => {
  const { url, heard } = await counting();
  const config = { ...localProvider(url), cache: { backend: 'redis', redis: { url: 'redis://localhost' } } };
  const cwd = await folderWith({ '.ai-agent.json': config, 'desk.ai': cached() });
  const { stderr } = await run(['desk.ai', 'hello'], { cwd });
  expect(stderr).toMatch(/warning: cache\.backend: this version does not use redis; answers are kept in files/);
  await run(['desk.ai', 'hello'], { cwd });
  expect(heard).toHaveLength(1);
});
