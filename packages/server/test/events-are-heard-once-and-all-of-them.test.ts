// The promise: whoever follows a session hears every fact of it once, in order, wherever it comes back and whatever the store does.

import { describe, expect, test } from 'vitest';
import { MemorySessions, type SessionStore } from '../src/index.ts';
import { agentOf, call, lastResult, leadOf, lookUp } from './contract/people.ts';
import { gate, hallOf, openHouse, refusal, wires } from './support/house.ts';
import { parseEvents, type ReadEvent } from './support/sse-events.ts';
import { slowStore } from './support/stores.ts';

const stores: readonly [string, () => SessionStore][] = [
  ['a store that answers at once', () => new MemorySessions()],
  ['a store that takes its time', () => slowStore()],
];

/** Looks up this often, then answers. */
function busy(times: number, until?: Promise<void>) {
  return agentOf(
    'busy',
    (_request, turn) =>
      turn <= times
        ? { ...call('look_up', { turn }), ...(until && turn === 3 ? { until } : {}) }
        : { text: 'All looked up.' },
    { tools: [lookUp], limits: { maxTurns: times + 2 } },
  );
}

const facts = (events: readonly ReadEvent[]) => events.filter(({ id }) => id !== undefined);
const ids = (events: readonly ReadEvent[]) => facts(events).map(({ id }) => Number(id));
const upTo = (count: number, from = 1) => Array.from({ length: count - from + 1 }, (_, i) => from + i);

describe.each(stores)('%s', (_store, store) => {
  test.each(wires)('replayed from every position, when it has ended (%s)', async (_wire, connect) => {
    const house = await openHouse(hallOf([busy(40)], { store: store() }), connect);
    const id = await house.start('busy');
    const all = await house.heard(id);
    const count = facts(all).length;
    expect(count).toBeGreaterThan(200);
    const again = await house.heard(id);
    expect(ids(again)).toEqual(upTo(count));
    expect(again.at(-1)).toMatchObject({ event: 'end', id: undefined, data: { id, status: 'completed' } });
    expect(again.slice(0, -1).map(({ data }) => data)).toEqual(facts(all).map(({ data }) => data));
    expect(again[0]).toMatchObject({ event: 'session-start', data: { kind: 'fact', type: 'session-start' } });
    for (const after of [1, 2, 99, 100, 101, 200, count - 1, count])
      expect(ids(await house.heard(id, { after }))).toEqual(upTo(count, after + 1));
    const asked = await house.get(`/v1/sessions/${id}/events?after=${count - 1}`);
    expect(asked.body).toMatch(new RegExp(`^id: ${count}\nevent: session-end\n`));
  });

  test.each(wires)('coming back after every single fact while it runs (%s)', async (_wire, connect) => {
    const house = await openHouse(hallOf([busy(6)], { store: store() }), connect);
    const id = await house.start('busy');
    const heard: ReadEvent[] = [];
    for (let isOver = false; !isOver; ) {
      const gone = new AbortController();
      const arrived = await house.events(id, { after: heard.length, signal: gone.signal });
      for await (const event of parseEvents(arrived.chunks)) {
        if (event.event === 'end') isOver = true;
        if (event.id === undefined) continue;
        heard.push(event);
        break;
      }
      gone.abort();
    }
    expect(ids(heard)).toEqual(upTo(heard.length));
    expect(heard.at(-1)?.event).toBe('session-end');
    expect(ids(await house.heard(id))).toEqual(ids(heard));
  });

  test('who comes in the middle hears what was, then what is, hints too', async () => {
    const door = gate();
    const agent = agentOf('teller', (_request, turn) =>
      turn === 1 ? call('look_up', {}) : { text: 'Piece by piece by piece.', until: door.opened },
    );
    const house = await openHouse(hallOf([{ ...agent, tools: [lookUp] }], { store: store() }));
    const id = await house.start('teller');
    await expect.poll(() => house.hall.live(id)?.count).toBeGreaterThan(6);
    const followers = upTo(9, 0).map((after) => house.heard(id, { after: after % 7 }));
    await expect.poll(() => house.hall.live(id)?.followers).toBe(10);
    door.open();
    for (const [i, heard] of (await Promise.all(followers)).entries()) {
      const text = heard.filter(({ event }) => event === 'text-delta').map(({ data }) => data.text);
      expect(text.join('')).toBe('Piece by piece by piece.');
      expect(heard.filter(({ event }) => event === 'text-delta').every((hint) => hint.id === undefined)).toBe(true);
      expect(ids(heard)).toEqual(upTo(ids(heard).at(-1) ?? 0, (i % 7) + 1));
      expect(heard.slice(-2).map(({ event }) => event)).toEqual(['session-end', 'end']);
    }
  });

  test('a question ends the stream; whoever comes back after the answer hears the rest', async () => {
    const ask = { calls: [{ name: 'ask_user', input: { question: 'Which one?' } }] };
    const child = agentOf('child', (request) => lastResult(request) ?? ask, { ask: 'person' });
    const house = await openHouse(hallOf([leadOf('lead', child)], { store: store() }));
    const id = await house.start('lead');
    const before = await house.heard(id);
    expect(before.at(-1)).toMatchObject({ event: 'end', data: { status: 'needs_user_input' } });
    const asked = facts(before).length;
    expect((await house.post(`/v1/sessions/${id}/answer`, { answer: 'The blue one.' })).status).toBe(202);
    const after = await house.heard(id, { after: asked });
    expect(after.at(-1)).toMatchObject({ event: 'end', data: { id, status: 'completed' } });
    const all = await house.heard(id);
    expect(ids(all)).toEqual(upTo(asked + facts(after).length));
    expect(ids(after)).toEqual(upTo(all.length - 1, asked + 1));
    expect(await house.ended(id)).toMatchObject({ sessionId: id, earlier: [{ status: 'needs_user_input' }] });
  });
});

