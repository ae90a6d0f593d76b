// An answer goes to the question it was meant for: not to another tree's, not twice, and at no other price than asked at once.

import {
  AIAgentSession,
  asTool,
  defineTool,
  inProcess,
  type Journal,
  journaled,
  MemoryJournal,
  MemoryPauses,
  type Middleware,
  type Outcome,
  type SessionRun,
} from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const question = { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };
const call = (name: string, input: object = {}) => ({ name, input: { reason: 'r', ...input } });

function resumeOf(outcome: Outcome): string {
  if (outcome.status !== 'needs_user_input') throw new TypeError(`It ended as ${outcome.status}.`);
  return outcome.resume;
}

test('a model of another tree cannot answer in the place of the one who was asked', async () => {
  const pauses = new MemoryPauses();
  const helper = () =>
    agent('helper', ({ messages }) => (messages.length === 1 ? question : 'thanks'), { ask: 'caller' });
  const first = await walk(helper(), 'my secret is 42', { ports: fakePorts({ pauses }), sessionId: 'one' });
  const thief = agent('thief', [{ calls: [call('helper', { resume: 'one', answer: 'x' })] }, 'done'], {
    tools: [asTool(helper())],
  });
  const second = await walk(thief, 'go', { ports: fakePorts({ pauses }), sessionId: 'two' });
  expect(JSON.stringify(second.outcome.conversations)).not.toContain('42');
  const third = await walk(helper(), 'this', { ports: fakePorts({ pauses }), resume: resumeOf(first.outcome) });
  expect(third.outcome.text).toBe('thanks');
});

test('nor what a sub-agent of another tree has asked its caller', async () => {
  const pauses = new MemoryPauses();
  const helper = () =>
    agent('helper', ({ messages }) => (messages.length === 1 ? question : 'thanks'), { ask: 'caller' });
  const lead = agent('lead', [{ calls: [call('helper', { text: 'my secret is 42' })] }, 'left open'], {
    tools: [asTool(helper())],
  });
  await walk(lead, 'go', { ports: fakePorts({ pauses }), sessionId: 'one' });
  const thief = agent('thief', [{ calls: [call('helper', { resume: 'one~1.1', answer: 'x' })] }, 'done'], {
    tools: [asTool(helper())],
  });
  const { outcome } = await walk(thief, 'go', { ports: fakePorts({ pauses }), sessionId: 'two' });
  expect(JSON.stringify(outcome.conversations)).not.toContain('42');
  expect(pauses.get('one~1.1')).toBeDefined();
});

test('an opening that fails does not use up the answer', async () => {
  const ports = fakePorts({ pauses: new MemoryPauses() });
  let isBroken = false;
  const asking = agent('asking', ({ messages }) => (messages.length === 1 ? question : 'thanks'), {
    instructions: () => (isBroken ? JSON.parse('{') : 'You ask.'),
  });
  const resume = resumeOf((await walk(asking, 'go', { ports })).outcome);
  isBroken = true;
  expect((await walk(asking, 'this', { ports, resume, sessionId: 'b' })).outcome.status).toBe('failed');
  isBroken = false;
  expect((await walk(asking, 'this', { ports, resume, sessionId: 'c' })).outcome.text).toBe('thanks');
});

test('a run that was attended is taken up as such: nobody is asked again, and nothing is done again', async () => {
  const journal = new MemoryJournal();
  let paid = 0;
  const pay = defineTool({
    name: 'pay',
    inputSchema: { type: 'object' },
    needsApproval: true,
    execute: () => `${++paid}`,
  });
  const lead = () =>
    agent('lead', ({ messages }) => (messages.length === 1 ? { calls: [{ name: 'pay' }] } : 'done'), { tools: [pay] });
  const go = (log: Journal, more = {}) =>
    walk(lead(), 'go', { sessionId: 'run', runtime: journaled(inProcess, log), ...more });
  expect((await go(journal, { onQuestion: () => true })).outcome.status).toBe('completed');
  const cut = new MemoryJournal([...journal.entries].filter(([key]) => !key.endsWith('turn.2.model')));
  const again = await go(cut);
  expect(again.outcome).toMatchObject({ status: 'completed', text: 'done' });
  expect(paid).toBe(1);
});

test.each([[true], [false]])('what is asked costs the same, attended or not: %s', async (isAttended) => {
  const ports = fakePorts({ pauses: new MemoryPauses() });
  const pay = defineTool({ name: 'pay', inputSchema: { type: 'object' }, needsApproval: true, execute: () => 'paid' });
  const child = agent('child', ({ messages }) => (messages.length === 1 ? { calls: [{ name: 'pay' }] } : 'paid'), {
    tools: [pay],
  });
  const other = agent('other', () => 'fine');
  const script = [{ calls: [call('child')] }, question, { calls: [call('other')] }, 'done'];
  const lead = agent('lead', script, {
    tools: [asTool(child), asTool(other)],
    budget: { descendants: 2, toolCalls: 3 },
  });
  const answers = isAttended ? { onQuestion: () => 'yes' } : {};
  let { outcome } = await walk(lead, 'go', { ports, ...answers });
  for (let i = 0; outcome.status === 'needs_user_input'; i++)
    ({ outcome } = await walk(lead, 'yes', { ports, resume: outcome.resume, sessionId: `again-${i}` }));
  expect(outcome).toMatchObject({ status: 'completed', text: 'done' });
});

test('a message that is no answer does not approve anything', async () => {
  let paid = 0;
  const pay = defineTool({
    name: 'pay',
    inputSchema: { type: 'object' },
    needsApproval: true,
    execute: () => `${++paid}`,
  });
  const lead = agent('lead', [{ calls: [{ name: 'pay' }] }, 'done'], { tools: [pay] });
  const run: SessionRun = new AIAgentSession({
    agent: lead,
    ports: fakePorts(),
    onQuestion: ({ sessionId, handle }): void => run.send(sessionId, handle.slice(sessionId.length + 1), null),
  }).run('go');
  expect((await run.outcome).status).toBe('completed');
  expect(paid).toBe(0);
});

test('a layer that makes a result of its own loses neither what a session used nor what it asks', async () => {
  const rewrite: Middleware = {
    name: 'rewrite',
    perform: { tool: (work, next) => next(work).then(({ status, text }) => ({ status, text: text.toUpperCase() })) },
  };
  const child = agent('child', ['fine']);
  const lead = agent('lead', [{ calls: [call('child')] }, 'done'], { tools: [asTool(child)], middleware: [rewrite] });
  const { outcome } = await walk(lead);
  expect(outcome.usage).toEqual(outcome.ledger.total);
  expect(outcome.usage.modelCalls).toBe(3);
});

test('a field of an agent that happens to be called resume is a field', async () => {
  const reader = agent('reader', ({ messages }) => JSON.stringify(messages));
  const lead = agent('lead', [{ calls: [call('reader', { resume: 'ten years of Cobol' })] }, 'done'], {
    tools: [asTool(reader)],
  });
  await walk(lead);
  expect(JSON.stringify(reader.model.requests)).toContain('ten years of Cobol');
});
