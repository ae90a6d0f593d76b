// The promise: what an agent may not call is neither offered to its model nor run; what has to be asked for is asked each time.

import {
  type Agent,
  AIAgentSession,
  asTool,
  defineAgent,
  defineTool,
  inProcess,
  journaled,
  MemoryJournal,
  type Permissions,
  type Question,
  toSafeName,
} from '@ai-agent/core';
import { fakePorts, scriptedModel, strict } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { endsInCallOrder } from './support/call-order.ts';
import { agent, nextTick, walk } from './support/walk.ts';

const names = ['fs__read', 'fs__write', 'web__get', 'drop'];

function toolbox() {
  const done: string[] = [];
  const tools = names.map((name) =>
    defineTool({
      name,
      inputSchema: { type: 'object' },
      instructions: `How to ${name}.`,
      execute() {
        done.push(name);
        return `${name} done`;
      },
    }),
  );
  return { tools, done };
}

/** Calls every tool once, then ends. */
async function tryAll(permissions: Permissions, answer: (question: Question) => unknown = () => true, more = {}) {
  const { tools, done } = toolbox();
  const lead = agent('lead', [{ calls: names.map((name) => ({ name })) }, 'end'], { tools, permissions, ...more });
  const asked: string[] = [];
  const onQuestion = (question: Question) => {
    asked.push(`${question.type} ${question.call?.tool} to ${question.to}`);
    return answer(question);
  };
  const { outcome, events } = await walk(lead, 'go', { onQuestion });
  const results = endsInCallOrder(events).map(({ result }) => result.failure?.code ?? result.status);
  const offered = lead.model.requests[0]?.tools.map(({ name }) => name) ?? [];
  const started = events.find((event) => event.type === 'session-start');
  return { outcome, done, asked, results, offered, system: lead.model.requests[0]?.system ?? '', started };
}

const no = 'permission-denied';

interface Case {
  readonly offered: readonly string[];
  readonly results: readonly string[];
  readonly asked?: readonly string[];
}

test.each<[string, Permissions, Case]>([
  ['nothing said', {}, { offered: names, results: ['ok', 'ok', 'ok', 'ok'] }],
  ['deny', { deny: ['fs__*', 'drop'] }, { offered: ['web__get'], results: [no, no, 'ok', no] }],
  [
    'deny in other letters',
    { deny: ['FS__?rite'] },
    { offered: ['fs__read', 'web__get', 'drop'], results: ['ok', no, 'ok', 'ok'] },
  ],
  ['allow', { allow: ['fs__*'] }, { offered: ['fs__read', 'fs__write'], results: ['ok', 'ok', no, no] }],
  ['allow nothing', { allow: [] }, { offered: [], results: [no, no, no, no] }],
  ['ask', { ask: ['drop'] }, { offered: names, results: ['ok', 'ok', 'ok', 'ok'], asked: ['drop'] }],
  [
    'ask beside allow',
    { allow: ['fs__*'], ask: ['drop'] },
    { offered: ['fs__read', 'fs__write', 'drop'], results: ['ok', 'ok', no, 'ok'], asked: ['drop'] },
  ],
  [
    'deny before ask before allow',
    { allow: ['*'], ask: ['fs__*'], deny: ['*__write'] },
    { offered: ['fs__read', 'web__get', 'drop'], results: ['ok', no, 'ok', 'ok'], asked: ['fs__read'] },
  ],
])('%s', async (_, permissions, { offered, results, asked = [] }) => {
  const all = await tryAll(permissions);
  expect(all.offered).toEqual(offered);
  expect(all.started?.tools).toEqual(offered);
  expect(all.results).toEqual(results);
  expect(all.done).toEqual(names.filter((_name, i) => results[i] === 'ok'));
  expect(all.asked).toEqual(asked.map((name) => `approval ${name} to person`));
  expect(names.filter((name) => all.system.includes(`How to ${name}.`))).toEqual(offered);
});

