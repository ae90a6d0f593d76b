// `--trace-mcp`: every message to a server and from it, and what it writes beside, on stderr, without keys.

import { expect, test } from 'vitest';
import { resultsIn } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { littleServer } from './support/little-server.ts';
import { served } from './support/served.ts';

const word = 'Zx9canaryQ7vT-and-more';

const desk = async (more: object = {}) => {
  const model = await served(
    (request) => resultsIn(request)[0] ?? { calls: [{ name: 'little__echo', input: { text: 'moin' } }] },
  );
  return folderWith({
    'desk.ai': agentFile(['models: local/m', 'tools: little']),
    '.ai-agent.json': { ...localProvider(model.baseUrl), mcpServers: { little: { ...littleServer(), ...more } } },
  });
};

test('messages both ways, each with what it is', async () => {
  const { code, stdout, stderr } = await run(['desk.ai', '--trace-mcp', 'hello'], { cwd: await desk() });
  expect([code, stdout]).toEqual([0, 'echo: moin\n']);
  expect(stderr).toMatch(/^⇒ little initialize #\S+\n {4}│ \{.*"protocolVersion"/m);
  expect(stderr).toMatch(/^⇒ little tools\/call #\d+\n {4}│ \{.*"echo".*"moin"/m);
  expect(stderr).toMatch(/^⇐ little answer to #\d+\n {4}│ .*echo: moin/m);
});

test('a key of its environment is struck out, also where the server says it again', async () => {
  const cwd = await desk({ env: { LITTLE_WORD: `$\{LITTLE_TOKEN}` } });
  const { code, stdout, stderr } = await run(['desk.ai', '--trace-mcp', 'hello'], { cwd, env: { LITTLE_TOKEN: word } });
  expect(code).toBe(0);
  expect(`${stdout}${stderr}`).not.toContain(word);
  expect(stdout).toBe('echo: moin ***\n');
});

test('without it nothing of this is shown', async () => {
  const { stderr } = await run(['desk.ai', 'hello'], { cwd: await desk() });
  expect(stderr).not.toMatch(/[⇒⇐]/);
});
