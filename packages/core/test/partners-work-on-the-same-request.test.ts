// Advisors are heard before a run, a router hands its request over, handoffs go on from the answer: each gets the prompt it should.

import {
  type Agent,
  type AgentEvent,
  AIAgentSession,
  asPartner,
  inProcess,
  MemoryPauses,
  type ModelRequest,
} from '@ai-agent/core';
import { fakePorts, scriptedModel, strict } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, nextTick, walk } from './support/walk.ts';

/** Agents whose models write down what they are asked, in the order they are asked. */
function house() {
  const asked: { readonly agent: string; readonly request: ModelRequest }[] = [];
  const agent = (name: string, says: Parameters<typeof scriptedModel>[0], more: Partial<Agent> = {}): Agent => {
    const model = scriptedModel(says);
    const call: typeof model.call = (request, context) => {
      asked.push({ agent: name, request });
      return model.call(request, context);
    };
    return { name, instructions: `You are ${name}.`, model: { ...model, call }, ...more };
  };
  const promptOf = (name: string) => {
    const { messages } = asked.find((one) => one.agent === name)?.request ?? { messages: [] };
    return messages.map((message) => ('content' in message ? message.content : []));
  };
  return { agent, asked, promptOf };
}

async function run(agent: Agent, prompt: string, more: Partial<ConstructorParameters<typeof AIAgentSession>[0]> = {}) {
  const events: AgentEvent[] = [];
  const session = new AIAgentSession({
    agent,
    ports: fakePorts(),
    runtime: strict(inProcess, { nextTick }),
    onEvent: (event) => events.push(event),
    ...more,
  });
  return { outcome: await session.run(prompt).outcome, events };
}

function nonceIn(text: string): string {
  return /__([0-9a-f]{8})/.exec(text)?.[1] ?? '';
}

function onlyText(parts: unknown): string {
  const [message] = parts as readonly (readonly { readonly text: string }[])[];
  return message?.map(({ text }) => text).join('') ?? '';
}

