// The promise: with --watch a change of files is served from the next request on; what runs goes on as it began, and what is wrong is never served.

import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider } from './support/command.ts';
import { littleServer, processesWith } from './support/little-server.ts';
import { completion, listening } from './support/served.ts';
import { serving } from './support/serving.ts';

/** Answers with its system prompt; with `wait` in it, when it is told to. */
async function telling() {
  const go = Promise.withResolvers<void>();
  const model = await listening(async ({ body }, response) => {
    const { messages } = JSON.parse(body);
    const system = JSON.stringify(messages[0].content);
    const said = /says (\w+)/.exec(system)?.[1] ?? 'nothing';
    if (JSON.stringify(messages.at(-1)).includes('wait')) await go.promise;
    completion(response, said);
  });
  return { ...model, go };
}

async function watched(files: Readonly<Record<string, string | object>>) {
  const model = await telling();
  const cwd = await folderWith({ '.ai-agent.json': localProvider(model.url), ...files });
  const server = await serving(['serve', 'agents', '--port', '0', '--watch'], { cwd });
  const says = async (agent: string, q = 'hi') => (await server.get(`/v1/${agent}?q=${q}`)).text;
  return { model, cwd, server, says, write: (name: string, text: string) => writeFile(join(cwd, name), text) };
}

const desk = (word: string, ...more: readonly string[]) => agentFile(['models: local/m', ...more], `It says ${word}.`);

test('a file that is written or put in its place, one it includes, a new one and one that is gone', async () => {
  const { cwd, server, says, write } = await watched({
    'agents/desk.ai': agentFile(['models: local/m'], "{% include 'part.md' %}"),
    'agents/part.md': 'It says one.',
  });
  expect(await says('desk')).toBe('one');
  await write('agents/part.md', 'It says two.');
  await expect.poll(() => says('desk')).toBe('two');
  // As editors do it.
  await write('agents/.desk.ai.tmp', desk('three'));
  await rename(join(cwd, 'agents/.desk.ai.tmp'), join(cwd, 'agents/desk.ai'));
  await expect.poll(() => says('desk')).toBe('three');
  await mkdir(join(cwd, 'agents/more'));
  await write('agents/more/new.ai', desk('four'));
  await expect.poll(() => says('new')).toBe('four');
  await rm(join(cwd, 'agents/desk.ai'));
  await expect.poll(async () => (await server.get('/v1/desk?q=hi')).status).toBe(404);
  expect(server.stderr()).toContain('part.md changed: desk is as its files say now.');
  expect(server.stderr()).toContain('new is new');
  expect(server.stderr()).toContain('desk is gone');
});

test.each([
  ['in a folder', 'agents', {}],
  ['by its name', 'agents/desk.ai', {}],
  ['by the configuration', undefined, { agents: ['agents/*.ai'] }],
])('the last file that is gone, found %s: it is 404, said, and there again with the file', async (_, entry, config) => {
  const model = await telling();
  const cwd = await folderWith({
    '.ai-agent.json': { ...localProvider(model.url), ...config },
    'agents/desk.ai': desk('one'),
    'other/never.ai.txt': desk('never'),
  });
  const named = entry === undefined ? [] : [entry];
  const server = await serving(['serve', ...named, '--port', '0', '--watch'], { cwd });
  const ask = async () => {
    const { status, text } = await server.get('/v1/desk?q=hi');
    return status === 200 ? text : JSON.parse(text).error.code;
  };
  expect(await ask()).toBe('one');
  await rm(join(cwd, 'agents/desk.ai'));
  await expect.poll(ask, { timeout: 5_000 }).toBe('agent-unknown');
  await expect.poll(server.stderr).toContain('No agent is left to serve: requests are 404 until there is one again.');
  expect((await server.get('/ready')).status).toBe(200);
  await writeFile(join(cwd, 'agents/desk.ai'), desk('two'));
  await expect.poll(ask, { timeout: 5_000 }).toBe('two');
});

test('a run goes on as it began, with the servers of its tools, which end when it has ended', async () => {
  const mark = `watched-${process.pid}-${Date.now()}`;
  const { model, server, says, write } = await watched({
    'agents/desk.ai': desk('before', 'tools: little'),
    'agents/.ai-agent.json': { mcpServers: { little: littleServer(mark) } },
  });
  const waiting = [says('desk', 'wait'), says('desk', 'wait')];
  await expect.poll(() => model.heard.length).toBe(2);
  // One server for the runs of one load.
  expect(processesWith(mark)).toBe(1);
  await write('agents/desk.ai', desk('after', 'tools: little'));
  await expect.poll(() => says('desk')).toBe('after');
  expect(processesWith(mark)).toBe(2);
  model.go.resolve();
  expect(await Promise.all(waiting)).toEqual(['before', 'before']);
  await expect.poll(() => processesWith(mark)).toBe(1);
  server.child.kill('SIGTERM');
  expect(await server.ended).toBe(0);
  await expect.poll(() => processesWith(mark)).toBe(0);
});

test('a mistake is said, and what was before is served until it is mended', async () => {
  const { server, says, write } = await watched({ 'agents/desk.ai': desk('right') });
  await write('agents/desk.ai', agentFile(['models: local/m', "agents: 'nobody.ai'"], 'It says wrong.'));
  await expect.poll(server.stderr).toContain('the agents from before still are');
  await expect.poll(server.stderr).toMatch(/desk\.ai:3: error: agents: /);
  expect(await says('desk')).toBe('right');
  await write('agents/nobody.ai', desk('here', 'description: Somebody'));
  await expect.poll(() => says('desk')).toBe('wrong');
  expect(await says('nobody')).toBe('here');
});

test('the configuration counts too; its keys hold after a new start', async () => {
  const { model, server, says, write } = await watched({ 'agents/desk.ai': agentFile([], 'It says it.') });
  const config = { ...localProvider(model.url), defaults: { models: 'local/m' }, api: { port: 0 } };
  await write('.ai-agent.json', JSON.stringify(config));
  await expect.poll(() => says('desk')).toBe('it');
  expect(server.stderr()).toContain(
    'The section api of the configuration changed: it holds when the server is started again.',
  );
});
