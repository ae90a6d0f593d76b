// Results stay with their calls when a conversation is summed up, wherever the cut falls: random histories, the same ones every time.

import type { Message } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { askedOf, expectOrder, say, silent, summing, tokensIn, window } from './support/long-talks.ts';
import { agent, walk } from './support/walk.ts';

/** Numbers from 0 to 1 that look like chance. */
function chances(seed: number): () => number {
  let state = seed * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Mostly short, sometimes very long: a cut may fall on either side of anything. */
function words(chance: () => number): string {
  return 'word '.repeat(Math.floor(chance() ** 4 * 2_000) + 1);
}

function randomHistory(seed: number): readonly Message[] {
  const chance = chances(seed);
  const history: Message[] = [say('user', words(chance))];
  for (let i = 0; i < 10 + chance() * 60; i++) {
    const ids = Array.from({ length: Math.floor(chance() * 4) }, (_, at) => `call_${i}_${at}`);
    const parts = ids.map(
      (id) => ({ type: 'tool-call', id, name: 'look', input: JSON.stringify({ text: words(chance) }) }) as const,
    );
    history.push({ role: 'assistant', content: [{ type: 'text', text: words(chance) }, ...parts] });
    const results = ids.map(
      (id) => ({ type: 'tool-result', id, name: 'look', text: words(chance), isError: false }) as const,
    );
    if (ids.length > 0) history.push({ role: 'tool', content: results });
    if (ids.length === 0 || chance() < 0.3) history.push(say('user', words(chance)));
  }
  return history;
}

test('two hundred of them', async () => {
  let [summed, kept] = [0, 0];
  for (let seed = 1; seed <= 200; seed++) {
    const one = agent(
      'lead',
      summing([{ text: 'fine', usage: silent }], () => 'so far'),
      { limits: window },
    );
    const { outcome } = await walk(one, 'and now?', { history: randomHistory(seed) });
    expect(outcome).toMatchObject({ status: 'completed', text: 'fine' });
    const { summaries, turns } = askedOf(one);
    const messages = turns[0]?.messages ?? [];
    expectOrder(messages);
    expect(messages.at(-1)).toEqual(say('user', 'and now?'));
    for (const request of [...summaries, ...turns]) expect(tokensIn(request)).toBeLessThanOrEqual(7_000);
    if (summaries.length > 0) summed++;
    if (messages.length > 2) kept++;
  }
  expect(summed).toBeGreaterThan(100);
  expect(kept).toBeGreaterThan(100);
});
