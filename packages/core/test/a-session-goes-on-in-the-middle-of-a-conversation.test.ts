// The promise: with the prefix of a turn, whatever was summed up before it, the model is called with the very conversation of that turn; a prompt beside it is refused.

import { type Fact, MemoryPauses, prefixesOf } from '@ai-agent/core';
import { fakePorts, type Script } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { askedOf, lookingFor, looks, summing, window } from './support/long-talks.ts';
import { agent, walk } from './support/walk.ts';

const isFact = (event: { kind: string }): event is Fact => event.kind === 'fact';

const lead = () =>
  agent(
    'lead',
    summing(lookingFor(12), (count) => `summary ${count}`),
    {
      tools: [looks()],
      limits: { ...window, maxTurns: 100 },
    },
  );

test('every turn of a conversation that was summed up', async () => {
  const first = lead();
  const { events } = await walk(first, 'Look for it.');
  const { summaries, turns } = askedOf(first);
  expect(summaries.length).toBeGreaterThan(1);
  const prefixes = prefixesOf(events.filter(isFact));
  expect([...prefixes.turns.keys()]).toEqual(turns.map((_, i) => i + 1));
  for (const [turn, { history, request }] of prefixes.turns) {
    expect(history).toEqual(turns[turn - 1]?.messages);
    expect([request.text, history[request.at]]).toEqual(['Look for it.', prefixes.asked?.at(-1)]);
  }
  const last = prefixes.turns.get(turns.length);
  const again = agent('lead', ['Done again.']);
  const { outcome } = await walk(again, '', { ...last });
  expect([outcome.text, again.model.requests.map(({ messages }) => messages)]).toEqual([
    'Done again.',
    [last?.history],
  ]);
});

test('a turn that has not begun is that of the prompt alone', async () => {
  const { events } = await walk(agent('lead', ['Done.']), 'Go.');
  const [start] = events.filter(isFact);
  const { turns, asked } = prefixesOf(start ? [start] : []);
  expect([...turns]).toEqual([[1, { history: asked, request: { text: 'Go.', at: 0 } }]]);
  expect(prefixesOf([]).turns.size).toBe(0);
});

const report = (script: Script) =>
  agent('report', script, { ask: 'person', output: { format: 'json', schema: { type: 'object', required: ['x'] } } });

test('what was asked stays what was asked, when the last that was said is ours, however often it goes on', async () => {
  let { events } = await walk(report(['No JSON.', '{"x":1}']), 'How many?');
  for (const turn of [2, 1, 1]) {
    const prefix = prefixesOf(events.filter(isFact)).turns.get(turn);
    expect(prefix?.history.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(prefix?.request).toEqual({ text: 'How many?', at: 0, isAdvised: true });
    ({ events } = await walk(report(['{"x":2}']), '', prefix));
  }
  // Also of one that has told nothing else.
  const { turns, asked } = prefixesOf(events.filter(isFact).slice(0, 1));
  expect([turns.get(1)?.request.text, turns.get(1)?.history.length, asked]).toEqual(['How many?', 3, undefined]);
});

test('the same after an answer', async () => {
  const ports = fakePorts({ pauses: new MemoryPauses() });
  const question = { calls: [{ name: 'ask_user', input: { question: 'Of what?' } }] };
  const first = await walk(report(['No JSON.', question]), 'How many?', { ports });
  if (first.outcome.status !== 'needs_user_input') throw new Error(first.outcome.status);
  const { events } = await walk(report(['{"x":1}']), 'Of these.', { ports, resume: first.outcome.resume });
  const { turns, asked } = prefixesOf(events.filter(isFact));
  expect([...turns.keys(), asked]).toEqual([2, undefined]);
  expect(turns.get(2)?.request).toEqual({ text: 'How many?', at: 0, isAdvised: true });
});

const history = [{ role: 'user', content: [{ type: 'text', text: 'Go.' }] }] as const;

test.each([
  ['a prompt', 'More.', { history, request: { text: 'Go.', at: 0 } }, /no prompt/],
  [
    'a place that is not there',
    '',
    { history, request: { text: 'Go.', at: 1 } },
    /request\.at is 1 and must be the index/,
  ],
  ['no history', '', { request: { text: 'Go.', at: 0 } }, /request\.at is 0/],
  ['a place that is none', '', { history, request: { text: 'Go.', at: 'first' } }, /request\.at is "first"/],
  ['no words', '', { history, request: { at: 0 } }, /request\.text/],
  ['a field that nobody knows', '', { history, request: { text: 'Go.', at: 0, on: 1 } }, /request\.on is not known/],
  ['an answer', '', { history, resume: 'x', request: { text: 'Go.', at: 0 } }, /not with resume or attachments/],
])('%s is refused', async (_what, prompt, options, message) => {
  await expect(walk(agent('lead', ['Done.']), prompt, options as never)).rejects.toThrow(message);
});
