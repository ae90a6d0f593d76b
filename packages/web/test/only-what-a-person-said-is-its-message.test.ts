// A session that was begun again in the middle: what the house said of an answer, and what its model answered to who asked it, is no message of the person.

import { type Agent, ask, asTool, type Fact, MemoryPauses, prefixesOf } from '@ai-agent/core';
import { fakePorts, type Script, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { Round } from '../src/session/round.ts';

const schema = { type: 'object', required: ['x'] };

async function factsOf(script: Script, prompt: string, more: object = {}) {
  const facts: Fact[] = [];
  const onFact = (fact: Fact) => void facts.push(fact);
  const output = { format: 'json', schema } as const;
  const agent = { name: 'count', instructions: 'Count.', model: scriptedModel(script), output };
  await ask(agent, prompt, { ports: fakePorts(), onFact, ...more });
  return facts;
}

function roundOf([start]: readonly Fact[], number = 1): Round {
  if (start?.type !== 'session-start') throw new TypeError('It begins with its start.');
  return new Round(start, number);
}

test('it is neither what was asked nor said before it', async () => {
  const first = await factsOf(['Two.', 'Three.', '{"x":2}'], 'How many?');
  expect(roundOf(first)).toMatchObject({ asked: { content: [{ text: 'How many?' }] }, before: [] });
  for (const turn of [2, 3]) {
    const { asked, before } = roundOf(await factsOf(['{"x":3}'], '', prefixesOf(first).turns.get(turn)));
    expect(asked).toBe(undefined);
    expect(before.map(({ role }) => role)).toEqual(['user', ...Array(turn - 1).fill('assistant')]);
  }
});

test('what a model answers to an agent below is not what a person answered', async () => {
  const question = { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };
  const below: Agent = {
    ...{ name: 'below', description: 'Asks.', instructions: 'Ask.' },
    model: scriptedModel(({ messages }) => (messages.at(-1)?.role === 'tool' ? 'Thanks.' : question)),
  };
  const lead: Agent = {
    ...{ name: 'lead', instructions: 'Lead.', tools: [asTool(below)] },
    model: scriptedModel(({ messages }) => {
      const results = messages.flatMap((message) => (message.role === 'tool' ? message.content : []));
      if (results.length > 2) return 'Done.';
      const [resume] = /s\d+~[\w~.]*\w/.exec(results[1]?.text ?? '') ?? [];
      return {
        calls: [{ name: 'below', input: { reason: 'r', ...(resume ? { resume, answer: 'This.' } : { text: 'go' }) } }],
      };
    }),
  };
  const run = async (prompt: string, more: object = {}) => {
    const facts: Fact[] = [];
    await ask(lead, prompt, {
      ports: fakePorts({ pauses: new MemoryPauses() }),
      onFact: (fact: Fact) => void facts.push(fact),
      ...more,
    });
    return facts;
  };
  const first = await run('Go.');
  const again = await run('', prefixesOf(first).turns.get(2));
  for (const [facts, number] of [
    [first, 1],
    [again, 1],
    [again, 2],
  ] as const) {
    expect(facts.some((fact) => fact.type === 'question-end' && fact.answer === 'This.')).toBe(true);
    const round = roundOf(facts, number);
    for (const fact of facts) round.add(fact);
    expect(round.answered).toBe(undefined);
  }
});
