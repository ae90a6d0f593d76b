// Two agent files of one name in one tree: separate accounting with unique labels, and no false cycle.

import { join } from 'node:path';
import { asTool, type Outcome } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { ask, loadAgent } from '../src/index.ts';
import { agentFile, folderWith, run } from './support/command.ts';

const file = (...more: readonly string[]) =>
  agentFile(['models: offline/demo', 'description: Answers', 'usage: u', 'output: {format: text}', ...more], 'Answer.');

const twoKids = {
  'lead.ai': file('agents: [f1.ai, f3.ai]'),
  'f1.ai': file('agents: f1/kid.ai'),
  'f3.ai': file('agents: f3/kid.ai'),
  'f1/kid.ai': file(),
  'f3/kid.ai': file(),
};

async function outcomeOf(cwd: string, entry: string) {
  const { code, stdout, stderr } = await run([entry, 'Go', '--json'], { cwd });
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout) as Outcome;
}

test('the ledger has a row for each, labelled with enough of the path', async () => {
  const cwd = await folderWith(twoKids);
  const { ledger } = await outcomeOf(cwd, 'lead.ai');
  expect(Object.keys(ledger.byName).sort()).toEqual(['f1', 'f1/kid', 'f3', 'f3/kid', 'lead']);
  expect(Object.keys(ledger.byPath).sort()).toEqual(['lead', 'lead:f1', 'lead:f1:f1/kid', 'lead:f3', 'lead:f3:f3/kid']);
  expect(Object.values(ledger.bySession).map(({ agent }) => agent)).toContain('f1/kid');
  const total = Object.values(ledger.byName).reduce((sum, { modelCalls }) => sum + modelCalls, 0);
  expect(total).toBe(ledger.total.modelCalls);
});

test('two of one name below one caller, parted by toolName, share no path', async () => {
  const cwd = await folderWith({
    'lead.ai': file('agents: [a/kid.ai, b/kid.ai]'),
    'a/kid.ai': file('toolName: first'),
    'b/kid.ai': file('toolName: second'),
  });
  const { ledger } = await outcomeOf(cwd, 'lead.ai');
  expect(Object.keys(ledger.byName).sort()).toEqual(['a/kid', 'b/kid', 'lead']);
  expect(Object.keys(ledger.byPath).sort()).toEqual(['lead', 'lead:a/kid', 'lead:b/kid']);
});

test('a name that is unambiguous stays a name', async () => {
  const cwd = await folderWith({ 'lead.ai': file('agents: f1/kid.ai'), 'f1/kid.ai': file() });
  const { ledger } = await outcomeOf(cwd, 'lead.ai');
  expect(Object.keys(ledger.byName).sort()).toEqual(['kid', 'lead']);
});

test('FIN lines and the usage table have a row for each', async () => {
  const cwd = await folderWith(twoKids);
  const { stderr } = await run(['lead.ai', 'Go', '--verbose'], { cwd });
  expect(stderr).toMatch(/FIN model lead:f1:f1\/kid /);
  expect(stderr).toMatch(/FIN model lead:f3:f3\/kid /);
});

test('the tree names each', async () => {
  const cwd = await folderWith(twoKids);
  const { stderr } = await run(['lead.ai', 'Go', '--show-tree'], { cwd });
  expect(stderr).toMatch(/ f1\/kid ".*": completed/);
  expect(stderr).toMatch(/ f3\/kid ".*": completed/);
});

test('ids are short hashes of relative paths, and no fact has an absolute path of an agent', async () => {
  const [one, other] = [await folderWith(twoKids), await folderWith(twoKids)];
  const ids = async (cwd: string) => {
    const { ledger } = await outcomeOf(cwd, 'lead.ai');
    expect(JSON.stringify(ledger)).not.toContain(cwd);
    return ledger.entries.map(({ trace }) => trace.agentId).sort();
  };
  const first = await ids(one);
  expect(new Set(first).size).toBe(5);
  for (const id of first) expect(id).toMatch(/^[\da-f]{16}$/);
  expect(await ids(other)).toEqual(first);
});

test('a sub-agent with the name of its caller runs', async () => {
  const cwd = await folderWith({ 'boss.ai': file('agents: x/boss.ai'), 'x/boss.ai': file() });
  expect((await run(['check', 'boss.ai'], { cwd })).code).toBe(0);
  const { status, ledger } = await outcomeOf(cwd, 'boss.ai');
  expect(status).toBe('completed');
  expect(Object.keys(ledger.byName).sort()).toEqual(['boss', 'x/boss']);
  expect(ledger.byName['x/boss']?.modelCalls).toBeGreaterThan(0);
  expect(JSON.stringify(ledger)).not.toContain('agent-cycle');
});

test.each([
  ['an advisor', 'advisors: x/boss.ai'],
  ['a destination', 'router: { destinations: x/boss.ai }'],
  ['a handoff', 'handoff: x/boss.ai'],
])('%s with the name of the agent it works for runs', async (_, naming) => {
  const cwd = await folderWith({ 'boss.ai': file(naming), 'x/boss.ai': file() });
  const { status, ledger } = await outcomeOf(cwd, 'boss.ai');
  expect(status).toBe('completed');
  expect(ledger.byName['x/boss']?.modelCalls).toBeGreaterThan(0);
});

test('files that a program loads one by one, from folders of their own, are told apart', async () => {
  const cwd = await folderWith({ 'one/kid.ai': file(), 'two/kid.ai': file('toolName: second') });
  const load = async (name: string) => (await loadAgent(join(cwd, name, 'kid.ai'))).agent;
  const [one, two] = [await load('one'), await load('two')];
  const call = (name: string) => ({ name, input: { text: 'Go', reason: 'r' } });
  const calls = [call('agent__kid'), call('agent__second')];
  const lead = { name: 'lead', instructions: 'You lead.', model: scriptedModel([{ calls }, 'done']) };
  const { ledger } = await ask({ ...lead, tools: [asTool(one), asTool(two)] }, 'Go');
  expect(Object.values(ledger.byName).map(({ modelCalls }) => modelCalls)).toEqual([2, 1, 1]);
  const caller = { ...one, model: scriptedModel([{ calls: [call('agent__second')] }, 'done']), tools: [asTool(two)] };
  const { incomplete, ledger: both } = await ask(caller, 'Go');
  expect([incomplete, Object.keys(both.byName)]).toEqual([[], [`kid (${one.id})`, `kid (${two.id}@${two.team})`]]);
});
