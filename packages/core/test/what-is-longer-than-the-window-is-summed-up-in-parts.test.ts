// What is longer than the window is summed up in parts: each request fits, and however long it is there are only a few.

import type { Message } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { askedOf, expectOrder, silent, summing, talk, tokensIn, window } from './support/long-talks.ts';
import { agent, walk } from './support/walk.ts';

const limits = { ...window, maxTurns: 100 };
const lead = () =>
  agent(
    'lead',
    summing([{ text: 'fine', usage: silent }], (i) => `summary ${i}`),
    { limits },
  );

test('each part is told with the summary of those before it', async () => {
  const one = lead();
  const { outcome } = await walk(one, 'and now?', { history: talk(30, 400) });
  expect(outcome).toMatchObject({ status: 'completed', text: 'fine' });
  const { summaries, turns } = askedOf(one);
  expect(summaries.length).toBeGreaterThan(2);
  const told = summaries.map(({ messages }) => JSON.stringify(messages));
  expect(told[0]).toContain(`Part 1 of ${summaries.length}`);
  expect(told[0]).toContain('answer 1: word');
  expect(told[1]).toContain('summary 1');
  expect(JSON.stringify(turns[0]?.messages[0])).toContain(`summary ${summaries.length}`);
});

const call = (id: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', id, name: 'look', input: '{}' }],
});
const result = (id: string, text: string): Message => ({
  role: 'tool',
  content: [{ type: 'tool-result', id, name: 'look', text, isError: false }],
});

test.each([
  ['hundreds of rounds', talk(400, 300)],
  ['thousands of short ones', talk(4_000, 1)],
  ['one answer that is longer than many windows', talk(1, 100_000)],
  [
    'letters of four bytes',
    talk(1, 1).map((m) => ({ ...m, content: [{ type: 'text', text: '😀'.repeat(40_000) }] }) as Message),
  ],
  [
    'results without end',
    [{ role: 'user', content: [{ type: 'text', text: 'look' }] } as Message].concat(
      ...Array.from({ length: 40 }, (_, i) => [call(`c${i}`), result(`c${i}`, 'word '.repeat(9_000))]),
    ),
  ],
])('%s', async (_, history) => {
  const one = lead();
  const { outcome } = await walk(one, 'and now?', { history });
  expect(outcome).toMatchObject({ status: 'completed', text: 'fine' });
  const { summaries, turns, all } = askedOf(one);
  expect(summaries.length).toBeGreaterThan(0);
  expect(summaries.length).toBeLessThanOrEqual(4);
  for (const request of all) {
    expectOrder(request.messages);
    expect(tokensIn(request) + (request.settings.maxOutputTokens ?? 0)).toBeLessThanOrEqual(8_000);
    expect(JSON.stringify(request.messages)).not.toMatch(/\\ud[89a-f]/);
  }
  expect(turns).toHaveLength(1);
});

test('in the smallest window there is, too', async () => {
  const one = agent(
    'lead',
    summing([{ text: 'fine', usage: silent }], () => 'short'),
    {
      limits: { contextWindowTokens: 2_048, contextBufferTokens: 0 },
    },
  );
  const { outcome } = await walk(one, 'and now?', { history: talk(20, 100) });
  expect(outcome).toMatchObject({ status: 'completed', text: 'fine' });
  expect(askedOf(one).summaries.length).toBeGreaterThan(0);
  for (const request of askedOf(one).all) expect(tokensIn(request)).toBeLessThanOrEqual(2_048);
});
