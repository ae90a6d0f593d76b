// The promise: what a person was asked and has answered, leave too, is told by the facts of whoever asked, once, whenever and wherever the answer comes.

import { type Agent, ask, asTool, type Json, MemoryPauses, type Question } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { MemorySessions, type SessionStore } from '../src/index.ts';
import { agentOf, call, lastResult, leadOf, lookUp } from './contract/people.ts';
import { type House, hallOf, openHouse } from './support/house.ts';

const careful = () =>
  agentOf('careful', (request) => lastResult(request) ?? call('look_up', { which: 7 }), {
    tools: [lookUp],
    permissions: { ask: ['look_up'] },
  });

const boss = () => leadOf('boss', leadOf('lead', careful()));

interface Told {
  readonly type: string;
  readonly trace: { readonly agentName: string };
  readonly question?: Question;
  readonly answer?: Json;
  readonly op: string;
}

/** Whom, what, and what was answered, in the order in which it was told. */
function answersIn(facts: readonly Told[]) {
  const asked = new Map<string, Question | undefined>();
  const answers: unknown[] = [];
  for (const { type, op, trace, question, answer } of facts) {
    if (type === 'question-start') asked.set(op, question);
    if (type === 'question-end')
      answers.push([trace.agentName, asked.get(op)?.call?.tool ?? asked.get(op)?.text, answer]);
  }
  return answers;
}

const answersOf = async (house: House, id: string) =>
  answersIn((await house.heard(id)).map(({ data }) => data as never as Told));

const approved = { isApproved: true, reason: '' };
const refused = { isApproved: false, reason: 'Not today.' };

test.each([
  ['at the root', careful, true, approved],
  ['at the root, refused', careful, { isApproved: false, reason: 'Not today.' }, refused],
  ['two levels below', boss, 'yes', approved],
  ['two levels below, refused', boss, { approved: false, reason: 'Not today.' }, refused],
] as const)('leave %s, later', async (_where, make, answer, told) => {
  const agent: Agent = make();
  const house = await openHouse(hallOf([agent]));
  const id = await house.start(agent.name);
  expect((await house.ended(id)).status).toBe('needs_user_input');
  expect(await answersOf(house, id)).toEqual([]);
  await house.post(`/v1/sessions/${id}/answer`, { answer });
  expect((await house.ended(id)).status).toBe('completed');
  expect(await answersOf(house, id)).toEqual([['careful', 'look_up', told]]);
});

test('leave, to another server than the one that asked', async () => {
  const store: SessionStore = Object.assign(new MemorySessions(), { pauses: new MemoryPauses() });
  const ports = fakePorts();
  const before = await openHouse(hallOf([boss()], { store, ports }));
  const id = await before.start('boss');
  await before.ended(id);
  const after = await openHouse(hallOf([boss()], { store, ports }));
  await after.post(`/v1/sessions/${id}/answer`, { answer: false });
  await after.ended(id);
  expect(await answersOf(after, id)).toEqual([['careful', 'look_up', { isApproved: false, reason: '' }]]);
});

test.each([careful, boss])('leave, while it runs', async (make) => {
  const facts: Told[] = [];
  const onFact = (fact: unknown) => facts.push(fact as Told);
  await ask(make(), 'Go.', { ports: fakePorts(), onQuestion: () => refused, onFact });
  expect(answersIn(facts)).toEqual([['careful', 'look_up', refused]]);
});

test('two questions of one turn, each when it is answered, as it was answered', async () => {
  const schema = { type: 'object', properties: { year: { type: 'number' } } };
  const asks = { calls: ['Who?', 'When?'].map((question) => ({ name: 'ask_user', input: { question } })) };
  const form = {
    ...asks,
    calls: asks.calls.map((one, i) => (i === 0 ? one : { ...one, input: { ...one.input, schema } })),
  };
  const curious = agentOf('curious', (request) => lastResult(request) ?? form);
  const lead = agentOf('lead', (request) => lastResult(request) ?? call('curious', { text: 'go' }), {
    tools: [asTool({ ...curious, ask: 'person' })],
  });
  for (const agent of [curious, lead]) {
    const house = await openHouse(hallOf([agent]));
    const id = await house.start(agent.name);
    await house.ended(id);
    await house.post(`/v1/sessions/${id}/answer`, { answer: 'Ann' });
    await house.ended(id);
    expect(await answersOf(house, id)).toEqual([['curious', 'Who?', 'Ann']]);
    await house.post(`/v1/sessions/${id}/answer`, { answer: { year: 1999 } });
    expect((await house.ended(id)).status).toBe('completed');
    expect(await answersOf(house, id)).toEqual([
      ['curious', 'Who?', 'Ann'],
      ['curious', 'When?', { year: 1999 }],
    ]);
  }
});
