// The promise: a session that was begun again behind an answer that did not fit is shown with what was asked, and not as if somebody had said what we say of such an answer, or what its model answered to an agent below.

import { ask, type Fact, prefixesOf, type SessionHead } from '@ai-agent/core';
import { fakePorts, type Script, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { askedIn } from '../src/asked-in.ts';
import { saidIn } from '../src/commands/sessions/said-in.ts';

const schema = { type: 'object', required: ['x'] };

async function factsOf(script: Script, prompt: string, more: object = {}) {
  const facts: Fact[] = [];
  const onFact = (fact: Fact) => void facts.push(fact);
  const agent = {
    name: 'count',
    instructions: 'Count.',
    model: scriptedModel(script),
    output: { format: 'json', schema },
  };
  await ask(agent as never, prompt, { ports: fakePorts(), onFact, ...more });
  return facts;
}

test('from the turn that was told so', async () => {
  const first = await factsOf(['Two.', '{"x":2}'], 'How many?');
  const again = await factsOf(['{"x":3}'], '', prefixesOf(first).turns.get(2));
  for (const facts of [first, again]) {
    expect(askedIn(facts)).toEqual({ said: 'How many?' });
    const said = saidIn(facts, { status: 'completed' } as SessionHead);
    expect(said.map(({ who }) => who)).toEqual(['user', 'assistant', 'house', 'report']);
  }
});

test('what a model answers to an agent below is nobody’s word', () => {
  const start = { type: 'session-start', trace: { selfId: 's1', parentId: null }, messages: [] };
  const answered = (op: string, to: 'caller' | 'person', answer: string) => {
    const about = { op, trace: { selfId: 's1~2', parentId: 's1' } };
    return [
      { ...about, type: 'question-start', question: { text: 'Which?', to } },
      { ...about, type: 'question-end', answer },
    ];
  };
  const facts = [start, ...answered('turn.1.message.1', 'caller', 'This.')];
  expect(askedIn(facts as never)).toEqual({ said: '' });
  const both = [...facts, ...answered('turn.2.message.1', 'person', 'That.')];
  expect(askedIn(both as never)).toMatchObject({ said: 'That.' });
});
