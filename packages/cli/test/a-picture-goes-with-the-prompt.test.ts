// Files go with a prompt: from the command with --attach, in code as attachments; to the agent that is asked, and to nobody below it.

import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Agent, AIAgentSession, ask, asTool } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/cli/testing';
import type { ModelRequest } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { served } from './support/served.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const describing = async () => {
  const model = await served(() => 'a dot');
  const cwd = await folderWith({
    'describe.ai': agentFile(['models: local/m']),
    '.ai-agent.json': localProvider(model.baseUrl),
    'notes.txt': 'words',
    'folder.png/inside.txt': '',
  });
  await writeFile(join(cwd, 'dot.PNG'), Buffer.from(pixel, 'base64'));
  return { model, cwd };
};

const filesIn = ({ messages }: ModelRequest) =>
  messages.flatMap((message) =>
    message.role === 'user' ? message.content.filter((part) => part.type === 'file') : [],
  );

test('--attach sends what is in the file, as often as it is said', async () => {
  const { model, cwd } = await describing();
  const { code, stdout } = await run(
    ['describe.ai', '-q', '--attach', 'dot.PNG', 'What is it?', '--attach=./dot.PNG'],
    { cwd },
  );
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'a dot\n' });
  const [request] = model.requests;
  const data = (await readFile(join(cwd, 'dot.PNG'))).toString('base64');
  expect(request && filesIn(request).map((file) => file.data)).toEqual([
    `data:image/png;base64,${data}`,
    `data:image/png;base64,${data}`,
  ]);
});

test.each([
  ['nothing.png', /--attach nothing\.png: there is no such file/],
  ['notes.txt', /--attach notes\.txt: what it is cannot be told.*@notes\.txt/],
  ['folder.png', /--attach folder\.png: it cannot be read/],
])('%s cannot be attached, and nothing is asked', async (file, words) => {
  const { model, cwd } = await describing();
  const { code, stderr } = await run(['describe.ai', '--attach', file, 'What is it?'], { cwd });
  expect(code).toBe(4);
  expect(stderr).toMatch(words);
  expect(model.requests).toEqual([]);
});

test('a sub-agent sees none of them', async () => {
  const below = scriptedModel(['seen nothing']);
  const above = scriptedModel([{ calls: [{ name: 'agent__eye', input: { text: 'Look.', reason: 'r' } }] }, 'done']);
  const eye: Agent = { name: 'eye', description: 'looks', instructions: 'Look.', model: below };
  const lead: Agent = { name: 'lead', instructions: 'Lead.', model: above, tools: [asTool(eye)] };
  const picture = { type: 'file', mediaType: 'image/png', data: pixel, name: 'dot.png' } as const;
  expect(await ask(lead, 'go', { attachments: [picture] })).toMatchObject({ status: 'completed' });
  expect(above.requests.map((request) => filesIn(request))).toEqual([[picture], [picture]]);
  expect(below.requests.map((request) => filesIn(request))).toEqual([[]]);
});

test.each([
  ['a path', 'attachments is "string" and must be a list of files'],
  [[{ type: 'text', text: 'x' }], 'attachments\\[0\\] must be an object of type file'],
  [[{ type: 'file', mediaType: 'image/png' }], 'attachments\\[0\\]\\.data must be a text'],
])('%j is no list of files', (attachments, words) => {
  const agent: Agent = { name: 'lead', instructions: 'Lead.', model: 'offline/demo' };
  const config = { agent, attachments } as unknown as ConstructorParameters<typeof AIAgentSession>[0];
  expect(() => new AIAgentSession(config)).toThrow(new RegExp(words));
});
