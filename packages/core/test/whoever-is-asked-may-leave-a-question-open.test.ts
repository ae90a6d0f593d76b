// The promise: whoever attends a run and goes away leaves the question open: the session ends with it, and a later answer goes on.

import { type Agent, AgentError, asTool, defineTool, MemoryPauses, type Question } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { walk } from './support/walk.ts';

const left = () => {
  throw new AgentError('question-left', 'They have left.');
};

const sent: string[] = [];
const send = defineTool({
  name: 'send',
  needsApproval: true,
  inputSchema: { type: 'object' },
  execute: ({ to }) => {
    sent.push(String(to));
    return `sent to ${String(to)}`;
  },
});

function clerk(more: Partial<Agent> = {}): Agent {
  return {
    name: 'clerk',
    description: 'sends',
    instructions: 'i',
    tools: [send],
    ...more,
    model: scriptedModel(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'tool') return last.content.map(({ text }) => text).join(' and ');
      return { calls: ['Anna', 'Berit'].map((to) => ({ name: 'send', input: { to } })) };
    }),
  };
}

test('at the root: what was answered stands, what was left is asked, and nothing was done before', async () => {
  sent.length = 0;
  const ports = fakePorts({ pauses: new MemoryPauses() });
  const onQuestion = ({ call }: Question) => (call?.args.to === 'Anna' ? 'yes' : left());
  const { outcome } = await walk(clerk(), 'go', { ports, onQuestion });
  if (outcome.status !== 'needs_user_input') throw new Error(outcome.status);
  expect(outcome.question).toMatchObject({ type: 'approval', call: { args: { to: 'Berit' } } });
  expect(sent).toEqual([]);
  const later = await walk(clerk(), 'yes', { ports, resume: outcome.resume });
  expect(later.outcome).toMatchObject({ status: 'completed', text: 'sent to Anna and sent to Berit' });
  expect(sent).toEqual(['Anna', 'Berit']);
});

test('of a session below: the whole tree ends with it, and the very child goes on', async () => {
  sent.length = 0;
  const ports = fakePorts({ pauses: new MemoryPauses() });
  const lead: Agent = {
    name: 'lead',
    instructions: 'i',
    tools: [asTool(clerk())],
    model: scriptedModel(({ messages }) => {
      const last = messages.at(-1);
      if (last?.role === 'tool') return `lead heard ${last.content[0]?.text}`;
      return { calls: [{ name: 'agent__clerk', input: { text: 'go', reason: 'r' } }] };
    }),
  };
  const { outcome } = await walk(lead, 'go', { ports, onQuestion: left });
  if (outcome.status !== 'needs_user_input') throw new Error(outcome.status);
  const answered = await walk(lead, 'yes', { ports, resume: outcome.resume, onQuestion: () => 'no' });
  expect(answered.outcome).toMatchObject({ status: 'completed', text: expect.stringContaining('sent to Anna') });
  expect(sent).toEqual(['Anna']);
});
