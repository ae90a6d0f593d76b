// An agent that reaches itself through an agentTool is refused before its session runs.

import { type Agent, AIAgentSession, agentTool, asTool } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const input = { reason: 'r', text: 'go' };

/** A new definition for every call, as a factory makes it. */
function recursive(): Agent {
  const again = agentTool({
    name: 'again',
    description: 'runs the same agent',
    createSession: () => new AIAgentSession({ agent: recursive() }),
  });
  return agent(
    'worker',
    ({ messages }) => (messages.at(-1)?.role === 'tool' ? 'done' : { calls: [{ name: 'again', input }] }),
    {
      tools: [again],
    },
  );
}

test('directly', async () => {
  const { events, outcome } = await walk(recursive());
  const ends = events.flatMap((event) => (event.type === 'tool-end' ? [event.result] : []));
  expect(ends).toMatchObject([
    { status: 'refused', failure: { code: 'agent-cycle', message: expect.stringContaining('worker → worker') } },
  ]);
  expect(events.filter(({ type }) => type === 'session-start')).toHaveLength(1);
  expect(outcome.status).toBe('completed');
});

test('by way of another agent', async () => {
  const lead = agent('lead', [{ calls: [{ name: 'worker', input }] }, 'lead done'], {
    tools: [asTool({ ...recursive(), description: 'works' })],
  });
  const { events } = await walk(lead);
  const codes = events.flatMap((event) => (event.type === 'tool-end' ? [event.result.failure?.code] : []));
  expect(codes).toEqual(['agent-cycle', undefined]);
  expect(events.filter(({ type }) => type === 'session-start')).toHaveLength(2);
});

test('an agent of the same name with an id of its own is another agent', async () => {
  const helper = agentTool({
    name: 'helper',
    description: 'helps',
    createSession: () => new AIAgentSession({ agent: agent('worker', ['helped'], { id: 'worker-2' }) }),
  });
  const { events, outcome } = await walk(
    agent('worker', [{ calls: [{ name: 'helper', input }] }, 'done'], { tools: [helper] }),
  );
  expect(JSON.stringify(events)).not.toContain('agent-cycle');
  expect(Object.keys(outcome.ledger.byName).sort()).toEqual(['worker', 'worker (worker-2)']);
});
