// The promise: a run that found an earlier answer tells the same on a replay, whatever the cache holds by then.

import { asTool, inProcess, journaled, MemoryJournal } from '@ai-agent/core';
import { strict } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { hour, requestsOf, Shared } from './support/caches.ts';
import { agent, nextTick } from './support/walk.ts';

const cache = { ttlMs: hour };
const remembering = (journal: MemoryJournal) => strict(journaled(inProcess, journal), { nextTick });
const facts = (events: readonly { readonly kind: string }[]) => events.filter(({ kind }) => kind === 'fact');
const reread = ({ entries }: MemoryJournal) => new MemoryJournal(JSON.parse(JSON.stringify([...entries])));

test('an answer of the root', async () => {
  const shared = new Shared();
  const lead = agent('lead', ['said'], { cache });
  await shared.ask(lead);
  const journal = new MemoryJournal();
  const first = await shared.watch(lead, { runtime: remembering(journal) });
  const elsewhere = new Shared();
  elsewhere.clock.advance(2 * hour);
  const again = await elsewhere.watch(lead, { runtime: remembering(reread(journal)) });
  expect(first.outcome).toMatchObject({ text: 'said', isCached: true });
  expect(facts(again.events)).toEqual(facts(first.events));
  expect([requestsOf(lead), elsewhere.puts]).toEqual([1, []]);
});

test('an answer of a sub-agent', async () => {
  const shared = new Shared();
  const child = agent('child', ['below'], { cache });
  const call = { calls: [{ name: 'agent__child', input: { reason: 'r', text: 't' } }] };
  const lead = agent('lead', [call, 'one', call, 'two'], { tools: [asTool(child)] });
  await shared.ask(lead);
  const journal = new MemoryJournal();
  const first = await shared.watch(lead, { runtime: remembering(journal) });
  const again = await new Shared().watch(lead, { runtime: remembering(reread(journal)) });
  expect(facts(again.events)).toEqual(facts(first.events));
  expect([requestsOf(child), requestsOf(lead)]).toEqual([1, 4]);
});

test('an answer that is told again is no fresher than it was', async () => {
  const shared = new Shared();
  const lead = agent('lead', ['said'], { cache });
  const journal = new MemoryJournal();
  await shared.ask(lead, { runtime: remembering(journal) });
  shared.clock.advance(hour / 4);
  await shared.ask(lead, { runtime: remembering(reread(journal)) });
  shared.clock.advance(hour);
  await shared.ask(lead, { runtime: remembering(reread(journal)) });
  expect(shared.puts.map(({ ttlMs }) => ttlMs)).toEqual([hour, (3 * hour) / 4]);
});
