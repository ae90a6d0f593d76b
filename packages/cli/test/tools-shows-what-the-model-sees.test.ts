// `ai-agent tools <file>`: the tools as the model of that agent gets them, and where each comes from.

import { join } from 'node:path';
import type { ToolSpec } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agentFile, folderWith, localProvider, run } from './support/command.ts';
import { startInTerminal } from './support/pty.ts';
import { served } from './support/served.ts';

const many = Object.fromEntries(Array.from({ length: 15 }, (_, i) => [`field${i}`, { type: 'string' }]));

const child = (description: string, ...more: readonly string[]) =>
  agentFile([`description: ${description}`, 'models: local/m', ...more]);

const team = {
  'lead.ai': agentFile([
    'models: local/m',
    'agents: b.ai, parts/a.ai',
    'ask: person',
    'budget: {costUsd: 1, turns: 9}',
  ]),
  'b.ai': child('Answers b', 'toolName: second.best', 'usage: ask b'),
  'parts/a.ai': child(
    'Answers a',
    'hold: kept',
    `input: {format: json, schema: ${JSON.stringify({ type: 'object', properties: many, required: ['field3'] })}}`,
  ),
};

const priced = (baseUrl: string) => ({
  ...localProvider(baseUrl),
  pricing: { local: { m: { prompt: 1, completion: 1 } } },
});

const tools = (cwd: string, ...args: readonly string[]) => run(['tools', ...args], { cwd });

test('names, descriptions, schemas and their order are those of the first request', async () => {
  const model = await served(() => 'done');
  const cwd = await folderWith({ ...team, '.ai-agent.json': priced(model.baseUrl) });
  const { code, stdout, stderr } = await tools(cwd, 'lead.ai', '--json');
  expect([code, stderr]).toEqual([0, '']);
  expect(model.requests).toHaveLength(0);
  const document = JSON.parse(stdout);
  await run(['lead.ai', 'hello', '-q'], { cwd });
  const shown = document.tools as readonly ToolSpec[];
  expect(shown.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))).toEqual(
    model.requests[0]?.tools,
  );
  expect(document).toMatchObject({
    agent: 'lead',
    file: join(cwd, 'lead.ai'),
    tools: [
      { name: 'agent__second_best', label: 'second.best', from: { type: 'agent', file: join(cwd, 'b.ai') } },
      { name: 'agent__a', label: 'a', from: { type: 'agent', file: join(cwd, 'parts/a.ai') } },
      { name: 'ask_user', label: 'ask_user', from: { type: 'built-in' } },
    ],
    failed: [],
  });
  expect(document.tools[1].inputSchema.properties).toMatchObject(many);
});

test('in words: bounded, with where each comes from', async () => {
  const cwd = await folderWith({ ...team, '.ai-agent.json': priced('http://localhost:1/v1') });
  const { code, stdout, stderr } = await tools(cwd, 'lead.ai');
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(
    /^lead has 3 tools\.\n\nagent__second_best\n {2}second\.best, sub-agent b\.ai\n {2}Answers b\n/,
  );
  expect(stdout).toContain('\n    text: string  What you ask, in words. For example: ask b\n');
  expect(stdout).toMatch(/^agent__a\n {2}a, sub-agent parts\/a\.ai\n/m);
  expect(stdout).toMatch(/^ {4}field3: string, required$/m);
  expect(stdout).toMatch(/^ {4}and \d more; --json has them all$/m);
  expect(stdout).toMatch(/^ask_user\n {2}ask_user, built in\n/m);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(120);
});

test('on a terminal every line fits, and drives nothing', async () => {
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: offline/demo', 'agents: b.ai']),
    'b.ai': agentFile([
      'models: offline/demo',
      'description: "\\e[31mred\\e[2J and long enough to be cut somewhere here"',
    ]),
  });
  const terminal = startInTerminal(['tools', 'lead.ai'], { cwd, columns: 40 });
  expect(await terminal.ended).toBe(0);
  for (const line of terminal.screen()) expect(line.length).toBeLessThan(40);
  expect(terminal.screen().join('\n')).toMatch(/red.*…$/m);
  for (const driven of ['\u001b[31m', '\u001b[2J']) expect(terminal.raw()).not.toContain(driven);
});

test('no key is needed', async () => {
  const cwd = await folderWith({
    'lead.ai': agentFile(['models: openai/gpt-5.4', 'agents: b.ai']),
    'b.ai': agentFile(['models: openai/gpt-5.4', 'description: Answers b']),
  });
  expect(await tools(cwd, 'lead.ai')).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringContaining('agent__b'),
  });
});

test('none at all is said', async () => {
  const cwd = await folderWith({ 'alone.ai': agentFile(['models: offline/demo']) });
  expect(await tools(cwd, 'alone.ai')).toEqual({ code: 0, stdout: 'alone has no tools.\n', stderr: '' });
});

test.each([
  ['no file', [], 4, /^failed \(usage\): Name the file of one agent\./],
  ['two files', ['lead.ai', 'b.ai'], 4, /^failed \(usage\): Name the file of one agent\./],
  ['a folder', ['parts'], 4, /^failed \(usage\): parts is a folder;/],
  ['a file that is not there', ['led.ai'], 4, /^led\.ai: error: .* did you mean lead\.ai\?\nfailed \(usage\): /],
  ['a file with an error', ['wrong.ai'], 1, /^wrong\.ai:3: error: maxTurn: .*\nfailed \(config\): /],
  ['two tools of one name', ['twins.ai'], 1, /both called b; .*\nfailed \(config\): /],
])('%s', async (_, args, code, said) => {
  const cwd = await folderWith({
    ...team,
    'wrong.ai': agentFile(['models: offline/demo', 'maxTurn: 3']),
    'twins.ai': agentFile(['models: offline/demo', 'agents: x/b.ai, y/b.ai']),
    'x/b.ai': agentFile(['models: offline/demo', 'description: x']),
    'y/b.ai': agentFile(['models: offline/demo', 'description: y']),
  });
  const ended = await tools(cwd, ...args);
  expect([ended.code, ended.stdout]).toEqual([code, '']);
  expect(ended.stderr).toMatch(said);
  const document = JSON.parse((await tools(cwd, ...args, '--json')).stdout);
  expect(document).toMatchObject({ status: 'failed' });
});
