// The promise: flags of an existing set-up that have something to do here do it.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { promptIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { littleServer } from './support/little-server.ts';
import { completion, listening, served, streamed } from './support/served.ts';

const child = agentFile(['description: Looks into things', 'models: local/child']);

const deskAnd = async (files: Readonly<Record<string, string | object>> = {}) => {
  const model = await served(promptIn);
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m'], `Form: $\{FORMAT}`),
    'child.ai': child,
    '.ai-agent.json': localProvider(model.baseUrl),
    ...files,
  });
  return { model, cwd, run: (...args: readonly string[]) => run(args, { cwd }) };
};

test.each([
  ['--agent', ['--agent', 'desk.ai', 'good', 'morning']],
  ['--agent=', ['good morning', '--agent=desk.ai']],
  ['run --agent', ['run', '--agent', 'desk.ai', 'good morning']],
  ['@file', ['@desk.ai', 'good morning']],
  ['run @file', ['run', '@desk.ai', 'good morning']],
])('%s names the file', async (_, args) => {
  const desk = await deskAnd();
  expect(await desk.run(...args, '-q')).toEqual({ code: 0, stdout: 'good morning\n', stderr: '' });
});

test('one agent is named, once; a file that is not there is no prompt', async () => {
  const desk = await deskAnd();
  const each: readonly (readonly [readonly string[], RegExp])[] = [
    [
      ['--agent', 'desk.ai', '--agent', 'child.ai', 'hi'],
      /one agent runs at a time\. To serve several, say where: --api 8080/,
    ],
    [['child.ai', '--agent', 'desk.ai', 'hi'], /one agent runs at a time; name it once/],
    [['check', '--agent', 'desk.ai'], /check has no option --agent/],
    [['@nobody.ai', 'hi'], /there is no agent at nobody\.ai/],
    [['--agent', 'nobody.ai', 'hi'], /there is no agent at nobody\.ai/],
    [['You are a poet.', 'hi'], /there is no agent at You are a poet\./],
  ];
  const ended = await Promise.all(each.map(([args]) => desk.run(...args)));
  for (const [i, { code, stdout, stderr }] of ended.entries()) {
    expect([code, stdout]).toEqual([4, '']);
    expect(stderr).toMatch(each[i]?.[1] as RegExp);
  }
  expect(desk.model.requests).toHaveLength(0);
});

test.each(['run to the hills', 'list all ships', 'check', 'init'])('behind --agent "%s" is a prompt', async (words) => {
  const desk = await deskAnd();
  const { code, stdout } = await desk.run('-q', '--agent', 'desk.ai', ...words.split(' '));
  expect([code, stdout]).toEqual([0, `${words}\n`]);
});

test('a word after -- is the prompt, whatever command is called so; --agent --help shows the agent', async () => {
  const desk = await deskAnd();
  expect((await desk.run('--agent', 'desk.ai', '-q', '--', 'check')).stdout).toBe('check\n');
  expect((await desk.run('--agent', 'child.ai', '--help')).stdout).toContain('Looks into things');
});

test('what has nothing to do here is taken, and changes nothing', async () => {
  const desk = await deskAnd();
  const plain = await desk.run('desk.ai', '-q', 'hello');
  const flags = ['--chat', '--no-chat', '--trace-mcp', '--verbose', '-v', '--mcp-init-concurrency', '3', '--show-tree'];
  const ended = await desk.run('desk.ai', ...flags, 'hello');
  expect([ended.code, ended.stdout]).toEqual([0, plain.stdout]);
  expect(desk.model.requests[1]).toEqual(desk.model.requests[0]);
});

test('--models, --agents, --tools and --plugins replace the lists of the file', async () => {
  const desk = await deskAnd({
    'lead.ai': agentFile(['models: local/other', 'agents: nobody.ai', 'tools: nobody', 'plugins: nobody.js']),
  });
  const ended = await desk.run(
    ...['lead.ai', '-q', '--models', 'local/mine', '--agents=child.ai', '--tools=', '--plugins=', 'hello'],
  );
  expect(ended).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
  expect(desk.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['agent__child']);
});

test('--tools names tools of servers in place of those of the file', async () => {
  const desk = await deskAnd({ 'lead.ai': agentFile(['models: local/m', 'tools: nobody']) });
  const config = join(desk.cwd, 'more.json');
  const { baseUrl } = desk.model;
  await writeFile(config, JSON.stringify({ ...localProvider(baseUrl), mcpServers: { little: littleServer() } }));
  const ended = await desk.run('lead.ai', '-q', '--config', 'more.json', '--tools', 'little,!little__slow', 'hello');
  expect(ended).toEqual({ code: 0, stdout: 'hello\n', stderr: '' });
  expect(desk.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['little__echo', 'little__ask']);
});

