// What was summed up is kept: facts have every message as it was said, and the conversation is what the model sees from there on.

import { type AgentEvent, continuationOf, conversationsOf, MemoryPauses, type Message } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { keys } from './support/keys.ts';
import { askedOf, expectOrder, lookingFor, looks, say, silent, summing, talk, window } from './support/long-talks.ts';
import { agent, walk } from './support/walk.ts';

const limits = { ...window, maxTurns: 100 };
const lead = () =>
  agent(
    'lead',
    summing(lookingFor(14), (i) => `summary ${i}`),
    { tools: [looks()], limits },
  );

/** All that was said, by the facts alone, as if nothing had been summed up. */
const original = (events: readonly AgentEvent[]) =>
  JSON.stringify(
    events.map((event) => {
      if (event.type === 'session-start') return event.messages;
      if (event.type === 'model-end') return event.step ? '' : event.reply;
      return event.type === 'tool-end' ? event.result.text : '';
    }),
  );

test('each message is in the facts, also where it is gone from the conversation', async () => {
  const { events, outcome } = await walk(lead(), 'find it all');
  const told = original(events);
  const said = JSON.stringify(outcome.conversations);
  for (let i = 1; i <= 14; i++) {
    expect(told).toContain(`look ${i}`);
    expect(told).toContain(`result ${i}: word`);
  }
  expect(said).not.toContain('result 1: word');
  expect(said).toContain('find it all');
});

test('the conversation of the outcome is what the model saw last, and its answer', async () => {
  const one = lead();
  const { events, outcome } = await walk(one, 'find it all');
  const [system, ...said] = outcome.conversations.s1 ?? [];
  expect(system?.role).toBe('system');
  expect(said.slice(0, -1)).toEqual(askedOf(one).turns.at(-1)?.messages);
  expect(said.at(-1)).toEqual(say('assistant', 'all of it'));
  expect(conversationsOf(events)).toEqual(outcome.conversations);
});

test('facts told again, or in part, come to the same', async () => {
  const { events, outcome } = await walk(lead(), 'find it all');
  const stored = JSON.parse(JSON.stringify(events)) as AgentEvent[];
  expect(conversationsOf([...stored, ...stored])).toEqual(outcome.conversations);
  const at = stored.findIndex((event) => event.type === 'turn-end' && event.summedUp);
  const before = conversationsOf(stored.slice(0, at)).s1 ?? [];
  const after = conversationsOf(stored.slice(0, at + 1)).s1 ?? [];
  expect(before.length).toBeGreaterThan(after.length);
  expect(JSON.stringify(before)).toContain('result 1: word');
  expect(JSON.stringify(after)).toContain('summary 1');
});

test('whoever goes on with the session goes on with what was summed up', async () => {
  const { events } = await walk(lead(), 'find it all');
  const facts = events.filter((event) => event.kind === 'fact');
  const head = {
    id: 's1',
    agent: 'lead',
    owner: null,
    headend: 'test',
    isDetached: false,
    status: 'completed',
  } as const;
  const { history } = await continuationOf(
    { facts: () => facts },
    { ...head, createdAt: 0, facts: facts.length, resumptions: 0 },
  );
  expectOrder(history);
  expect(JSON.stringify(history[0])).toContain('summary');
  expect(history.at(-1)).toEqual(say('assistant', 'all of it'));
  const next = agent('lead', [{ text: 'still here', usage: silent }], { limits });
  expect((await walk(next, 'and?', { history })).outcome).toMatchObject({ status: 'completed', text: 'still here' });
  expect(next.model.requests).toHaveLength(1);
});

test('a question in a conversation that was summed up is answered in it', async () => {
  const script = summing(
    ({ tools, messages }, turn) => {
      if (turn === 9) return { calls: [{ name: 'ask_user', input: { question: 'which?' } }], usage: silent };
      if (JSON.stringify(messages).includes('the red one')) return { text: 'red it is', usage: silent };
      return { text: `look ${turn}`, calls: tools.length ? [{ name: 'look' }] : [], usage: silent };
    },
    () => 'so far',
  );
  const one = agent('lead', script, { tools: [looks()], limits, ask: 'caller' });
  const pauses = new MemoryPauses();
  const ports = fakePorts({ pauses });
  const asked = await walk(one, 'find it all', { ports });
  expect(asked.outcome.status).toBe('needs_user_input');
  const resume = asked.outcome.status === 'needs_user_input' ? asked.outcome.resume : '';
  // The request has another place now.
  expect(pauses.get(resume)?.request).toMatchObject({ text: 'find it all', at: 1 });
  const going = await walk(one, 'the red one', { resume, ports });
  expect(going.outcome).toMatchObject({ status: 'completed', text: 'red it is' });
  const start = going.events.find((event) => event.type === 'session-start');
  const messages: readonly Message[] = start?.type === 'session-start' ? start.messages : [];
  expect(JSON.stringify(messages[0])).toContain('so far');
  expect(messages[1]).toEqual(say('user', 'find it all'));
});

test('a turn that waits for its answer is not summed up before it has one', async () => {
  const calls = [
    ...Array.from({ length: 5 }, () => ({ name: 'look' })),
    { name: 'ask_user', input: { question: 'which?' } },
  ];
  const script = summing(
    ({ messages }, turn) => {
      if (JSON.stringify(messages).includes('the red one')) return { text: 'red it is', usage: silent };
      return turn === 4 ? { calls, usage: silent } : { text: `look ${turn}`, calls: [{ name: 'look' }], usage: silent };
    },
    (_, { messages }) => /the red one/.exec(JSON.stringify(messages))?.[0] ?? 'nothing of it',
  );
  const one = agent('lead', script, { tools: [looks()], limits, ask: 'caller' });
  const ports = fakePorts({ pauses: new MemoryPauses() });
  const asked = await walk(one, 'find it all', { ports });
  expect(askedOf(one).summaries).toHaveLength(0);
  const resume = asked.outcome.status === 'needs_user_input' ? asked.outcome.resume : '';
  const going = await walk(one, 'the red one', { resume, ports });
  expect(going.outcome).toMatchObject({ status: 'completed', text: 'red it is' });
  for (const { messages } of askedOf(one).turns) expectOrder(messages);
});

test('a summary shows no more of a secret than anything else', async () => {
  const secret = 'hunter2-hunter2';
  const one = agent(
    'lead',
    summing([{ text: 'ok', usage: silent }], () => `the password is ${secret}, the key ${keys.openai}`),
    { limits },
  );
  const { events, outcome } = await walk(one, 'and?', { history: talk(11, 400), envOverlay: { MY_PASSWORD: secret } });
  expect(outcome.status).toBe('completed');
  const shown = JSON.stringify([events, outcome.conversations, outcome.tree]);
  expect(shown).toContain('the password is ***');
  expect(shown).not.toContain(secret);
  expect(shown).not.toContain(keys.openai);
});
