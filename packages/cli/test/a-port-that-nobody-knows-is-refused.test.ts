// The library brings ports of its own; what is handed in beside them is checked all the same.

import { type Agent, AIAgentSession, ask, createModels } from '@ai-agent/cli';
import { scriptedModel } from '@ai-agent/cli/testing';
import { expect, onTestFinished, test } from 'vitest';

const agent: Agent = { name: 'good', instructions: 'You are good.', model: scriptedModel(['ok']) };

test.each<[string, unknown, RegExp]>([
  ['a misspelt port', { price: () => undefined }, /ports\.price is not known; known are clock, ids, models, prices/],
  ['a clock without a method', { clock: { now: () => 0 } }, /ports\.clock\.after is undefined and must be a function/],
  ['a number', 7, /ports is 7 and must be an object/],
  ['nothing at all', null, /ports is null and must be an object/],
  ['a list', [], /ports is a list and must be an object/],
])('%s', async (_, ports, message) => {
  expect(() => new AIAgentSession({ agent, ports: ports as never })).toThrow(message);
  await expect(ask(agent, 'go', { ports: ports as never })).rejects.toThrow(message);
});

test('a catalogue instead of its resolver', () => {
  const models = createModels();
  onTestFinished(() => models.close());
  expect(() => new AIAgentSession({ agent, ports: { models: models as never } })).toThrow(/pass models\.resolve/);
});

test('no options at all', () => {
  expect(() => new AIAgentSession(undefined as never)).toThrow(/config is undefined and must be an object/);
});
