// `ai-agent check`: all files, all problems, one look; warnings are no failure.

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { listening } from './support/served.ts';

const good = agentFile(['description: Good', 'usage: ask it', 'output: {format: text}', 'models: offline/demo']);

const bad = {
  'bad/one.ai': agentFile(['models: offline/demo', 'maxTurn: 3', 'temperature: hot']),
  'bad/two.ai': '---\nmodels: [offline/demo\n---\nYou.\n',
  'bad/three.ai': agentFile(['models: nobody/m', 'agents: nowhere.ai']),
};

const ringOfThree = Object.fromEntries(
  ['a', 'b', 'c'].map((name, i) => [
    `ring/${name}.ai`,
    agentFile(['models: offline/demo', `description: ${name}`, `agents: ${'bca'[i]}.ai`]),
  ]),
);

const check = async (cwd: string, ...args: readonly string[]) => run(['check', ...args], { cwd });

describe('problems', () => {
  test('of several files and folders are told at once, each with file, line and key', async () => {
    const cwd = await folderWith({ 'good.ai': good, ...bad, ...ringOfThree });
    const { code, stdout, stderr } = await check(cwd, 'good.ai', 'bad', 'ring/a.ai');
    expect([code, stderr]).toEqual([1, '']);
    for (const line of [
      /^bad\/one\.ai:3: error: maxTurn: .*maxTurns/m,
      /^bad\/one\.ai:4: error: temperature: found "hot"; must be/m,
      /^bad\/two\.ai:\d: error: /m,
      /^bad\/three\.ai:2: error: models: nobody\/m: there is no provider nobody/m,
      /^bad\/three\.ai:3: error: agents: there is no agent at nowhere\.ai$/m,
      /^ring\/c\.ai:4: error: agents: these files form a cycle: a\.ai → b\.ai → c\.ai → a\.ai$/m,
    ])
      expect(stdout).toMatch(line);
    expect(stdout).not.toContain('good.ai');
    expect(stdout).toMatch(/^7 agents checked: 6 errors, \d+ warnings\n$/m);
  });

  test('--json: the same for programs', async () => {
    const cwd = await folderWith({ 'good.ai': good, ...bad });
    const { code, stdout, stderr } = await check(cwd, '--json', 'good.ai', 'bad');
    expect([code, stderr]).toEqual([1, '']);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      errors: 5,
      agents: [{ name: 'good', file: join(cwd, 'good.ai'), description: 'Good' }],
    });
    expect(document.files).toHaveLength(4);
    expect(document.problems.length).toBe(document.errors + document.warnings);
    expect(document.problems).toContainEqual({
      severity: 'error',
      code: 'key-invalid',
      file: join(cwd, 'bad/one.ai'),
      line: 4,
      key: 'temperature',
      message: expect.stringContaining('"hot"'),
      remedy: expect.any(String),
    });
  });

  test('of the configuration: a wrong type is an error with its line, an unknown key a warning', async () => {
    const cwd = await folderWith({
      'good.ai': good,
      '.ai-agent.json': '{\n  // comments are fine\n  "defaults": { "maxTurns": "many" },\n  "providrs": {}\n}',
    });
    const { code, stdout } = await check(cwd, 'good.ai');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^\.ai-agent\.json:3: error: defaults\.maxTurns: found "many"/m);
    expect(stdout).toMatch(/^\.ai-agent\.json:4: warning: providrs: .*providers/m);
  });
});

test('only warnings: exit 0, and each is said', async () => {
  const { url, heard } = await listening((_, response) => response.end());
  const cwd = await folderWith({
    'empty.ai': '---\nmodels: offline/demo\ndescription: Is empty.\n---\n',
    'idle.ai': agentFile(['models: offline/demo', 'toolOutput: { storeDir: results }']),
    'half.ai': agentFile(['models: openai/gpt-5, local/m']),
    '.ai-agent.json': localProvider(url),
  });
  const { code, stdout } = await check(cwd, 'empty.ai', 'idle.ai', 'half.ai');
  expect(code).toBe(0);
  for (const line of [
    /^empty\.ai: warning: there is no prompt below the frontmatter$/m,
    /^empty\.ai: warning: usage: is missing/m,
    /^empty\.ai: warning: output: is missing/m,
    /^idle\.ai:3: warning: toolOutput\.storeDir: has no effect/m,
    /^half\.ai:2: warning: models: Missing: OPENAI_API_KEY; define in shell or \.ai-agent\.env/m,
    /^3 agents checked: 0 errors, 9 warnings$/m,
  ])
    expect(stdout).toMatch(line);
  expect(heard).toHaveLength(0);
  expect(await run(['idle.ai', 'hello'], { cwd })).toMatchObject({ code: 0 });
});

test('a path that does not exist: exit 4, and the others are checked all the same', async () => {
  const cwd = await folderWith({ 'good.ai': good, 'empty/.keep': '' });
  const { code, stdout } = await check(cwd, 'good.ai', 'god.ai', 'empty', '*.md');
  expect(code).toBe(4);
  expect(stdout).toMatch(/^god\.ai: error: there is no agent at god\.ai; did you mean good\.ai\?$/m);
  expect(stdout).toMatch(/^empty: error: there is no agent at empty$/m);
  expect(stdout).toMatch(/^\*\.md: error: nothing fits \*\.md$/m);
  expect(stdout).toMatch(/^1 agent checked: 3 errors, 0 warnings$/m);
});