describe('a name that models see cut or in other letters is known by both', () => {
  const long = `crm__${'delete_customer_account_'.repeat(3)}permanently`;
  const cases: readonly [string, string][] = [
    [long, long],
    [long, 'crm__*_permanently'],
    [long, toSafeName(long)],
    ['crm__repo.delete', 'crm__repo.delete'],
    ['crm__repo.delete', 'CRM__repo.*'],
    ['crm__repo.delete', 'crm__repo_delete'],
    ['crm__löschen', 'crm__löschen'],
  ];

  async function tryOne(name: string, permissions: Permissions) {
    let done = 0;
    const execute = () => `done ${++done}`;
    const tool = defineTool({ name, inputSchema: { type: 'object' }, execute });
    const lead = agent('lead', [{ calls: [{ name }] }, 'end'], { tools: [tool], permissions });
    let asked = 0;
    await walk(lead, 'go', { onQuestion: () => ++asked > 0 });
    return { done, asked, offered: lead.model.requests[0]?.tools.length };
  }

  test.each(cases)('%s by %s', async (name, glob) => {
    expect(await tryOne(name, { deny: [glob] })).toEqual({ done: 0, asked: 0, offered: 0 });
    expect(await tryOne(name, { ask: [glob] })).toEqual({ done: 1, asked: 1, offered: 1 });
    expect(await tryOne(name, { allow: [glob] })).toEqual({ done: 1, asked: 0, offered: 1 });
    expect(await tryOne(name, { allow: ['crm__other'] })).toEqual({ done: 0, asked: 0, offered: 0 });
  });

  test.each(['agent__research.icp', 'agent__research_icp'])('an agent by %s', async (glob) => {
    const child = agent('research.icp', ['end']);
    const script = [{ calls: [{ name: 'agent__research_icp', input: { text: 'x', reason: 'r' } }] }, 'end'];
    await walk(agent('lead', script, { tools: [asTool(child)], permissions: { deny: [glob] } }));
    expect(child.model.requests).toEqual([]);
  });
});

test('who refuses an approval is obeyed', async () => {
  const { results, done } = await tryAll({ ask: ['drop'] }, () => false);
  expect(results).toEqual(['ok', 'ok', 'ok', 'approval-denied']);
  expect(done).not.toContain('drop');
});

test('who is asked for leave hears whose tool it is', async () => {
  const inputSchema = { type: 'object' };
  const tools = ['prod', 'test'].map((namespace) => {
    const identity = { namespace, tool: 'delete_repo' };
    return defineTool({ name: `${namespace}__delete_repo`, identity, inputSchema, execute: () => 'gone' });
  });
  const plain = defineTool({ name: 'drop', identity: { namespace: '', tool: 'Drop' }, inputSchema, execute: () => '' });
  const child = asTool(agent('child', ['end']));
  const names = ['prod__delete_repo', 'test__delete_repo', 'drop', 'agent__child'];
  const calls = names.map((name) => ({ name, input: { reason: 'r' } }));
  const lead = agent('lead', [{ calls }, 'end'], { tools: [...tools, plain, child], permissions: { ask: ['*'] } });
  const asked: [string, string | undefined][] = [];
  await walk(lead, 'go', { onQuestion: ({ text, call }) => asked.push([text, call?.tool]) > 0 });
  const shown = ['prod__delete_repo', 'test__delete_repo', 'Drop', 'child'];
  expect(asked).toEqual(shown.map((name) => [`May ${name} be called with {"reason":"r"}?`, name]));
});

test('a denied call tells its model what to do instead, before its arguments are looked at', async () => {
  const inputSchema = { type: 'object', required: ['path'] };
  const picky = defineTool({ name: 'fs__read', inputSchema, execute: () => '' });
  const lead = agent('lead', [{ calls: [{ name: 'fs__read' }] }, 'end'], {
    tools: [picky],
    permissions: { allow: [] },
  });
  await walk(lead);
  const said = JSON.stringify(lead.model.requests[1]?.messages.at(-1));
  expect(said).toContain('Failed (tool): lead may not call fs__read.');
  expect(said).toContain('Do without this tool');
});

