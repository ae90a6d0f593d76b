// The promise: a store that breaks, or takes for ever, costs what it would have kept, and no run, no answer and no follower.

import type { FakeClock } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { MemorySessions, type SessionStore } from '../src/index.ts';
import { patienceMs } from '../src/patience.ts';
import { agentOf, call, lastResult, lookUp } from './contract/people.ts';
import { gate, hallOf, openHouse, refusal } from './support/house.ts';
import { brokenStore } from './support/stores.ts';

const busy = (until: Promise<void>) =>
  agentOf('busy', (_request, turn) => (turn === 1 ? call('look_up', {}) : { text: 'Looked up.', until }), {
    tools: [lookUp],
  });

describe.each(['throws', 'rejects'] as const)('a store that %s', (how) => {
  test('whoever runs the server is told that a session is not kept, once', async () => {
    const bugs: unknown[] = [];
    const store = brokenStore(how);
    const hall = hallOf([agentOf('echo', () => 'Said.')], { store, onBug: (error) => bugs.push(String(error)) });
    const house = await openHouse(hall);
    expect((await house.get('/v1/echo?q=Go.')).status).toBe(200);
    await expect.poll(() => hall.running).toBe(0);
    expect(bugs).toEqual([expect.stringContaining('disk')]);
  });

  test('who waits is answered, who follows hears everything, who looks sees it while it runs', async () => {
    const door = gate();
    const bugs: unknown[] = [];
    const hall = hallOf([busy(door.opened)], { store: brokenStore(how), onBug: (error) => bugs.push(error) });
    const house = await openHouse(hall);
    const id = await house.start('busy');
    const waits = house.get('/v1/busy?q=Go.');
    const heard = house.heard(id);
    await expect.poll(() => hall.live(id)?.count).toBeGreaterThan(6);
    expect((await house.get(`/v1/sessions/${id}`)).body).toMatchObject({
      status: 'running',
      tree: { status: 'running' },
    });
    door.open();
    expect((await waits).status).toBe(200);
    const events = await heard;
    const seqs = events.filter(({ data }) => data.kind === 'fact').map(({ data }) => data.seq);
    expect(seqs).toEqual(seqs.map((_, i) => i + 1));
    expect(events.filter((event) => event.id !== undefined)).toEqual([]);
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { status: 'completed', isKept: false } });
    // It is known here, and what the disk said is nobody's business but ours.
    await expect.poll(() => hall.running).toBe(0);
    const kept = await house.get(`/v1/sessions/${id}`);
    expect(kept.body).toMatchObject({ status: 'completed', text: 'Looked up.' });
    expect((await house.get('/v1/sessions')).body.sessions).toHaveLength(2);
    expect(refusal(await house.get('/v1/sessions/nobody'))).toEqual([500, 'internal']);
    expect(JSON.stringify(await house.get('/v1/sessions/nobody'))).not.toContain('disk');
    expect(JSON.stringify(bugs.map(String))).toContain('disk');
    expect(await house.hall.stop(0)).toBe(0);
  });
});

test.each([
  ['at once', (work: () => void) => work()],
  ['slowly', async (work: () => void) => work()],
])('what a store (%s) fails to take once is given to it again, under its number', async (_name, take) => {
  const inner = new MemorySessions();
  let appends = 0;
  const store: SessionStore = {
    put: (head) => take(() => inner.put(head)),
    append: (id, facts) =>
      take(() => {
        if (++appends === 3) throw new TypeError('The disk is busy.');
        inner.append(id, facts);
      }),
    get: (id) => inner.get(id),
    facts: (id, after, limit) => inner.facts(id, after, limit),
    list: (query) => inner.list(query),
    claim: (head) => inner.claim(head),
    delete: (id) => inner.delete(id),
  };
  const house = await openHouse(hallOf([busy(Promise.resolve())], { store }));
  const id = await house.start('busy');
  const facts = (events: Awaited<ReturnType<typeof house.heard>>) =>
    events.filter(({ data }) => data.kind === 'fact').map(({ data }) => data);
  const live = facts(await house.heard(id));
  await expect.poll(() => house.hall.running).toBe(0);
  const again = await house.heard(id);
  expect(facts(again)).toEqual(live);
  expect(again.slice(0, -1).map((event) => event.id)).toEqual(live.map((_, i) => String(i + 1)));
  expect(again.at(-1)).toMatchObject({ event: 'end', data: { status: 'completed' } });
});

test('a store that never settles keeps nobody from an answer, nor the server from stopping', async () => {
  const inner = new MemorySessions();
  const never = new Promise<never>(() => {});
  const store: SessionStore = {
    put: (head) => (head.endedAt === undefined ? inner.put(head) : never),
    append: () => never,
    get: (id) => inner.get(id),
    facts: (id, after, limit) => inner.facts(id, after, limit),
    list: (query) => inner.list(query),
    claim: (head) => inner.claim(head),
    delete: (id) => inner.delete(id),
  };
  const house = await openHouse(hallOf([agentOf('echo', () => 'Said.')], { store }));
  const clock = house.hall.clock as FakeClock;
  const answering = house.get('/v1/echo?q=Go.');
  // Whoever writes waits, and whoever wants the answer.
  await expect.poll(() => clock.timers).toBe(2);
  clock.advance(patienceMs);
  const answered = await answering;
  expect([answered.status, answered.body]).toEqual([200, 'Said.']);
  // Nobody waits for it a second time.
  expect((await house.get('/v1/echo?q=Go.')).body).toBe('Said.');
  // All that is known of it is known here.
  expect((await house.get('/v1/sessions/s1')).body).toMatchObject({ status: 'completed', text: 'Said.' });
  expect((await house.get('/v1/sessions')).body.sessions).toMatchObject([
    { id: 's2', status: 'completed' },
    { id: 's1', status: 'completed' },
  ]);
  expect(house.hall.placesOf('rest').running).toBe(0);
  await expect.poll(() => house.hall.running).toBe(0);
  expect(await house.hall.stop(10_000)).toBe(0);
});

test('who follows a session that goes on, of which the store has lost the beginning, is told so once', async () => {
  const inner = new MemorySessions();
  let reads = 0;
  const store: SessionStore = {
    put: (head) => inner.put(head),
    append: () => {},
    get: (id) => inner.get(id),
    facts: (id, after, limit) => {
      if (++reads > 100) throw new TypeError('Nobody looks so often.');
      return inner.facts(id, after, limit);
    },
    list: (query) => inner.list(query),
    claim: (head) => inner.claim(head),
    delete: (id) => inner.delete(id),
  };
  const door = gate();
  const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
  const curious = agentOf('curious', (request) =>
    lastResult(request) === undefined ? asks : { text: 'So it is.', until: door.opened },
  );
  const house = await openHouse(hallOf([curious], { store }));
  const id = await house.start('curious');
  const before = (await house.heard(id)).filter((event) => event.id !== undefined).length;
  expect((await house.post(`/v1/sessions/${id}/answer`, { answer: '1999' })).status).toBe(202);
  await expect(house.heard(id)).rejects.toThrow('not kept any more');
  expect(reads).toBe(1);
  // What is told since is known here.
  const rest = house.heard(id, { after: before });
  door.open();
  expect((await rest).at(-1)).toMatchObject({ event: 'end', data: { status: 'completed' } });
});