test('--dry-run loads everything, needs no prompt, and runs nothing', async () => {
  const desk = await deskAnd({
    'lead.ai': agentFile(['models: local/m', 'agents: child.ai']),
    'lost.ai': agentFile(['models: local/m', 'agents: nobody.ai']),
    'keyless.ai': agentFile(['models: openai/gpt-5']),
  });
  const [good, lost, keyless, missing, both] = await Promise.all([
    desk.run('lead.ai', '--dry-run'),
    desk.run('lost.ai', '--dry-run'),
    desk.run('keyless.ai', '--dry-run'),
    desk.run('nobody.ai', '--dry-run'),
    desk.run('lead.ai', '--dry-run', '--json'),
  ]);
  expect(good).toEqual({
    code: 0,
    stdout: 'lead.ai is ready to run: 2 agents loaded, with their models and keys. Nothing was run.\n',
    stderr: '',
  });
  expect([lost.code, keyless.code, missing.code, both.code]).toEqual([1, 1, 4, 4]);
  expect(keyless.stderr).toContain('OPENAI_API_KEY');
  expect(desk.model.requests).toHaveLength(0);
});

test('a folder of that name is no file of --agent', async () => {
  const desk = await deskAnd();
  await mkdir(join(desk.cwd, 'many'));
  expect((await desk.run('--agent', 'many', 'hi')).stderr).toContain('many is a folder');
});

test('--default-reasoning is for files that say nothing; --stream and --no-stream are sent as said', async () => {
  const { url, heard } = await listening(({ body }, response) =>
    JSON.parse(body).stream === true ? streamed(response, ['yes']) : completion(response, 'yes'),
  );
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: local/m']),
    'sure.ai': agentFile(['models: local/m', 'reasoning: low']),
    '.ai-agent.json': { ...localProvider(url), defaults: { reasoning: 'minimal' } },
  });
  const asked = async (...args: readonly string[]) => {
    expect(await run([...args, '-q', 'hello'], { cwd })).toEqual({ code: 0, stdout: 'yes\n', stderr: '' });
    const { reasoning_effort: level, stream } = JSON.parse(heard.at(-1)?.body ?? '');
    return [level, stream === true];
  };
  expect(await asked('desk.ai', '--no-stream')).toEqual(['minimal', false]);
  expect(await asked('desk.ai', '--default-reasoning', 'high', '--no-stream', '--stream')).toEqual(['high', true]);
  expect(await asked('sure.ai', '--default-reasoning=high')).toEqual(['low', true]);
  expect(await asked('sure.ai', '--default-reasoning=high', '--reasoning=medium')).toEqual(['medium', true]);
});

test.each([
  ['pipe', 'Plain text'],
  ['plain-text', 'Plain text'],
  ['tty', 'Plain text'],
  ['ansi', 'Plain text'],
  ['sub-agent', 'Plain text'],
  ['markdown', 'GitHub-flavoured Markdown'],
  ['markdown+mermaid', 'GitHub-flavoured Markdown'],
  ['slack-block-kit', 'GitHub-flavoured Markdown'],
  ['json', 'One JSON value'],
])('--format %s fills FORMAT, and is what the answer must be', async (id, words) => {
  const desk = await deskAnd();
  const ended = await desk.run('desk.ai', '-q', '--format', id, '{"a": 1}');
  expect([ended.code, ended.stdout]).toEqual([0, id === 'json' ? '{"a":1}\n' : '{"a": 1}\n']);
  expect(desk.model.requests[0]?.system).toContain(`Form: ${words}`);
});

test('what a file says of its output stands beside --format', async () => {
  const desk = await deskAnd({
    'plain.ai': agentFile(['models: local/m', 'output: { format: text }']),
    'exact.ai': agentFile(['models: local/m', 'output: { format: json }']),
  });
  const [kept, noted, refused, unknown] = await Promise.all([
    desk.run('exact.ai', '-q', '--format', 'json', '[1]'),
    desk.run('exact.ai', '--format', 'pipe', '[1]'),
    desk.run('plain.ai', '--format', 'json', '[1]'),
    desk.run('desk.ai', '--format', 'markdwon', 'hi'),
  ]);
  expect(kept).toEqual({ code: 0, stdout: '[1]\n', stderr: '' });
  expect([noted.code, noted.stdout]).toEqual([0, '[1]\n']);
  expect(noted.stderr).toContain('The file of exact says that its output is json, and that holds');
  expect([refused.code, unknown.code]).toEqual([4, 4]);
  expect(refused.stderr).toContain('--format json cannot change that');
  expect(unknown.stderr).toContain('Did you mean markdown?');
});