describe('tools that every session has', () => {
  const long = defineTool({ name: 'long', inputSchema: { type: 'object' }, execute: () => 'x'.repeat(1_000) });
  const limits = { maxToolOutputBytes: 256 };
  const read = { name: 'tool_output', input: { handle: 'out-none' } };

  async function offeredThen(permissions: Permissions, more: Partial<Agent> = {}) {
    const script = [{ calls: [{ name: 'long' }] }, { calls: [read] }, 'end'];
    const lead = agent('lead', script, { tools: [long], limits, permissions, ...more });
    const asked: Question[] = [];
    const { events } = await walk(lead, 'go', { onQuestion: (question) => asked.push(question) > 0 });
    const codes = events.flatMap((event) => (event.type === 'tool-end' ? [event.result.failure?.code] : []));
    return {
      asked,
      offered: lead.model.requests[1]?.tools.map(({ name }) => name),
      codes,
      system: lead.model.requests[0]?.system,
    };
  }

  test.each<Permissions>([{ allow: ['long'] }, { ask: ['*_*'] }])('need no leave: %j', async (permissions) => {
    const { offered, codes, asked } = await offeredThen(permissions, { ask: 'caller' });
    expect(offered).toEqual(['long', 'tool_output', 'ask_user']);
    expect(codes).toEqual([undefined, 'tool-failed']);
    expect(asked).toEqual([]);
  });

  test('can be denied', async () => {
    const { offered, codes, system } = await offeredThen({ deny: ['tool_output', 'ask_user'] }, { ask: 'caller' });
    expect(offered).toEqual(['long']);
    expect(codes).toEqual([undefined, no]);
    expect(system).not.toContain('ask_user');
  });

  test('are known by what they are: a tool of the same name is nobody special', async () => {
    const own = defineTool({ name: 'workspace_get', inputSchema: { type: 'object' }, execute: () => 'mine' });
    const lead = agent('lead', [{ calls: [{ name: 'workspace_get' }] }, 'end'], {
      tools: [own],
      permissions: { allow: [] },
    });
    const { events } = await walk(lead);
    expect(events.find((event) => event.type === 'tool-end')?.result.failure?.code).toBe(no);
  });
});

test('sessions of one agent share what their rights come to; another agent with the same tools has its own', async () => {
  const { tools } = toolbox();
  const free = agent('free', ['end'], { tools });
  const bound = agent('bound', ['end', 'end'], { tools, permissions: { deny: ['drop'] } });
  // As it is in production: the strict runtime copies whatever passes.
  for (const one of [free, bound, bound]) await walk(one, 'go', { runtime: inProcess });
  const offered = [...free.model.requests, ...bound.model.requests].map((request) => request.tools);
  expect(offered.map((list) => list.length)).toEqual([4, 3, 3]);
  expect(offered[1]).toBe(offered[2]);
});

test('a replay decides as it was decided, also when the file says something else by then', async () => {
  const journal = new MemoryJournal();
  const { tools, done } = toolbox();
  const run = async (permissions: Permissions) => {
    const lead = agent('lead', [{ calls: names.map((name) => ({ name })) }, 'end'], { tools, permissions });
    const runtime = journaled(strict(inProcess, { nextTick }), journal);
    const session = new AIAgentSession({
      agent: lead,
      ports: fakePorts(),
      runtime,
      sessionId: 'same',
      onQuestion: () => true,
    });
    const { ledger, status } = await session.run('go').outcome;
    return { status, calls: ledger.entries.map((entry) => [entry.op, entry.status]) };
  };
  const first = await run({ deny: ['drop'], ask: ['web__*'] });
  expect(first.calls).toContainEqual(['turn.1.tool.4', 'refused']);
  expect(await run({ deny: ['*'] })).toEqual(first);
  expect(done).toEqual(['fs__read', 'fs__write', 'web__get']);
});

test.each<[unknown, RegExp]>([
  ['all', /permissions is "all" and must be an object with allow, ask or deny/],
  [{ denied: [] }, /permissions\.denied is not known; known are allow, ask, deny/],
  [{ deny: 'x' }, /permissions\.deny is "x" and must be a list/],
  [{ deny: ['a', ''] }, /permissions\.deny\[1\] is "" and must be the name of a tool/],
  [{ ask: ['fs/*'] }, /permissions\.ask\[0\] is "fs\/\*" and must be the name of a tool as its model sees it/],
  [{ allow: ['!x'] }, /permissions\.allow\[0\] is "!x"/],
  [{ allow: [1] }, /permissions\.allow\[0\] is 1/],
])('what would deny nothing is refused early: %j', (permissions, message) => {
  const lead = { name: 'lead', instructions: 'i', model: scriptedModel([]), permissions } as unknown as Agent;
  expect(() => defineAgent(lead)).toThrow(message);
});
