// A summary replays: recorded as an operation, under a name that stays the same, and nobody is asked again.

import { inProcess, journaled, MemoryJournal } from '@ai-agent/core';
import { strict } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { askedOf, lookingFor, looks, summing, talk, window } from './support/long-talks.ts';
import { agent, nextTick, walk } from './support/walk.ts';

const limits = { ...window, maxTurns: 100 };
const lead = (times = 14) =>
  agent(
    'lead',
    summing(lookingFor(times), (i) => `summary ${i}`),
    { tools: [looks()], limits },
  );
const withoutHints = (events: readonly { readonly kind: string }[]) => events.filter(({ kind }) => kind === 'fact');

test('the same story, without a model', async () => {
  const journal = new MemoryJournal();
  const history = new Map<string, string[]>();
  const runtime = () => strict(journaled(inProcess, journal), { nextTick, history });
  const first = await walk(lead(), 'find it all', { runtime: runtime() });
  const names = [...journal.entries.keys()].filter((name) => name.includes('summary'));
  expect(names.length).toBeGreaterThan(1);
  for (const name of names) expect(name).toMatch(/^s1\/turn\.\d+\.summary\.1$/);
  const silentLead = agent('lead', [], { tools: [looks()], limits });
  const again = await walk(silentLead, 'find it all', { runtime: runtime() });
  expect(silentLead.model.requests).toHaveLength(0);
  expect(withoutHints(again.events)).toEqual(withoutHints(first.events));
  expect(again.outcome).toMatchObject({ status: 'completed', text: 'all of it', usage: first.outcome.usage });
});

test('a run that broke off in the middle of one asks for it again, and for nothing before it', async () => {
  const journal = new MemoryJournal();
  await walk(lead(), 'find it all', { runtime: strict(journaled(inProcess, journal), { nextTick }) });
  const entries = [...journal.entries];
  const at = entries.findIndex(([name]) => name.includes('summary'));
  const cut = new MemoryJournal(entries.slice(0, at));
  const one = lead();
  const again = await walk(one, 'find it all', { runtime: strict(journaled(inProcess, cut), { nextTick }) });
  expect(askedOf(one).summaries.length).toBeGreaterThan(1);
  expect(askedOf(one).all[0]).toBe(askedOf(one).summaries[0]);
  expect(again.outcome).toMatchObject({ status: 'completed', text: 'all of it' });
});

test('parts of one have names of their own', async () => {
  const journal = new MemoryJournal();
  const one = agent(
    'lead',
    summing(['fine'], (i) => `summary ${i}`),
    { limits },
  );
  const runtime = () => strict(journaled(inProcess, journal), { nextTick });
  const options = { history: talk(30, 400), runtime: runtime() };
  await walk(one, 'and now?', options);
  const names = [...journal.entries.keys()].filter((name) => name.includes('summary'));
  expect(names.slice(0, 2)).toEqual(['s1/turn.1.summary.1', 's1/turn.1.summary.2']);
  const again = agent('lead', [], { limits });
  expect((await walk(again, 'and now?', { ...options, runtime: runtime() })).outcome).toMatchObject({ text: 'fine' });
});
