// The promise: a session whose facts a store could not take has not ended there, and a talk knows all the same what was said in it.

import { type Fact, firstRound, type SessionHead } from '@ai-agent/core';
import type { Store } from '@ai-agent/store';
import { expect, test } from 'vitest';
import { TalkStore } from '../src/commands/chat/talk-store.ts';
import { KeptSessions } from '../src/kept-sessions.ts';

const choice = { where: '/nowhere/sessions.sqlite', isUsual: false, retention: {} };
const about = { agent: 'desk', owner: null, headend: 'terminal' };
const fact = (seq: number) => ({ kind: 'fact', type: 'turn-end', seq, trace: { selfId: 'b', originId: 'a' } }) as Fact;
const ended = { status: 'completed', endedAt: 9 } as const;

/** Has no room for what is named. */
function fullStore(...full: readonly ('put' | 'append')[]) {
  const kept = { heads: [] as SessionHead[], facts: [] as Fact[], full: new Set(full) };
  const check = (what: 'put' | 'append') => {
    if (kept.full.has(what)) throw new Error('full');
  };
  const store = {
    put: async (head: SessionHead) => {
      check('put');
      kept.heads.push(head);
    },
    append: async (_id: string, facts: readonly Fact[]) => {
      check('append');
      if (kept.heads.length > 0) kept.facts.push(...facts);
    },
    close: async () => {},
  };
  const sessions = new KeptSessions(choice, { open: async () => store as unknown as Store });
  return { kept, sessions };
}

const keeperOf = (store: KeptSessions['store'] | TalkStore) => ({
  store,
  onBug: () => {},
  clock: { now: () => 1 },
  ids: { next: () => 'a' },
});

test('its last word is that it runs: whoever looks after it finds how far it came', async () => {
  const { kept, sessions } = fullStore('append');
  const round = firstRound(keeperOf(sessions.store), about, 'hello');
  round.onEvent(fact(1));
  await round.end(ended);
  expect(kept.heads.map(({ status }) => status)).not.toContain('completed');
  expect(sessions.unkept?.message).toContain('full');
});

test('nor has it ended where its head found no room before, and its facts find none now', async () => {
  const { kept, sessions } = fullStore('put', 'append');
  const round = firstRound(keeperOf(sessions.store), about, 'hello');
  round.onEvent(fact(1));
  await sessions.inTime(new Promise((resolve) => setTimeout(resolve, 20)));
  kept.full.delete('put');
  await round.end(ended);
  expect(kept.heads.map(({ status }) => status)).not.toContain('completed');
});

test('one that has room again has all of it', async () => {
  const { kept, sessions } = fullStore('put', 'append');
  const store = new TalkStore(sessions);
  const round = firstRound(keeperOf(store), about, 'hello');
  round.onEvent(fact(1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  kept.full.clear();
  round.onEvent(fact(2));
  await round.end(ended);
  expect(kept.facts.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(kept.heads.at(-1)).toMatchObject({ status: 'completed', facts: 2 });
});

test('a talk knows what was said, and that its round has ended', async () => {
  const { sessions } = fullStore('put', 'append');
  const store = new TalkStore(sessions);
  const round = firstRound(keeperOf(store), about, 'hello');
  round.onEvent(fact(1));
  round.onEvent(fact(2));
  await round.end(ended);
  expect(store.all.map(({ seq }) => seq)).toEqual([1, 2]);
  expect(store.head).toMatchObject({ status: 'completed', facts: 2 });
});
