// A session that was begun again behind an answer that did not fit: what the house said of that is no message of the person.

import { ask, type Fact, prefixesOf } from '@ai-agent/core';
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

function roundOf([start]: readonly Fact[]): Round {
  if (start?.type !== 'session-start') throw new TypeError('It begins with its start.');
  return new Round(start, 1);
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
