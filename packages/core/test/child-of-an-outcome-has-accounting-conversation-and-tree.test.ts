// The session id of a sub-agent's call leads to its accounting, its conversation and its op tree, by one call.

import { type AgentEvent, asTool, childOf, defineTool, type Message, outcomeOf, runInside } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const call = (name: string, input: object = { text: 'go', reason: 'r' }) => ({ calls: [{ name, input }] });

const said = (message: Message) =>
  message.role === 'system' ? message.text : message.content.map((part) => ('text' in part ? part.text : '')).join('');

const idsIn = (events: readonly AgentEvent[]) =>
  Object.fromEntries(
    events.flatMap((event) => (event.type === 'session-start' ? [[event.trace.agentName, event.trace.selfId]] : [])),
  );

function team() {
  const kid = agent('kid', [{ text: 'kid done', usage: { inputTokens: 100, outputTokens: 10 } }]);
  const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' });
  const mid = agent('mid', [call('look', {}), call('agent__kid', { text: 'of mid', reason: 'r' }), 'mid done'], {
    tools: [look, asTool(kid)],
  });
  const other = agent('other', ['other done']);
  return agent('lead', [{ calls: [...call('agent__mid').calls, ...call('agent__other').calls] }, 'done'], {
    tools: [asTool(mid), asTool(other)],
  });
}

test('of a sub-agent, with what is below it and nothing of its siblings', async () => {
  const { outcome, events } = await walk(team());
  const result = events.flatMap((event) => (event.type === 'tool-end' ? (event.result.session ?? []) : []));
  const mid = result.find(({ agentName }) => agentName === 'mid');
  const child = childOf(outcome, mid?.id ?? '');
  expect(child?.accounting.map(({ type, trace }) => `${trace.agentName} ${type}`).sort()).toEqual([
    ...['kid model', 'mid model', 'mid model', 'mid model', 'mid tool', 'mid tool'],
  ]);
  expect(child?.usage).toEqual(mid?.usage);
  expect(child?.usage).toMatchObject({ modelCalls: 4, toolCalls: 2, inputTokens: 130 });
  const roles = child?.conversation.map(({ role }) => role);
  expect(roles).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'assistant']);
  expect(child?.opTree).toMatchObject({ type: 'session', status: 'completed', output: 'mid done' });
});

test('of one two levels down, and the same from stored facts', async () => {
  const { outcome, events } = await walk(team());
  const { kid = '' } = idsIn(events);
  const child = childOf(outcome, kid);
  expect(child?.conversation.map(said)).toEqual(['You are kid.', 'of mid', 'kid done']);
  expect(child?.usage).toMatchObject({ modelCalls: 1, inputTokens: 100, outputTokens: 10 });
  expect(child?.opTree.trace.selfId).toBe(kid);
  const stored = events.flatMap((event) => (event.kind === 'fact' ? [JSON.parse(JSON.stringify(event))] : []));
  const told = outcomeOf(stored);
  expect(told && childOf(told, kid)).toEqual(child);
});

test('of a session that a tool ran during its work', async () => {
  const kid = agent('kid', ['kid done']);
  const tool = defineTool({
    name: 'asks',
    inputSchema: { type: 'object' },
    execute: async (_, context) => (await runInside(kid, 'inside', { context })).text,
  });
  const { outcome, events } = await walk(agent('lead', [call('asks', {}), 'done'], { tools: [tool] }));
  const child = childOf(outcome, idsIn(events).kid ?? '');
  expect(child?.conversation.map(said)).toEqual(['You are kid.', 'inside', 'kid done']);
  expect(child?.accounting).toHaveLength(1);
});

test('of the root it is the whole run; of an unknown id there is nothing', async () => {
  const { outcome } = await walk(team());
  const root = childOf(outcome, outcome.sessionId);
  expect(root).toMatchObject({ usage: outcome.usage, opTree: outcome.tree });
  expect(root?.accounting).toEqual(outcome.ledger.entries);
  for (const id of [undefined, '', 'unknown', `${outcome.sessionId}~9.9`]) expect(childOf(outcome, id)).toBeUndefined();
});
