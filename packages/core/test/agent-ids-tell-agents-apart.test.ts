// Identity of agents defined in code: their id, or their name; ledger rows and the cycle check go by it.

import { type Agent, AIAgentSession, asTool, checkAbove, defineAgent, finSummaryOf, ledgerOf } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const calls = (name: string) => ({ calls: [{ name, input: { text: 'go', reason: 'r' } }] });
const kid = (id: string) => agent('kid', ['said'], { id, description: 'helps' });
const team = (name: string, child: Agent) =>
  agent(name, [calls('kid'), 'done'], { description: 'leads a team', tools: [asTool(child)] });

test('two agents of one name share no row in any sum', async () => {
  const tools = [asTool(team('one', kid('kid-1'))), asTool(team('two', kid('kid-2')))];
  const { events, outcome } = await walk(agent('lead', [calls('one'), calls('two'), 'done'], { tools }));
  const { byName, byPath, bySession } = outcome.ledger;
  expect(Object.keys(byName).sort()).toEqual(['kid (kid-1)', 'kid (kid-2)', 'lead', 'one', 'two']);
  expect(Object.keys(byPath).sort()).toEqual([
    'lead',
    'lead:one',
    'lead:one:kid (kid-1)',
    'lead:two',
    'lead:two:kid (kid-2)',
  ]);
  expect(
    Object.values(bySession)
      .map(({ callPath }) => callPath)
      .sort(),
  ).toEqual(Object.keys(byPath).sort());
  const models = finSummaryOf(outcome.ledger).models.map(({ callPath }) => callPath);
  expect(models.sort()).toEqual(Object.keys(byPath).sort());
  const traces = events.map(({ trace }) => trace);
  expect(new Set(traces.map(({ agentId }) => agentId))).toEqual(new Set(['lead', 'one', 'two', 'kid-1', 'kid-2']));
  expect(new Set(traces.map(({ callPath }) => callPath))).toContain('lead:one:kid');
});

test('one agent that is called from two places has one row by name', async () => {
  const shared = agent('kid', () => 'said', { description: 'helps' });
  const tools = [asTool(team('one', shared)), asTool(team('two', shared))];
  const { outcome } = await walk(agent('lead', [calls('one'), calls('two'), 'done'], { tools }));
  expect(outcome.ledger.byName.kid?.modelCalls).toBe(2);
});

test('a ledger of a part of the facts still has every row', async () => {
  const { events } = await walk(agent('lead', [calls('kid'), 'done'], { tools: [asTool(kid('k'))] }));
  const below = events.filter(({ trace }) => trace.agentName === 'kid');
  expect(Object.keys(ledgerOf(below).byPath)).toEqual(['lead:kid']);
});

test('an agent with the name of its caller and an id of its own is no cycle', async () => {
  const inner = agent('boss', ['inner said'], { id: 'inner-boss', description: 'helps' });
  const { outcome } = await walk(agent('boss', [calls('boss'), 'done'], { tools: [asTool(inner)] }));
  expect(outcome.ledger.byName['boss (inner-boss)']?.modelCalls).toBe(1);
});

test('without an id the name is the identity: the refusal says what parts the two', async () => {
  const inner = agent('boss', ['inner said'], { description: 'helps' });
  const { events } = await walk(agent('boss', [calls('boss'), 'done'], { tools: [asTool(inner)] }));
  const failure = events.flatMap((event) => (event.type === 'tool-end' ? [event.result.failure] : []))[0];
  expect(failure).toMatchObject({ code: 'agent-cycle', remedy: expect.stringContaining('id') });
});

test('agents above a root are compared by id, and by name where no id was sent', () => {
  const lead = agent('lead', [], { id: 'abc' });
  expect(() => checkAbove(lead, { agents: ['lead~abc'] })).toThrow('lead → lead');
  expect(() => checkAbove(lead, { agents: ['other~abc', 'x'] })).toThrow('other → x → lead');
  expect(() => checkAbove(lead, { agents: ['lead'] })).toThrow('lead → lead');
  expect(checkAbove(lead, { agents: ['lead~def'] })).toBeUndefined();
});

test('names of agents above stand in paths, their ids guard the tree below', async () => {
  const inner = agent('kid', ['said'], { id: 'k', description: 'helps' });
  const run = async (above: string) => {
    const lead = agent('lead', [calls('kid'), 'done'], { tools: [asTool(inner)] });
    const started = new AIAgentSession({ agent: lead, ports: fakePorts(), above: { agents: [above] } }).run('go');
    const facts = [];
    for await (const event of started.events) if (event.kind === 'fact') facts.push(event);
    return facts;
  };
  const other = await run('kid~other');
  expect(JSON.stringify(other)).not.toContain('agent-cycle');
  expect(other.map(({ trace }) => trace.callPath)).toContain('kid:lead:kid');
  expect(JSON.stringify(await run('kid~k'))).toContain('agent-cycle');
});

test.each(['', 'a b', 'a:b', 'a~b', 'x'.repeat(65), 7])('%j is no id', (id) => {
  expect(() => defineAgent({ ...agent('lead', []), id: id as string })).toThrow('id');
});
