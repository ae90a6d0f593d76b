// The promise: while a store fails, sessions are started, read, answered and listed all the same; when it works again it has all of it, and its word is the last one.

import type { SessionHead } from '@ai-agent/core';
import type { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { MemorySessions } from '../src/index.ts';
import { mendMs } from '../src/mending.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { gate, type House, hallOf, openHouse, refusal } from './support/house.ts';
import { BreakableStore } from './support/stores.ts';

const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
const curious = () => agentOf('curious', (request) => lastResult(request) ?? asks);
const echo = () => agentOf('echo', () => 'Said.');

async function mended({ hall }: House, store: BreakableStore): Promise<void> {
  store.isBroken = false;
  (hall.clock as FakeClock).advance(mendMs);
  await expect
    .poll(async () => (await store.inner.list({ limit: 10, statuses: ['queued', 'running'] })).length)
    .toBe(0);
}

const idle = ({ hall }: House) => expect.poll(() => hall.running).toBe(0);

test('what ended meanwhile is given to it, facts before the head that counts them', async () => {
  const store = new BreakableStore();
  const house = await openHouse(hallOf([echo()], { store }));
  store.isBroken = true;
  const id = await house.start('echo');
  await idle(house);
  expect((await house.get(`/v1/sessions/${id}`)).body).toMatchObject({ status: 'completed', text: 'Said.' });
  expect((await house.get('/v1/sessions')).body.sessions).toMatchObject([{ id, status: 'completed' }]);
  expect(await store.inner.get(id)).toBeUndefined();
  await mended(house, store);
  await expect.poll(() => store.inner.get(id)).toMatchObject({ status: 'completed' });
  const head = await store.inner.get(id);
  expect((await store.inner.facts(id, 0)).length).toBe(head?.facts);
  expect((await store.inner.facts(id, 0)).at(-1)?.type).toBe('session-end');
  expect((house.hall.clock as FakeClock).timers).toBe(0);
});

test('one that broke in the middle of a session has each fact once, in order', async () => {
  const store = new BreakableStore();
  const door = gate();
  const slow = agentOf('slow', () => ({ text: 'Said.', until: door.opened }));
  const house = await openHouse(hallOf([slow], { store }));
  const id = await house.start('slow');
  await expect.poll(async () => (await store.inner.facts(id, 0)).length).toBeGreaterThan(0);
  store.isBroken = true;
  door.open();
  await idle(house);
  expect(await store.inner.get(id)).toMatchObject({ status: 'running' });
  await mended(house, store);
  const seqs = (await store.inner.facts(id, 0)).map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, i) => i + 1));
  expect(await store.inner.get(id)).toMatchObject({ status: 'completed', facts: seqs.length });
});

test('a question is answered while it fails, and the whole session is in it afterwards', async () => {
  const store = new BreakableStore();
  const house = await openHouse(hallOf([curious()], { store }));
  const id = await house.start('curious');
  await idle(house);
  store.isBroken = true;
  const answered = await house.post(`/v1/sessions/${id}/answer`, { answer: '1999', wait: true });
  expect([answered.status, answered.body]).toEqual([200, '1999']);
  await idle(house);
  expect((await house.get(`/v1/sessions/${id}`)).body).toMatchObject({ status: 'completed' });
  expect(await store.inner.get(id)).toMatchObject({ status: 'needs_user_input', resumptions: 0 });
  await mended(house, store);
  const head = await store.inner.get(id);
  expect(head).toMatchObject({ status: 'completed', resumptions: 1 });
  expect((await store.inner.facts(id, 0)).length).toBe(head?.facts);
});

test('where another server went on with a session meanwhile, what was done here does not count', async () => {
  const store = new BreakableStore();
  const house = await openHouse(hallOf([curious()], { store }));
  const id = await house.start('curious');
  await idle(house);
  store.isBroken = true;
  expect((await house.post(`/v1/sessions/${id}/answer`, { answer: 'here', wait: true })).body).toBe('here');
  await idle(house);
  const before = await store.inner.get(id);
  if (!before) throw new TypeError('It is there.');
  const { question: _question, resume: _resume, ...open } = before;
  await store.inner.claim({ ...open, resumptions: 1, status: 'running', title: 'theirs' });
  store.isBroken = false;
  (house.hall.clock as FakeClock).advance(mendMs);
  await expect
    .poll(async () => (await house.get(`/v1/sessions/${id}`)).body)
    .toMatchObject({ status: 'running', title: 'theirs' });
  expect((await store.inner.facts(id, 0)).length).toBe(before.facts);
});

test('what others have deleted while it ran is not kept again, and not tried for ever', async () => {
  const store = new BreakableStore();
  const door = gate();
  const slow = agentOf('slow', () => ({ text: 'Said.', until: door.opened }));
  const house = await openHouse(hallOf([slow], { store }));
  const id = await house.start('slow');
  await expect.poll(async () => (await store.inner.facts(id, 0)).length).toBeGreaterThan(0);
  // They held this server for gone.
  await store.inner.put({ ...((await store.inner.get(id)) as SessionHead), status: 'interrupted', endedAt: 1 });
  expect(await store.inner.delete(id)).toBe(true);
  door.open();
  await idle(house);
  await mended(house, store);
  expect(await store.inner.list({})).toEqual([]);
  expect((house.hall.clock as FakeClock).timers).toBe(0);
});

test('nor does this server go on with it once more, when the store can say so', async () => {
  const store = new BreakableStore();
  const house = await openHouse(hallOf([curious()], { store }));
  const id = await house.start('curious');
  await idle(house);
  store.isBroken = true;
  expect((await house.post(`/v1/sessions/${id}/answer`, { answer: 'here', wait: true })).body).toBe('here');
  await idle(house);
  const before = await store.inner.get(id);
  if (!before) throw new TypeError('It is there.');
  const { question: _question, resume: _resume, ...open } = before;
  await store.inner.claim({ ...open, resumptions: 1, status: 'running', title: 'theirs' });
  store.isBroken = false;
  const again = await house.post('/v1/sessions', { session: id, input: 'And the month?' });
  expect(refusal(again)).toEqual([409, 'session-busy']);
  expect((await house.get(`/v1/sessions/${id}`)).body).toMatchObject({ status: 'running', title: 'theirs' });
});

test('what it never knew and nobody here knows is told as a failure of ours, and nothing is said of the disk', async () => {
  const store = new BreakableStore();
  const house = await openHouse(hallOf([echo()], { store }));
  store.isBroken = true;
  const reply = await house.get('/v1/sessions/nobody');
  expect(refusal(reply)).toEqual([500, 'internal']);
  expect(JSON.stringify(reply.body)).not.toContain('disk');
});

test('a server that stops gives it what it lacks, once more', async () => {
  const store = new BreakableStore(new MemorySessions());
  const house = await openHouse(hallOf([echo()], { store }));
  store.isBroken = true;
  const id = await house.start('echo');
  await idle(house);
  store.isBroken = false;
  await house.hall.stop(0);
  expect(await store.inner.get(id)).toMatchObject({ status: 'completed' });
});
