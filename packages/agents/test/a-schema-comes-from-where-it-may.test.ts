// The promise: a schema file is read from below the top agent's folder, the nearest configuration's folder, or one of includeRoots.

import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SubagentRegistry } from '../src/index.ts';
import { agentFile, childFile, loadFiles, toWorld, writeFiles } from './support/world.ts';

const schema = { type: 'object' };
const naming = (path: string) => agentFile(`output: { schemaRef: ${path} }`);
const codes = async (files: Record<string, unknown>, entry: string) =>
  (await loadFiles({ 'home/.keep': '', ...files }, [entry])).problems.map(({ code, key }) => `${code} ${key}`);

test('below the folder of the top agent, for its sub-agents too', async () => {
  expect(await codes({ 'x/desk.ai': naming('deep/s.json'), 'x/deep/s.json': schema }, 'x/desk.ai')).toEqual([]);
  const child = childFile('output: { schemaRef: ../s.json }');
  const files = { 'x/lead.ai': agentFile('agents: team/desk.ai'), 'x/team/desk.ai': child, 'x/s.json': schema };
  expect(await codes(files, 'x/lead.ai')).toEqual([]);
  expect(await codes(files, 'x/team/desk.ai')).toEqual(['file-refused output']);
});

test('below the folder of the nearest configuration', async () => {
  const files = { 'x/y/desk.ai': naming('../s.json'), 'x/s.json': schema };
  expect(await codes(files, 'x/y/desk.ai')).toEqual(['file-refused output']);
  expect(await codes({ ...files, 'x/.ai-agent.json': {} }, 'x/y/desk.ai')).toEqual([]);
});

test('below a folder that the configuration names', async () => {
  const files = { 'x/desk.ai': naming('../shared/s.json'), 'shared/s.json': schema };
  expect(await codes(files, 'x/desk.ai')).toEqual(['file-refused output']);
  const named = { ...files, 'x/.ai-agent.json': { includeRoots: ['../shared'] } };
  const { agents, problems } = await loadFiles({ 'home/.keep': '', ...named }, ['x/desk.ai']);
  expect(problems).toEqual([]);
  expect(agents[0]?.agent.output).toMatchObject({ schema });
});

test('a link out of these folders leads nowhere', async () => {
  const folder = writeFiles({ 'x/desk.ai': naming('s.json'), 'secret/s.json': schema });
  symlinkSync('../secret/s.json', join(folder, 'x/s.json'));
  const { problems } = await SubagentRegistry.load(['x/desk.ai'], toWorld(folder));
  expect(problems.map(({ code, line, key }) => [code, line, key])).toEqual([['file-refused', 3, 'output']]);
});

test('one that is not there is told where it is named', async () => {
  const { problems } = await loadFiles({ 'desk.ai': naming('s.json') }, ['desk.ai']);
  expect(problems).toMatchObject([{ code: 'file-missing', file: 'desk.ai', line: 3, key: 'output' }]);
  expect(problems[0]?.message).toContain('s.json');
});
