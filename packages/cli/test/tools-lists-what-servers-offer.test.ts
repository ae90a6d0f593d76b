// `ai-agent tools <file>` asks the servers of an agent: what they have is listed, and who cannot be asked is named.

import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';
import { littleServer } from './support/little-server.ts';
import { startInTerminal } from './support/pty.ts';

const api = {
  openapi: '3.1.0',
  info: { title: 'Ships', version: '1' },
  servers: [{ url: 'http://127.0.0.1:1' }],
  paths: { '/ships': { get: { operationId: 'listShips', responses: { 200: { description: 'ok' } } } } },
};

const config = {
  mcpServers: { little: littleServer(), broken: littleServer('broken') },
  restTools: { tide: { description: 'The tide', method: 'POST', url: 'http://127.0.0.1:1/tide' } },
  openapiSpecs: { ships: { spec: 'ships.json' } },
};

const files = (tools: string) => ({
  'desk.ai': agentFile(['models: openai/gpt-5.4', `tools: [${tools}]`]),
  'ships.json': api,
  '.ai-agent.json': config,
});

test('tools of servers, of REST and of an API stand with whose they are, and whether they only look', async () => {
  const cwd = await folderWith(files('little, "!little__slow", tide, "openapi:ships"'));
  const { code, stdout, stderr } = await run(['tools', 'desk.ai'], { cwd });
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/^desk has 4 tools\.$/m);
  expect(stdout).toMatch(/^little__echo\n {2}echo, server little, read-only\n {2}Says it again\n {4}text: string$/m);
  expect(stdout).toMatch(/^little__ask\n {2}ask, server little\n/m);
  expect(stdout).toMatch(/^rest__tide\n {2}\S+, REST tide\n {2}The tide$/m);
  expect(stdout).toMatch(/^rest__ships_listShips\n {2}\S+, OpenAPI ships, read-only\n/m);
  expect(stdout).not.toContain('little__slow');
  const document = JSON.parse((await run(['tools', 'desk.ai', '--json'], { cwd })).stdout);
  const echo = { name: 'little__echo', from: { type: 'server', name: 'little' }, isReadOnly: true };
  expect(document).toMatchObject({ agent: 'desk', failed: [] });
  expect(document.tools).toContainEqual(expect.objectContaining(echo));
  expect(document.tools).toContainEqual(expect.objectContaining({ from: { type: 'rest', name: 'tide' } }));
  expect(document.tools).toContainEqual(expect.objectContaining({ from: { type: 'openapi', name: 'ships' } }));
});

test('one that cannot be asked is told with its own words; the others are listed', async () => {
  const cwd = await folderWith(files('broken, little'));
  const { code, stdout } = await run(['tools', 'desk.ai'], { cwd });
  expect(code).toBe(3);
  expect(stdout).toMatch(/^desk has 3 tools\.$/m);
  expect(stdout).toMatch(/^server broken could not be asked \(\w+\): .*no database.*\nWhat to do: .+$/m);
  const ended = await run(['tools', 'desk.ai', '--json'], { cwd });
  expect(ended.code).toBe(3);
  expect(JSON.parse(ended.stdout).failed).toEqual([
    {
      section: 'mcpServers',
      name: 'broken',
      problem: {
        class: expect.any(String),
        code: 'tool-source-failed',
        message: expect.stringContaining('no database'),
        remedy: expect.any(String),
      },
    },
  ]);
});

test('a pattern that fits the whole name of a tool is no mistake, where models see another', async () => {
  const cwd = await folderWith({
    'desk.ai': agentFile([
      'models: openai/gpt-5.4',
      'tools: ["tide.now"]',
      'permissions: { deny: ["rest__tide.now"] }',
    ]),
    '.ai-agent.json': { restTools: { 'tide.now': config.restTools.tide } },
  });
  const { code, stdout } = await run(['tools', 'desk.ai'], { cwd });
  expect(code).toBe(0);
  expect(stdout).not.toContain('fits no tool');
});

test('a variable that a server needs is needed here too', async () => {
  const cwd = await folderWith({
    ...files('little'),
    '.ai-agent.json': { mcpServers: { little: { ...littleServer(), env: { LITTLE_WORD: `$\{WORD}` } } } },
  });
  const { code, stderr } = await run(['tools', 'desk.ai'], { cwd });
  expect([code, stderr]).toEqual([1, expect.stringContaining('Missing: WORD')]);
  expect((await run(['tools', 'desk.ai'], { cwd, env: { WORD: 'moin' } })).code).toBe(0);
});

test('on a terminal a line says who is being started, and is gone afterwards', async () => {
  const cwd = await folderWith(files('little'));
  const terminal = startInTerminal(['tools', 'desk.ai'], { cwd });
  expect(await terminal.ended).toBe(0);
  expect(terminal.raw()).toContain('starting little…');
  expect(terminal.history().join('\n')).not.toContain('starting');
});

test('a tool that needs leave is marked; a pattern that fits no tool is noted', async () => {
  const permissions = 'permissions: { allow: ["little__*", "rest__tied"], ask: ["*__slow"], deny: ["github__*"] }';
  const cwd = await folderWith({
    ...files('"little__e*", "little__s*", "!litle__x*", tide'),
    'desk.ai': agentFile([
      'models: offline/demo',
      'tools: ["little__e*", "little__z*", "!litle__x*", tide]',
      permissions,
    ]),
    '.ai-agent.json': {
      ...config,
      mcpServers: { little: { ...littleServer(), toolsAllowed: ['echo', 'slow', 'eco'] } },
    },
  });
  const notes = [
    ['tools', 'little__z*'],
    ['tools', '!litle__x*'],
    ['mcpServers.little.toolsAllowed', 'eco'],
    ['permissions.allow', 'rest__tied'],
    ['permissions.deny', 'github__*'],
  ];
  const { code, stdout } = await run(['tools', 'desk.ai', '--tools', 'little,tide'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^little__slow\n {2}slow, server little, needs approval$/m);
  expect(stdout).toMatch(/^Note: mcpServers\.little\.toolsAllowed: "eco" fits no tool; did you mean echo\?$/m);
  expect(stdout).toMatch(/^Note: permissions\.deny: "github__\*" fits no tool\.$/m);
  expect(stdout).not.toContain('Note: tools');
  const whole = JSON.parse((await run(['tools', 'desk.ai', '--json'], { cwd })).stdout);
  expect(whole.notes.map(({ key, pattern }: { key: string; pattern: string }) => [key, pattern])).toEqual([
    ...notes.slice(0, 4),
    ['permissions.ask', '*__slow'],
    notes[4],
  ]);
});

test('on a terminal the list is what a run there offers: a server may look whether a person can be asked', async () => {
  const cwd = await folderWith({
    'desk.ai': agentFile(['models: offline/demo', 'tools: little']),
    '.ai-agent.json': { mcpServers: { little: littleServer('polite') } },
  });
  expect((await run(['tools', 'desk.ai'], { cwd })).stdout).not.toContain('little__ask');
  const terminal = startInTerminal(['tools', 'desk.ai'], { cwd });
  expect(await terminal.ended).toBe(0);
  expect(terminal.history().join('\n')).toContain('little__ask');
});
