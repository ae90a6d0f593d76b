// The promise: with the prefix of a turn, whatever was summed up before it, the model is called with the very conversation of that turn; a prompt beside it is refused.

import { type Fact, prefixesOf } from '@ai-agent/core';
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