test('advisors get the prompt as it is, and what they say stands before it', async () => {
  const { agent, promptOf, asked } = house();
  const law = agent('law', ['Mind the law.']);
  const money = agent('money', ['Mind the money.']);
  const lead = agent('lead', ['Done.'], { advisors: [asPartner(law), asPartner(money)] });
  const { outcome } = await run(lead, 'May we?');
  expect(outcome).toMatchObject({ status: 'completed', text: 'Done.' });
  expect(onlyText(promptOf('law'))).toBe('May we?');
  expect(onlyText(promptOf('money'))).toBe('May we?');
  const said = onlyText(promptOf('lead'));
  const nonce = nonceIn(said);
  expect(said).toBe(
    `<advisory__${nonce} agent="law">\nMind the law.\n</advisory__${nonce}>\n\n<advisory__${nonce} agent="money">\nMind the money.\n</advisory__${nonce}>\n\n<original_user_request__${nonce}>\nMay we?\n</original_user_request__${nonce}>`,
  );
  expect(asked.map((one) => one.agent)).toEqual(['law', 'money', 'lead']);
  expect(outcome.conversations[outcome.sessionId]?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
  expect(outcome.usage.modelCalls).toBe(3);
});

test('a router hands over, and the destination answers in its place', async () => {
  const { agent, promptOf } = house();
  const billing = agent('billing', ['Paid.'], { description: 'Invoices' });
  const desk = agent(
    'desk',
    [{ calls: [{ name: 'router__handoff-to', input: { agent: 'billing', message: 'A kind customer.' } }] }],
    { router: { destinations: [asPartner(billing)] } },
  );
  const { outcome, events } = await run(desk, 'Is it paid?');
  expect(outcome).toMatchObject({ status: 'completed', text: 'Paid.' });
  const said = onlyText(promptOf('billing'));
  const nonce = nonceIn(said);
  expect(said).toBe(
    `<advisory__${nonce} agent="desk">\nA kind customer.\n</advisory__${nonce}>\n\n<original_user_request__${nonce}>\nIs it paid?\n</original_user_request__${nonce}>`,
  );
  const deltas = events.filter((event) => event.type === 'text-delta');
  expect(deltas.length).toBeGreaterThan(0);
  for (const { answers, trace } of deltas) expect([answers, trace.agentName]).toEqual([outcome.sessionId, 'billing']);
});

test('handoffs are a pipeline', async () => {
  const { agent, promptOf } = house();
  const edit = agent('edit', ['Edited.']);
  const sign = agent('sign', ['Signed.']);
  const draft = agent('draft', ['Drafted.'], { handoff: [asPartner(edit), asPartner(sign)] });
  const { outcome } = await run(draft, 'Write.');
  expect(outcome).toMatchObject({ status: 'completed', text: 'Signed.' });
  const said = onlyText(promptOf('sign'));
  const nonce = nonceIn(said);
  expect(said).toBe(
    `<response__${nonce} agent="edit">\nEdited.\n</response__${nonce}>\n\n<original_user_request__${nonce}>\nWrite.\n</original_user_request__${nonce}>`,
  );
  expect(onlyText(promptOf('edit'))).toContain('Drafted.');
});

test('however deep, the request is the one that was asked, and what was said of it stands before it', async () => {
  const { agent, promptOf } = house();
  const tone = agent('tone', ['Kindly.'], { advisors: [asPartner(agent('taste', ['Mild.']))] });
  const bills = agent('bills', ['Paid.'], {
    description: 'Bills',
    advisors: [asPartner(agent('law', ['Lawful.']))],
    handoff: [asPartner(tone)],
  });
  const call = { name: 'router__handoff-to', input: { agent: 'bills', message: 'Be quick.' } };
  await run(agent('desk', [{ calls: [call] }], { router: { destinations: [asPartner(bills)] } }), 'Is it paid?');
  const plain = (name: string) => onlyText(promptOf(name)).replaceAll(/__[0-9a-f]{8}/g, '');
  const asked = '<original_user_request>\nIs it paid?\n</original_user_request>';
  const quick = '<advisory agent="desk">\nBe quick.\n</advisory>\n\n';
  const paid = '<response agent="bills">\nPaid.\n</response>\n\n';
  expect(plain('law')).toBe(`${quick}${asked}`);
  expect(plain('bills')).toBe(`${quick}<advisory agent="law">\nLawful.\n</advisory>\n\n${asked}`);
  expect(plain('taste')).toBe(`${paid}${asked}`);
  expect(plain('tone')).toBe(`${paid}<advisory agent="taste">\nMild.\n</advisory>\n\n${asked}`);
});

test('what comes with the request reaches them as it is, also where it looks like a key', async () => {
  const data = 'https://b.s3.amazonaws.com/x.png?X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20260101';
  const next = agent('next', ['N']);
  await walk(agent('lead', ['L'], { handoff: [asPartner(next)] }), 'go', {
    attachments: [{ type: 'file', mediaType: 'image/png', data }],
  });
  expect(JSON.stringify(next.model.requests[0]?.messages)).toContain(data);
});

test('who goes on after a router is told who answered, and after a question too', async () => {
  const ports = fakePorts({ pauses: new MemoryPauses() });
  const sign = agent('sign', () => 'Signed.');
  const edit = agent('edit', () => 'Edited.');
  const desk = () => {
    const bills = agent(
      'bills',
      ({ messages }) =>
        messages.at(-1)?.role === 'tool' ? 'Paid.' : { calls: [{ name: 'ask_user', input: { question: 'q?' } }] },
      { ask: 'person' },
    );
    return agent('desk', [{ calls: [{ name: 'router__handoff-to', input: { agent: 'bills' } }] }], {
      router: { destinations: [asPartner(bills)] },
      handoff: [asPartner(edit), asPartner(sign)],
    });
  };
  await walk(desk(), 'go', { onQuestion: () => 'yes' });
  const { outcome } = await walk(desk(), 'go', { ports });
  if (outcome.status !== 'needs_user_input') throw outcome;
  await walk(desk(), 'yes', { ports, resume: outcome.resume });
  for (const i of [0, 1]) {
    expect(JSON.stringify(edit.model.requests[i]?.messages)).toContain('agent=\\"bills\\">\\nPaid.');
    expect(JSON.stringify(sign.model.requests[i]?.messages)).toContain('agent=\\"edit\\">\\nEdited.');
  }
});
