// `ai-agent check --connect` starts every server that agents name, once, and reads what is set up of APIs; without it nothing is started.

import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';
import { littleServer } from './support/little-server.ts';

const agent = (...lines: readonly string[]) =>
  agentFile(['description: d', 'usage: u', 'output: {format: text}', 'models: offline/demo', ...lines]);

const folder = (config: object) =>
  folderWith({
    'lead.ai': agent('agents: child.ai', 'tools: little'),
    'child.ai': agent('tools: little__echo, tide'),
    '.ai-agent.json': config,
  });

const tide = { description: 'The tide', method: 'GET', url: 'http://127.0.0.1:1/tide' };

test('each once, with how many tools it has and which protocol it speaks', async () => {
  const cwd = await folder({ mcpServers: { little: littleServer() }, restTools: { tide } });
  const [words, document] = await Promise.all([
    run(['check', '--connect', 'lead.ai'], { cwd }),
    run(['check', '--connect', 'lead.ai', '--json'], { cwd }),
  ]);
  expect(words).toEqual({
    code: 0,
    stdout: '2 agents checked: 0 errors, 0 warnings; 1 of 1 server reached, 1 of 1 REST tool read\n',
    stderr: '',
  });
  expect(JSON.parse(document.stdout).connections).toEqual([
    {
      kind: 'server',
      name: 'little',
      file: join(cwd, '.ai-agent.json'),
      status: 'ok',
      ms: expect.any(Number),
      tools: 3,
      protocolVersion: '2025-11-25',
    },
    {
      kind: 'rest',
      name: 'tide',
      file: join(cwd, '.ai-agent.json'),
      status: 'ok',
      ms: expect.any(Number),
      tools: 1,
    },
  ]);
});

test('one that does not start is an error where it is named, in its own words', async () => {
  const cwd = await folder({ mcpServers: { little: littleServer('broken') }, restTools: { tide } });
  const { code, stdout } = await run(['check', '--connect', 'lead.ai'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^lead\.ai:7: error: tools: .*no database/m);
  expect(stdout).toMatch(/^child\.ai:6: error: tools: .*no database/m);
  expect(stdout).toMatch(/; 0 of 1 server reached, 1 of 1 REST tool read$/m);
  const document = JSON.parse((await run(['check', '--connect', 'lead.ai', '--json'], { cwd })).stdout);
  expect(document.connections).toContainEqual(
    expect.objectContaining({
      kind: 'server',
      status: 'failed',
      problem: expect.objectContaining({ message: expect.stringContaining('no database') }),
    }),
  );
  expect(document.problems).toContainEqual(expect.objectContaining({ file: join(cwd, 'lead.ai'), key: 'tools' }));
});

test('without it, what is wrong with a set-up is said, and nothing is started', async () => {
  const cwd = await folder({
    mcpServers: { little: littleServer('broken'), odd: { url: 'ftp://x' } },
    restTools: { tide },
  });
  const { code, stdout } = await run(['check', 'lead.ai'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain('odd');
  expect(stdout).not.toContain('no database');
});

test('two of one name in two folders are two', async () => {
  const cwd = await folderWith({
    'a/one.ai': agent('tools: little'),
    'a/.ai-agent.json': { mcpServers: { little: littleServer() } },
    'b/two.ai': agent('tools: little'),
    'b/.ai-agent.json': { mcpServers: { little: littleServer() } },
  });
  const { stdout } = await run(['check', '--connect', 'a', 'b'], { cwd });
  expect(stdout).toContain('; 2 of 2 servers reached');
  const { connections } = JSON.parse((await run(['check', '--connect', 'a', 'b', '--json'], { cwd })).stdout);
  expect(connections.map(({ file }: { file: string }) => file)).toEqual([
    join(cwd, 'a/.ai-agent.json'),
    join(cwd, 'b/.ai-agent.json'),
  ]);
});

test('what somebody names and a server does not have is told, as an error where a run would fail', async () => {
  const cwd = await folderWith({
    'one.ai': agent('tools: little__eco'),
    'two.ai': agent('tools: "little__z*"'),
    '.ai-agent.json': { mcpServers: { little: { ...littleServer(), toolsAllowed: ['echo', 'eco'] } } },
  });
  const { code, stdout } = await run(['check', '--connect', 'one.ai', 'two.ai'], { cwd });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^one\.ai:6: error: tools: mcpServers\.little offers no little__eco, which the agent names/m);
  expect(stdout).toMatch(/^two\.ai:6: warning: tools: no tool of mcpServers\.little fits what the agent names/m);
  const allowed =
    /^\.ai-agent\.json:3: warning: mcpServers\.little\.toolsAllowed: "eco" fits no tool; did you mean echo\?$/gm;
  expect(stdout.match(allowed)).toHaveLength(1);
  expect(stdout).toContain('1 error, 2 warnings; 1 of 1 server reached');
});
