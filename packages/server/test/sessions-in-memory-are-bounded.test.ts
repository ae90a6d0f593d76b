// The promise: sessions are kept in memory up to a number and a size; what runs is never forgotten, and nobody is told half of one.

import { describe, expect, test } from 'vitest';
import { factOf, headOf } from '../../store/test/support/facts.ts';
import { keepsSessions } from '../../store/test/support/store-contract.ts';
import { MemorySessions } from '../src/index.ts';
import { agentOf, call, lastResult, lookUp } from './contract/people.ts';
import { gate, hallOf, openHouse, refusal } from './support/house.ts';
import { parseEvents } from './support/sse-events.ts';
import { slowStore } from './support/stores.ts';
import { clientToolOf, TalkClient, talkHouse } from './support/talk-client.ts';

describe('in memory', () => keepsSessions(() => new MemorySessions()));
describe('in memory, slowly', () => keepsSessions(() => slowStore()));

test('by number: the one that ended first goes first', () => {
  const store = new MemorySessions({ maxSessions: 2 });
  for (const id of ['a', 'b', 'c']) store.put(headOf(id));
  expect(['a', 'b', 'c'].map((id) => store.get(id)?.id)).toEqual(['a', 'b', 'c']);
  for (const id of ['c', 'a', 'b']) store.put(headOf(id, { endedAt: 1 }));
  expect(['a', 'b', 'c'].map((id) => store.get(id)?.id)).toEqual(['a', 'b', undefined]);
  expect(store.list({ owner: null, limit: 10 }).map(({ id }) => id)).toEqual(['b', 'a']);
});

test('by size: what runs does not count, and the last that ended stays', () => {
  const store = new MemorySessions({ maxBytes: 10_000 });
  const end = (id: string, letters: number) => {
    store.put(headOf(id));
    store.append(id, [factOf(1, 'x'.repeat(letters))]);
    store.put(headOf(id, { endedAt: 1 }));
  };
  store.put(headOf('runs'));
  store.append('runs', [factOf(1, 'x'.repeat(50_000))]);
  end('a', 4_000);
  end('b', 4_000);
  expect(['runs', 'a', 'b'].map((id) => store.get(id)?.id)).toEqual(['runs', 'a', 'b']);
  end('c', 4_000);
  expect(['runs', 'a', 'b', 'c'].map((id) => store.get(id)?.id)).toEqual(['runs', undefined, 'b', 'c']);
  end('large', 40_000);
  expect(['b', 'c', 'large'].map((id) => store.get(id)?.id)).toEqual([undefined, undefined, 'large']);
  end('d', 10);
  expect(['large', 'd'].map((id) => store.get(id)?.id)).toEqual([undefined, 'd']);
});

test('what was written and is in no fact counts too, once', () => {
  const store = new MemorySessions({ maxBytes: 10_000 });
  const end = (id: string) => {
    store.put(headOf(id));
    for (let i = 0; i < 3; i++) store.put(headOf(id, { endedAt: 1, draft: 'x'.repeat(4_000) }));
  };
  for (const id of ['a', 'b']) end(id);
  expect(['a', 'b'].map((id) => store.get(id)?.id)).toEqual(['a', 'b']);
  end('c');
  expect(['a', 'b', 'c'].map((id) => store.get(id)?.id)).toEqual([undefined, 'b', 'c']);
});

test('a fact that is nested deeper than a stack is kept like any other', () => {
  let deep: unknown = 'x';
  for (let i = 0; i < 200_000; i++) deep = [deep];
  const store = new MemorySessions();
  store.put(headOf('a'));
  store.append('a', [{ ...factOf(1), deep } as never]);
  expect(store.facts('a', 0).length).toBe(1);
});

const asks = { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };

test('a session that goes on after its question is not forgotten by others that end', async () => {
  const door = gate();
  const curious = agentOf('curious', (request) => lastResult(request) ?? asks, { ask: 'person' });
  const slow = agentOf('slow', () => ({ text: 'Done.', until: door.opened }));
  const places = { rest: { running: 1, waiting: 9 } };
  const house = await openHouse(hallOf([curious, slow], { places, store: new MemorySessions({ maxSessions: 1 }) }));
  const id = await house.start('curious');
  await house.ended(id);
  const others = [await house.start('slow'), await house.start('slow')];
  await house.post(`/v1/sessions/${id}/answer`, { answer: 'This.' });
  door.open();
  for (const other of others) await house.heard(other).catch(() => []);
  expect(await house.ended(id)).toMatchObject({ status: 'completed', earlier: [{ status: 'needs_user_input' }] });
  expect(refusal(await house.get(`/v1/sessions/${others[0]}`))).toEqual([404, 'session-unknown']);
});

test('whoever reads a session as it is forgotten is cut off, and not told that this was all', async () => {
  const large = agentOf(
    'large',
    (_request, turn) => (turn < 40 ? { ...call('look_up', {}), text: 'x'.repeat(2_000) } : 'Done.'),
    {
      tools: [lookUp],
      limits: { maxTurns: 50 },
    },
  );
  const house = await openHouse(hallOf([large], { store: new MemorySessions({ maxSessions: 1 }) }));
  const id = await house.start('large');
  await house.ended(id);
  const reader = parseEvents((await house.events(id)).chunks)[Symbol.asyncIterator]();
  expect((await reader.next()).value.id).toBe('1');
  await house.ended(await house.start('large'));
  const read = async () => {
    let last = 1;
    for (let next = await reader.next(); !next.done; next = await reader.next()) last = Number(next.value.id ?? -1);
    return last;
  };
  await expect(read()).rejects.toThrow('not kept any more');
});

test('by size: a long conversation with a client counts as what it is, however often it went on', async () => {
  const lead = agentOf('lead', () => ({ calls: [{ name: 'weather' }] }));
  // The 606 facts of each come to a little over 500 kB, traces with ids of agents included; conversations counted in each round, to 3 MB.
  const store = new MemorySessions({ maxBytes: 1_100_000 });
  const { app } = talkHouse([lead], { store });
  const clients = [1, 2].map(() => new TalkClient(app, 'lead', { tools: [clientToolOf('weather')] }));
  for (const client of clients) await client.say('Go.');
  const ids = clients.map((client) => client.last?.about.session_id);
  // Each has 90 kB at its end, and told of that from the beginning sixty times.
  for (let round = 0; round < 60; round++) for (const client of clients) await client.bring(['x'.repeat(1_500)]);
  expect(clients.map((client) => client.last?.about.session_id)).toEqual(ids);
});