test('a hint never comes before what was told before it', async () => {
  const [slow, model] = [gate(), gate()];
  const inner = new MemorySessions();
  const store: SessionStore = {
    put: (head) => inner.put(head),
    append: (id, told) => inner.append(id, told),
    get: (id) => inner.get(id),
    facts: async (id, after, limit) => slow.opened.then(() => inner.facts(id, after, limit)),
    list: (query) => inner.list(query),
    claim: (head) => inner.claim(head),
    delete: (id) => inner.delete(id),
  };
  const agent = agentOf('curious', (_request, turn) =>
    turn === 1
      ? { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }
      : { text: 'Piece by piece.', until: model.opened },
  );
  const house = await openHouse(hallOf([agent], { store }));
  const id = await house.start('curious');
  await expect.poll(() => house.hall.running).toBe(0);
  await house.post(`/v1/sessions/${id}/answer`, { answer: 'This.' });
  await expect.poll(() => house.hall.live(id)?.head.status).toBe('running');
  const heard = house.heard(id);
  await expect.poll(() => house.hall.live(id)?.followers).toBe(1);
  model.open();
  await expect.poll(() => house.hall.running).toBe(0);
  slow.open();
  const events = await heard;
  expect(events[0]).toMatchObject({ event: 'session-start', id: '1' });
  expect(events.filter((event) => event.id === undefined).map(({ event }) => event)).toEqual(['end']);
});

test('what is no id of an event of it is refused', async () => {
  const house = await openHouse(hallOf([busy(1)]));
  const id = await house.start('busy');
  const count = facts(await house.heard(id)).length;
  for (const wrong of ['x', '-1', '1.5', '', '9'.repeat(30), String(count + 1)]) {
    const replied = await house.get(`/v1/sessions/${id}/events`, { 'last-event-id': wrong });
    expect(refusal(replied)).toEqual([400, 'request-invalid']);
    expect(replied.body.error.message).toContain('Last-Event-ID');
  }
  expect(refusal(await house.get(`/v1/sessions/${id}/events?after=x`))).toEqual([400, 'request-invalid']);
});

test('what nobody foresaw is no news for clients, in events as little as in the session', async () => {
  const broken = agentOf('broken', ['said'], {
    middleware: [
      {
        name: 'broken',
        decide: {
          turn: () => {
            throw new TypeError('secret-of-the-house at /srv/house/secret.ts');
          },
        },
      },
    ],
  });
  const house = await openHouse(hallOf([broken]));
  const id = await house.start('broken');
  const said = JSON.stringify([await house.heard(id), await house.ended(id)]);
  expect(said).toContain('"class":"bug"');
  expect(said).not.toContain('secret');
});
