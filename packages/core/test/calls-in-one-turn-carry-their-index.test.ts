// Two sub-agent calls in one turn carry an index wherever they are named: at their start, at their end, below them, in log lines.

import { type AgentEvent, asTool, defineTool, type Fact, MemoryPauses, toLogLine, toLogRecord } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const ask = (name: string, text: string) => ({ name, input: { text, reason: `about ${text}` } });

const namesOf = (events: readonly AgentEvent[]) =>
  events.flatMap((event) =>
    event.type === 'tool-start' || event.type === 'tool-end' ? [`${event.type} ${event.instance}`] : [],
  );

/** Sorted: calls of one turn may end in any order. */
const endsIn = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-end' ? [event.instance] : [])).sort();

const linesOf = (events: readonly AgentEvent[]) =>
  events.filter((event): event is Fact => event.kind === 'fact').map((fact) => toLogLine(toLogRecord(fact)));

test('two calls of one sub-agent: starts, results and log lines agree', async () => {
  const lead = agent('lead', [{ calls: [ask('child', 'a'), ask('child', 'b')] }, 'done'], {
    tools: [asTool(agent('child', ['A', 'B']))],
  });
  const { events } = await walk(lead);
  expect(namesOf(events).sort()).toEqual([
    'tool-end child[1]',
    'tool-end child[2]',
    'tool-start child[1]',
    'tool-start child[2]',
  ]);
  const lines = linesOf(events);
  for (const instance of ['child[1]', 'child[2]']) {
    expect(lines.filter((line) => line.includes(`tool ${instance} called`))).toHaveLength(1);
    expect(lines.filter((line) => line.includes(`tool ${instance} took`))).toHaveLength(1);
  }
});

test('two different sub-agents in one turn: each carries its index; one alone in its turn has none', async () => {
  const script = [{ calls: [ask('law', 'a'), ask('money', 'b')] }, { calls: [ask('law', 'c')] }, 'done'];
  const lead = agent('lead', script, { tools: [asTool(agent('law', ['L', 'L'])), asTool(agent('money', ['M']))] });
  const { events, outcome } = await walk(lead);
  expect(endsIn(events)).toEqual(['law', 'law[1]', 'money[1]']);
  expect(Object.values(outcome.ledger.bySession).map(({ instanceName }) => instanceName)).toEqual([
    'lead',
    'law[1]',
    'money[1]',
    'law',
  ]);
});

test('tools that run no agent are numbered only when one runs twice, and a refused call takes no number', async () => {
  const tool = (name: string) => defineTool({ name, inputSchema: { type: 'object' }, execute: () => name });
  const search = { name: 'search', input: {} };
  const first = { calls: [search, { name: 'fetch', input: {} }, ask('child', 'a'), { name: 'child', input: {} }] };
  const lead = agent('lead', [first, { calls: [search, search] }, 'done'], {
    tools: [tool('search'), tool('fetch'), asTool(agent('child', ['A']))],
  });
  const { events } = await walk(lead);
  expect(endsIn(events)).toEqual(['child', 'child', 'fetch', 'search', 'search[2]', 'search[3]']);
});

test('a call that asked a person keeps its index when the session continues with the answer', async () => {
  const ports = fakePorts({ pauses: new MemoryPauses() });
  const question = { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };
  const child = agent('child', ({ messages }) => {
    const said = JSON.stringify(messages);
    return said.includes('second') && !said.includes('blue') ? question : 'fine';
  });
  const script = [{ calls: [ask('child', 'first'), ask('child', 'second')] }, 'done'];
  const lead = agent('lead', script, { tools: [asTool({ ...child, ask: 'person' })] });
  const { outcome } = await walk(lead, 'go', { ports });
  if (outcome.status !== 'needs_user_input') return expect.fail(`The run ended as ${outcome.status}.`);
  const { events } = await walk(lead, 'blue', { ports, resume: outcome.resume, sessionId: 's2' });
  const ofChild = namesOf(events).filter((name) => name.includes('child'));
  expect(ofChild).toEqual(['tool-start child[2]', 'tool-end child[2]']);
});
