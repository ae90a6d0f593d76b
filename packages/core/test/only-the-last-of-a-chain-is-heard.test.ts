// The promise: the text that is streamed as the answer of a run is that of the last agent of its chain, whole, and of nobody else.

import { type Agent, type AgentEvent, asPartner, asTool, type Outcome } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

const handOver = (name: string) => ({ calls: [{ name: 'router__handoff-to', input: { agent: name } }] });

/** The streamed answer of the run, and who wrote it; then everybody whose words were streamed at all. */
async function heard(lead: Agent) {
  const { outcome, events } = await walk(lead);
  const deltas = events.filter((event) => event.type === 'text-delta');
  const answer = deltas.filter(({ answers }) => answers === outcome.sessionId);
  return {
    outcome,
    answer: answer.map(({ text }) => text).join(''),
    by: namesOf(answer),
    streamed: namesOf(deltas),
  };
}

const namesOf = (events: readonly AgentEvent[]) => [...new Set(events.map(({ trace }) => trace.agentName))];
const textOf = ({ status, text }: Outcome) => [status, text];

test('of handoffs, the last', async () => {
  const lead = agent('draft', ['A draft of many words.'], {
    handoff: [asPartner(agent('edit', ['Edited, with care.'])), asPartner(agent('sign', ['Signed and sealed.']))],
  });
  const { outcome, answer, by, streamed } = await heard(lead);
  expect(textOf(outcome)).toEqual(['completed', 'Signed and sealed.']);
  expect([answer, by]).toEqual(['Signed and sealed.', ['sign']]);
  // Those in between answer for themselves: whoever watches them may, and nobody takes it for the answer.
  expect(streamed).toEqual(['edit', 'sign']);
});

test('of a router, the destination; of a destination that has handoffs, the last of these', async () => {
  const billing = agent('billing', ['Found it.'], { handoff: [asPartner(agent('edit', ['It is paid.']))] });
  const desk = agent('desk', [{ text: 'Let me see.', ...handOver('billing') }], {
    router: { destinations: [asPartner(billing)] },
  });
  const { outcome, answer, by, streamed } = await heard(desk);
  expect(textOf(outcome)).toEqual(['completed', 'It is paid.']);
  expect([answer, by, streamed]).toEqual(['It is paid.', ['edit'], ['edit']]);
});

test('of a router with handoffs, not the destination', async () => {
  const desk = agent('desk', [handOver('billing')], {
    router: { destinations: [asPartner(agent('billing', ['Found it.']))] },
    handoff: [asPartner(agent('edit', ['It is paid.']))],
  });
  expect(await heard(desk)).toMatchObject({ answer: 'It is paid.', by: ['edit'] });
});

test('a router that answers itself is not heard before it is done: another might have followed', async () => {
  const router = { destinations: [asPartner(agent('billing', ['never']))] };
  const { outcome, streamed } = await heard(agent('desk', ['I know that myself.'], { router }));
  expect(textOf(outcome)).toEqual(['completed', 'I know that myself.']);
  expect(streamed).toEqual([]);
});

test('advisors and sub-agents answer for themselves; whom they advise is heard', async () => {
  const lead = agent('lead', [{ calls: [{ name: 'agent__clerk', input: { text: 'x', reason: 'y' } }] }, 'We may.'], {
    advisors: [asPartner(agent('law', ['The law allows it.']))],
    tools: [asTool(agent('clerk', ['The file is here.']))],
  });
  expect(await heard(lead)).toMatchObject({
    answer: 'We may.',
    by: ['lead'],
    streamed: ['law', 'clerk', 'lead'],
  });
});

test('a sub-agent with a chain is heard as the sub-agent that was called', async () => {
  const clerk = agent('clerk', ['A draft.'], { handoff: [asPartner(agent('edit', ['The file is here.']))] });
  const lead = agent('lead', [{ calls: [{ name: 'agent__clerk', input: { text: 'x', reason: 'y' } }] }, 'Done.'], {
    tools: [asTool(clerk)],
  });
  const { outcome, events } = await walk(lead);
  const below = events.filter((event) => event.type === 'text-delta').filter(({ trace }) => trace.parentId !== null);
  expect(new Set(below.map(({ answers }) => answers))).toEqual(new Set([`${outcome.sessionId}~1.1`]));
  expect(below.map(({ text }) => text).join('')).toBe('The file is here.');
});

test('a JSON report is withheld, whoever gives it', async () => {
  const output = { format: 'json', schema: { type: 'object', required: ['paid'] } } as const;
  const edit = agent('edit', ['{"paid":true}'], { output });
  const { outcome, streamed } = await heard(agent('draft', ['Yes.'], { handoff: [asPartner(edit)] }));
  expect(outcome).toMatchObject({ status: 'completed', report: { paid: true } });
  expect(streamed).toEqual([]);
});
