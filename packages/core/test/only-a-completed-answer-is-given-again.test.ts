// The promise: only an answer that completed by itself is kept; no failure, no part of one, and nothing a person had a say in.

import { type Agent, AIAgentSession, asPartner, asTool, defineTool, MemoryPauses } from '@ai-agent/core';
import type { Script } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { hour, isCached, Shared } from './support/caches.ts';
import { agent } from './support/walk.ts';

const cache = { ttlMs: hour };
const call = (name: string, input: object = {}) => ({ calls: [{ name, input }] });
const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' });

const ended: readonly [status: string, script: Script, more: Partial<Agent>][] = [
  ['failed', [{ fail: { code: 'model-auth' } }], {}],
  ['partial', [call('look'), 'what there is'], { tools: [look], limits: { maxTurns: 2 } }],
  ['needs_user_input', [call('ask_user', { question: 'Which?' })], { ask: 'caller' }],
  ['failed', ['no JSON', 'no JSON', 'no JSON', 'no JSON'], { output: { format: 'json' } }],
];

test.each(ended)('what ends as %s is not kept', async (status, script, more) => {
  const shared = new Shared();
  expect((await shared.ask(agent('lead', script, { ...more, cache }))).status).toBe(status);
  expect(shared.puts).toEqual([]);
});

test('an answer that misses the work of a child is not kept', async () => {
  const shared = new Shared();
  const child = agent('child', [{ fail: { code: 'model-auth' } }]);
  const lead = agent('lead', [call('agent__child', { reason: 'r', text: 't' }), 'without it'], {
    cache,
    tools: [asTool(child)],
  });
  expect(await shared.ask(lead)).toMatchObject({ status: 'completed', incomplete: [{ path: 'lead:child' }] });
  expect(shared.puts).toEqual([]);
});

test('what was cancelled is not kept', async () => {
  const shared = new Shared();
  const controller = new AbortController();
  const stop = defineTool({
    name: 'look',
    inputSchema: { type: 'object' },
    execute: () => {
      controller.abort();
      return '';
    },
  });
  const lead = agent('lead', [call('look'), 'end'], { cache, tools: [stop] });
  expect((await shared.ask(lead, { signal: controller.signal })).status).toBe('cancelled');
  expect(shared.puts).toEqual([]);
});

test('a failure is followed by the answer, and that one is given again', async () => {
  const shared = new Shared();
  const lead = agent('lead', [{ fail: { code: 'model-auth' } }, 'there'], { cache });
  const statuses = [await shared.ask(lead), await shared.ask(lead), await shared.ask(lead)].map((one) => [
    one.status,
    isCached(one),
  ]);
  expect(statuses).toEqual([
    ['failed', false],
    ['completed', false],
    ['completed', true],
  ]);
});

const asking: readonly [string, Partial<Agent>, Script][] = [
  ['answers its question', { ask: 'caller' }, [call('ask_user', { question: 'Which?' }), 'end']],
  ['approves a call', { tools: [{ ...look, needsApproval: true }] }, [call('look'), 'end']],
  [
    'is asked by a tool at work',
    { tools: [{ ...look, execute: async (_args: object, { ask }) => String(await ask({ text: 'Which?' })) }] },
    [call('look'), 'end'],
  ],
  [
    'answers a session below',
    { tools: [asTool(agent('child', [call('ask_user', { question: 'Which?' }), 'below'], { ask: 'person' }))] },
    [call('agent__child', { reason: 'r', text: 't' }), 'end'],
  ],
];

test.each(asking)('an answer is for this once when a person %s', async (_how, more, script) => {
  const shared = new Shared();
  let asked = 0;
  const onQuestion = () => {
    asked++;
    return true;
  };
  const outcome = await shared.ask(agent('lead', script, { ...more, cache }), {
    onQuestion: ((question: { type: string }) =>
      question.type === 'approval' ? onQuestion() : onQuestion() && 'this') as never,
  });
  expect([outcome.status, asked]).toEqual(['completed', 1]);
  expect(shared.puts).toEqual([]);
});

test('a session that goes on from a question is not kept', async () => {
  const shared = new Shared();
  const pauses = new MemoryPauses();
  const lead = agent('lead', [call('ask_user', { question: 'Which?' }), 'end'], { cache, ask: 'caller' });
  const ports = { ...shared.ports, pauses };
  const first = await new AIAgentSession({ agent: lead, ports }).run('go').outcome;
  const resume = first.status === 'needs_user_input' ? first.resume : '';
  const second = await new AIAgentSession({ agent: lead, ports, resume }).run('this').outcome;
  expect([second.status, second.text, shared.puts]).toEqual(['completed', 'end', []]);
});

test('an agent that shares a workspace with others answers each time', async () => {
  const shared = new Shared();
  const lead = agent('lead', ['one', 'two'], { cache, workspace: true });
  expect([(await shared.ask(lead)).text, (await shared.ask(lead)).text]).toEqual(['one', 'two']);
});

const sharing = agent('sharing', () => 'said', { workspace: true });
const teams: readonly [string, Partial<Agent>][] = [
  ['a sub-agent', { tools: [asTool(sharing)] }],
  ['an advisor', { advisors: [asPartner(sharing)] }],
  ['who goes on', { handoff: [asPartner(sharing)] }],
  ['one far below', { tools: [asTool(agent('between', [], { advisors: [asPartner(sharing)] }))] }],
];

test.each(teams)('so does one above it: %s shares the workspace', async (_who, more) => {
  for (const version of [{}, { version: '1' }]) {
    const shared = new Shared();
    const lead = agent('lead', () => 'mine', { ...more, cache: { ...cache, ...version } });
    await shared.ask(lead);
    expect([isCached(await shared.ask(lead)), shared.puts]).toEqual([false, []]);
  }
});

test('a tool of the session may be one that shares it too', async () => {
  const shared = new Shared();
  await shared.ask(
    agent('lead', () => 'mine', { cache }),
    { tools: [asTool(sharing)] },
  );
  expect(shared.puts).toEqual([]);
});

const unheard: readonly [string, Partial<Agent>][] = [
  ['failed', { advisors: [asPartner(agent('law', [{ fail: { code: 'model-auth' } }]))] }],
  ['was refused', { advisors: [asPartner(agent('law', ['Lawful.']))], permissions: { deny: ['agent__law'] } }],
  [
    'was cut',
    { advisors: [asPartner(agent('law', [call('look'), 'So far.'], { tools: [look], limits: { maxTurns: 2 } }))] },
  ],
];

test.each(unheard)('an answer is for this once when an advisor %s', async (_how, more) => {
  const shared = new Shared();
  const spared = agent('spared', ['Fine.']);
  const advisors = [...(more.advisors ?? []), asPartner(spared)];
  const lead = agent('lead', ['mine'], { ...more, advisors, cache });
  expect(await shared.ask(lead)).toMatchObject({ status: 'completed', text: 'mine' });
  expect(shared.puts).toEqual([]);
});

test('an answer with what looks like a key is not left in a cache', async () => {
  const shared = new Shared();
  await shared.ask(agent('lead', [`it is sk-${'a1B2'.repeat(12)}`], { cache }));
  expect(shared.puts).toEqual([]);
});
