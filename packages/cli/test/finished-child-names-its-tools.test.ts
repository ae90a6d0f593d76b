// The line of a finished child carries its index and names the tools that it used: in the panel, and in plain lines.

import { type Agent, AgentError, AIAgentSession, asTool, defineTool } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { Activity } from '../src/render/activity.ts';
import { toItem } from '../src/render/panel-item.ts';
import { toLines } from '../src/render/panel-lines.ts';
import { PlainLines } from '../src/render/plain-lines.ts';

const call = (name: string, input: object = {}) => ({ name, input });
const tool = (name: string) => defineTool({ name, inputSchema: { type: 'object' }, execute: () => name });
const ask = (name: string, reason: string) => call(name, { text: reason, reason });

/** A child that calls these tools in its first turn. */
function child(name: string, calls: readonly string[]): Agent {
  return {
    ...{ name, description: name, instructions: `You are ${name}.` },
    model: scriptedModel(({ messages }) =>
      messages.length > 1 || calls.length === 0 ? 'done' : { calls: calls.map((one) => call(one)) },
    ),
    tools: [...new Set(calls)].filter((one) => one !== 'unknown').map(tool),
  };
}

function start(children: readonly Agent[]) {
  const calls = children.map(({ name }) => ask(name, `Look into what ${name} knows`));
  const lead: Agent = {
    ...{ name: 'lead', instructions: 'You are lead.', tools: children.map((one) => asTool(one)) },
    model: scriptedModel([{ calls }, 'done']),
  };
  return new AIAgentSession({ agent: lead, ports: fakePorts() }).run('go');
}

async function linesOf(children: readonly Agent[], width: number) {
  const { tree } = await start(children).outcome;
  if (!tree) return expect.fail('There is no tree.');
  const item = toItem(tree, { activity: new Activity(), now: 0, isShown: () => false });
  return toLines(item, { width, isColoured: false });
}

test.each([80, 120])('tools are counted by name, at %i columns', async (width) => {
  const [, one, other] = await linesOf([child('researcher', ['search', 'fetch', 'search']), child('law', [])], width);
  expect(one).toMatch(/^├─ ✓ researcher\[1\] {2}Look.* search ×2, fetch · 2 turns · 30 tokens · 0\.0 s$/);
  expect(other).toMatch(/^└─ ✓ law\[1\] {2}Look into what law knows +1 turn · 15 tokens · 0\.0 s$/);
});

test('a long list is cut after a name and says how many are left out; a refused call names nothing', async () => {
  const names = ['search', 'read', 'write_note', 'history', 'read', 'unknown'];
  const [, line = ''] = await linesOf([child('researcher', names)], 80);
  expect(line).toMatch(/^└─ ✓ researcher {2}Look into w… {2}search, read ×2 \+2 · 1 failed · 30 tokens · 0\.0 s$/);
  const [, long = ''] = await linesOf([child('researcher', ['a'.repeat(40), 'b'])], 80);
  expect(long).toContain(` ${'a'.repeat(20)}… +1 ·`);
});

test('in plain lines, sub-agents are among the tools of a session', async () => {
  const plain = new PlainLines('usual');
  const lines: string[] = [];
  const team = [child('researcher', ['search', 'fetch', 'search', 'unknown']), child('law', [])];
  for await (const event of start(team).events) lines.push(plain.toLine(event) ?? '');
  const ends = lines.filter((line) => line.includes(' session ended as completed')).toSorted();
  const [law, researcher, lead] = ends.map((line) => line.replace(/\d+ ms/, '0 ms'));
  expect(law).toMatch(/^child:law\[1\] .* after 0 ms$/);
  expect(researcher).toMatch(/^child:researcher\[1\] .* after 0 ms, tools: search ×2, fetch$/);
  expect(lead).toMatch(/^lead .* after 0 ms, tools: law, researcher$/);
});

test('the line of a session that asks a question ends with the question', async () => {
  const lead: Agent = {
    ...{ name: 'lead', instructions: 'You are lead.', ask: 'person', tools: [tool('search')] },
    model: scriptedModel([{ calls: [call('search')] }, { calls: [call('ask_user', { question: 'Which city?' })] }]),
  };
  const plain = new PlainLines('usual');
  const lines: string[] = [];
  for await (const event of new AIAgentSession({ agent: lead, ports: fakePorts() }).run('go').events)
    lines.push(plain.toLine(event) ?? '');
  expect(lines.find((line) => line.includes('needs_user_input'))).toMatch(/: Which city\?$/);
});

test('a finished line marks unknown usage', async () => {
  const cut = { ...child('cut', []), limits: { maxRetries: 1 } };
  const model = { provider: 'p', model: 'm', call: () => Promise.reject(new AgentError('model-network', 'Cut.')) };
  const [, line = ''] = await linesOf([{ ...cut, model }], 100);
  expect(line).toMatch(/^└─ ✗ cut .* · 0\+\? tokens · /);
});

test('progress of two calls of one tool carries their indexes', async () => {
  const notes = defineTool({
    ...{ name: 'note', inputSchema: { type: 'object' } },
    execute: (_args, { progress }) => {
      progress('half');
      return 'done';
    },
  });
  const lead: Agent = {
    ...{ name: 'lead', instructions: 'You are lead.', tools: [notes] },
    model: scriptedModel([{ calls: [call('note'), call('note')] }, 'done']),
  };
  const plain = new PlainLines('all');
  const lines: string[] = [];
  for await (const event of new AIAgentSession({ agent: lead, ports: fakePorts() }).run('go').events)
    lines.push(plain.toLine(event) ?? '');
  const progress = lines.flatMap((line) => line.match(/tool note.*: half$/)?.[0] ?? []);
  expect(progress.toSorted()).toEqual(['tool note[1]: half', 'tool note[2]: half']);
});
