// The promise: with --watch a client is told when other agents are served than before, and only then; two that would be one tool are never served.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { agentFile, folderWith, run } from './support/command.ts';
import { initialize, initialized, onStdio } from './support/on-stdio.ts';

const agent = (about: string) => agentFile(['models: offline/demo', `description: ${about}`]);

test('a new agent, one that is another now, and a file that changes nothing', async () => {
  const cwd = await folderWith({ 'agents/desk.ai': agent('Answers.') });
  const write = (name: string, text: string) => writeFile(join(cwd, 'agents', name), text);
  const server = onStdio(['serve', 'agents', '--mcp', 'stdio', '--watch'], { cwd });
  server.send(initialize);
  await server.answer('hello');
  server.send(initialized);
  const heard = () => server.lines().filter((line) => line.includes('notifications/tools/list_changed')).length;
  await write('child.ai', agent('Helps.'));
  await expect.poll(heard, { timeout: 10_000 }).toBe(1);
  server.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  const tools = [{ name: 'child' }, { name: 'desk' }];
  expect((await server.answer(1)).result).toMatchObject({ tools });
  await write('desk.ai', agent('Answers everything.'));
  await expect.poll(heard, { timeout: 10_000 }).toBe(2);
  // Written again as it was.
  await write('desk.ai', agent('Answers everything.'));
  await expect.poll(server.stderr, { timeout: 10_000 }).toContain('no agent is another one by it');
  // The names are one as tools: what was there before goes on.
  await write('de.sk.ai', agent('Is one.'));
  await expect.poll(server.stderr, { timeout: 10_000 }).toContain('de.sk is new');
  await expect.poll(heard, { timeout: 10_000 }).toBe(3);
  await write('de_sk.ai', agent('Is the other.'));
  const why = /de_sk\.ai.*de\.sk\.ai is called de\.sk, which is de_sk as a tool, as de_sk is/;
  await expect.poll(server.stderr, { timeout: 10_000 }).toMatch(why);
  expect(server.stderr()).toContain('cannot be served; the agents from before still are.');
  server.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  const { result = {} } = await server.answer(2);
  expect((result.tools as { title: string }[]).map(({ title }) => title).sort()).toEqual(['child', 'de.sk', 'desk']);
  expect(heard()).toBe(3);
});

test('at the start, two that would be one tool are an error that names both files', async () => {
  const cwd = await folderWith({ 'a.b.ai': agent('One.'), 'a_b.ai': agent('Other.') });
  const { code, stderr } = await run(['serve', 'a.b.ai', 'a_b.ai', '--mcp', 'stdio'], { cwd });
  expect(code).toBe(1);
  expect(stderr).toMatch(/^a_b\.ai.*a\.b\.ai is called a\.b, which is a_b as a tool, as a_b is/m);
});
