// The promise: programs answer for the folder they run in; what they said in one is kept for that one, be it the result of a tool
// or a whole answer; with real programs and a real HTTP model, through the built command.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call } from './support/calls.ts';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { littleServer } from './support/little-server.ts';
import { served } from './support/served.ts';

/** One agent, one configuration and one home; the command is started in a and in b. */
async function shells(server: object, frontmatter: readonly string[]) {
  const model = await served(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== 'tool') return { calls: [call('little__echo', { text: 'in' })] };
    return JSON.stringify(last);
  });
  const root = await folderWith({
    '.ai-agent.json': {
      ...localProvider(model.baseUrl),
      mcpServers: { little: { ...littleServer('where'), ...server } },
    },
    'desk.ai': agentFile(['models: local/m', 'tools: little', ...frontmatter]),
  });
  const ask = async (folder: string) => {
    await mkdir(join(root, folder), { recursive: true });
    const options = { cwd: join(root, folder), env: { HOME: join(root, 'home') } };
    const { code, stdout, stderr } = await run([join(root, 'desk.ai'), '-q', 'Where?'], options);
    expect([code, stderr]).toEqual([0, '']);
    return /echo: in [^"]*\/(\w+)/.exec(stdout)?.[1];
  };
  return { ask, model };
}

test('the result of a tool', async () => {
  const { ask } = await shells({ cache: '1h' }, []);
  expect([await ask('a'), await ask('b'), await ask('a')]).toEqual(['a', 'b', 'a']);
});

test('a whole answer', async () => {
  const { ask, model } = await shells({}, ['cache: 1h']);
  expect([await ask('a'), await ask('b'), await ask('a')]).toEqual(['a', 'b', 'a']);
  expect(model.requests).toHaveLength(4);
});

test('one that has a folder of its own says the same wherever the command is started', async () => {
  const { ask, model } = await shells({ cwd: 'home', cache: '1h' }, []);
  expect([await ask('a'), await ask('b')]).toEqual(['home', 'home']);
  const results = model.requests.flatMap(({ messages }) => messages.filter(({ role }) => role === 'tool'));
  expect(results).toHaveLength(2);
});