describe('without arguments', () => {
  test('what "agents" of the configuration names', async () => {
    const cwd = await folderWith({
      'here.ai': good,
      'team/there.ai': good,
      '.ai-agent.json': { agents: ['team/*.ai'] },
    });
    expect(await check(cwd)).toEqual({ code: 0, stdout: '1 agent checked: 0 errors, 0 warnings\n', stderr: '' });
    expect(JSON.parse((await check(cwd, '--json')).stdout).files).toEqual([join(cwd, 'team/there.ai')]);
  });

  test('else this folder', async () => {
    const cwd = await folderWith({ 'here.ai': good, 'team/there.ai': good, 'notes.md': 'no agent', ...bad });
    const { code, stdout } = await check(cwd);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^5 agents checked: 5 errors/m);
  });

  test('a folder without any agent is said', async () => {
    expect(await check(await folderWith({}))).toMatchObject({
      code: 4,
      stdout: expect.stringContaining('there is no agent'),
    });
  });
});

test('a provider whose entry is broken is one error, and not said to be missing', async () => {
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: lab/m']),
    '.ai-agent.json': { providers: { lab: 'x' } },
  });
  const { stdout } = await run(['check', 'desk.ai'], { cwd });
  expect(stdout).toContain('providers.lab: found text; must be an object');
  expect(stdout).not.toContain('desk.ai:2: error');
});

test('a name without its ending is understood', async () => {
  const cwd = await folderWith({ 'team/event.ai': agentFile(['models: offline/demo']), 'team/events': '' });
  const { code, stderr } = await run(['team/event', 'hello'], { cwd });
  expect([code, stderr]).toEqual([4, expect.stringContaining('did you mean team/event.ai?')]);
});

describe('documents and schemas that tools are made of', () => {
  const set = (spec: string | undefined, config: object = {}) =>
    folderWith({
      'desk.ai': agentFile(['models: offline/demo', 'tools: ["openapi:crm", tide]']),
      ...(spec === undefined ? {} : { 'crm.yaml': spec }),
      '.ai-agent.json': {
        openapiSpecs: { crm: { spec: 'crm.yaml' } },
        restTools: { tide: { url: 'http://127.0.0.1:1/', ...config } },
      },
    });
  const sound =
    'openapi: 3.1.0\ninfo: {title: x, version: "1"}\nservers: [{url: "http://x.example"}]\npaths: {/x: {get: {responses: {}}}}\n';

  test.each([
    ['is not there', undefined],
    ['is no document', 'just: words'],
    ['cannot be read', 'a: [b'],
  ])('a document that %s is an error where its file is written, also of a dry run', async (_, spec) => {
    const cwd = await set(spec);
    const [checked, dry] = await Promise.all([
      run(['check', 'desk.ai'], { cwd }),
      run(['desk.ai', '--dry-run'], { cwd }),
    ]);
    const line = /^\.ai-agent\.json:4: error: openapiSpecs\.crm\.spec: .*crm\.yaml/m;
    expect([checked.code, checked.stdout]).toEqual([1, expect.stringMatching(line)]);
    expect([dry.code, dry.stdout, dry.stderr]).toEqual([1, '', expect.stringMatching(line)]);
  });

  test('a schema of arguments that is none is an error; what is sound is none', async () => {
    const parametersSchema = { type: 'object', properties: { at: { type: 'harbour' } } };
    const { code, stdout } = await run(['check', 'desk.ai'], { cwd: await set(sound, { parametersSchema }) });
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/error: restTools\.tide\.parametersSchema: .*is not a valid JSON Schema: .*at.*type/),
    ]);
    const cwd = await set(sound);
    expect((await run(['check', 'desk.ai'], { cwd })).code).toBe(0);
    expect(await run(['desk.ai', '--dry-run'], { cwd })).toMatchObject({
      code: 0,
      stdout: 'desk.ai is ready to run: 1 agent loaded, with its models and keys. Nothing was run.\n',
    });
  });
});

test('what is wrong with a value of a server is told once, and its key is not said twice', async () => {
  const e = { command: 'x', type: 'foo', startTimeoutMs: 'abc', toolsCache: { a: 'q' }, shared: true, sampling: true };
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: offline/demo', 'tools: e']),
    '.ai-agent.json': { mcpServers: { e } },
  });
  const { problems } = JSON.parse((await run(['check', 'desk.ai', '--json'], { cwd })).stdout);
  const errors = problems.filter(({ severity }: { severity: string }) => severity === 'error');
  expect(errors.map(({ key }: { key: string }) => key)).toEqual(
    ['type', 'startTimeoutMs', 'toolsCache.a', 'shared'].map((key) => `mcpServers.e.${key}`),
  );
  for (const { message } of errors) expect(message).not.toContain('mcpServers.e');
});
