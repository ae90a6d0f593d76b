// The promise: a store that works again has what a question needs before it has the question, so that any server answers it; and what is gone does not come back.

import { setTimeout } from 'node:timers/promises';
import { type Json, MemoryPauses, type PauseStore } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { mendMs } from '../src/mending.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { hallOf, openHouse, refusal } from './support/house.ts';
import { BreakableStore, notesIn } from './support/stores.ts';

const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
const curious = () => agentOf('curious', (request) => lastResult(request) ?? asks);

/** All of it breaks at once; `order` has what it took of questions and heads. */
class WholeStore extends BreakableStore {
  readonly order: string[] = [];
  readonly keptPauses = new MemoryPauses();
  readonly keptNotes = new Map<string, Json>();
  arePausesBroken = false;

  readonly pauses: PauseStore = {
    put: (handle, paused) =>
      this.#whole(() => {
        this.order.push('pause');
        this.keptPauses.put(handle, paused);
      }, this.arePausesBroken),
    get: (handle) => this.#whole(() => this.keptPauses.get(handle)),
    delete: (handle) => this.#whole(() => this.keptPauses.delete(handle), this.arePausesBroken),
  };
  readonly notes = notesIn(this.keptNotes, (done) => this.#whole(done));

  async #whole<T>(work: () => T, isBroken = false): Promise<T> {
    if (this.isBroken || isBroken) throw new TypeError('The disk of the house at /srv/house is full.');
    return work();
  }
}

async function openServer(store: WholeStore) {
  const clock = new FakeClock();
  const house = await openHouse(hallOf([curious()], { store, ports: fakePorts({ clock }) }));
  const idle = () => expect.poll(() => house.hall.running).toBe(0);
  const mend = async () => {
    clock.advance(mendMs);
    await expect.poll(() => clock.timers).toBe(0);
  };
  return { ...house, clock, idle, mend };
}

test('another server goes on with it, though it was asked while the store took nothing', async () => {
  const store = new WholeStore();
  const { inner, order } = store;
  const { put } = inner;
  Object.assign(inner, {
    put: (head: Parameters<typeof put>[0]) => {
      order.push(head.status);
      return put.call(inner, head);
    },
  });
  const one = await openServer(store);
  store.isBroken = true;
  const id = await one.start('curious');
  await one.idle();
  expect((await one.get(`/v1/sessions/${id}`)).body).toMatchObject({ status: 'needs_user_input' });
  store.isBroken = false;
  await one.mend();
  expect(await inner.get(id)).toMatchObject({ status: 'needs_user_input' });
  expect(order.indexOf('pause')).toBeLessThan(order.indexOf('needs_user_input'));
  const other = await openServer(store);
  const answered = await other.post(`/v1/sessions/${id}/answer`, { answer: '1999', wait: true });
  expect([answered.status, answered.body]).toEqual([200, '1999']);
});

test('a store that takes facts and no question has not heard that it was asked, until it takes that', async () => {
  const store = new WholeStore();
  const one = await openServer(store);
  store.arePausesBroken = true;
  const id = await one.start('curious');
  await one.idle();
  expect(await store.inner.get(id)).toMatchObject({ status: 'running' });
  one.clock.advance(mendMs);
  await setTimeout(50);
  expect(await store.inner.get(id)).toMatchObject({ status: 'running' });
  store.arePausesBroken = false;
  await one.mend();
  expect(await store.inner.get(id)).toMatchObject({ status: 'needs_user_input' });
  expect(store.keptPauses.get(id)).toBeDefined();
});

test('a server that stops gives it all of that, once more', async () => {
  const store = new WholeStore();
  const { hall, start, idle } = await openServer(store);
  store.isBroken = true;
  const id = await start('curious');
  await idle();
  await hall.notes.put('a', 1, hall.clock.now() + 60_000);
  store.isBroken = false;
  await hall.stop(0);
  expect([store.keptPauses.get(id) !== undefined, store.keptNotes.get('a')]).toEqual([true, 1]);
});

test('what was answered or deleted meanwhile does not come back', async () => {
  const store = new WholeStore();
  const one = await openServer(store);
  const known = await one.start('curious');
  await one.idle();
  expect(store.keptPauses.get(known)).toBeDefined();
  store.isBroken = true;
  const [answered, deleted] = [await one.start('curious'), await one.start('curious')];
  await one.idle();
  for (const id of [known, answered]) {
    const reply = await one.post(`/v1/sessions/${id}/answer`, { answer: '1999', wait: true });
    expect(reply.body).toBe('1999');
  }
  await one.idle();
  await one.wire.send(`/v1/sessions/${deleted}`, { method: 'DELETE' });
  store.isBroken = false;
  await one.wire.send(`/v1/sessions/${deleted}`, { method: 'DELETE' });
  await one.mend();
  expect(await store.inner.get(answered)).toMatchObject({ status: 'completed' });
  for (const id of [known, answered, deleted]) expect(store.keptPauses.get(id)).toBeUndefined();
});

test('where another server has gone on with a session and asked too, its question stays as it is', async () => {
  const store = new WholeStore();
  const again = () => agentOf('curious', () => asks);
  const one = await openHouse(hallOf([again()], { store }));
  const id = await one.start('curious');
  await expect.poll(() => one.hall.running).toBe(0);
  const other = await openHouse(hallOf([again()], { store }));
  store.isBroken = true;
  await one.post(`/v1/sessions/${id}/answer`, { answer: 'here', wait: true });
  await expect.poll(() => one.hall.running).toBe(0);
  store.isBroken = false;
  expect((await other.post(`/v1/sessions/${id}/answer`, { answer: 'there', wait: true })).status).toBe(200);
  await expect.poll(() => other.hall.running).toBe(0);
  const theirs = store.keptPauses.get(`${id}-2`);
  (one.hall.clock as FakeClock).advance(mendMs);
  await expect.poll(() => (one.hall.clock as FakeClock).timers).toBe(0);
  expect(JSON.stringify(theirs?.messages)).toContain('there');
  expect(store.keptPauses.get(`${id}-2`)).toBe(theirs);
  expect(refusal(await one.post(`/v1/sessions/${id}/answer`, { answer: '' }))).toEqual([400, 'answer-invalid']);
});

test('notes that it lacks are given to it as they are now, and those that are over are not', async () => {
  const store = new WholeStore();
  const { hall, clock, mend } = await openServer(store);
  const { notes } = hall;
  const at = clock.now();
  await notes.put('gone', 1, at + 60_000);
  store.isBroken = true;
  await notes.put('kept', 1, at + 60_000);
  await notes.put('kept', 2, at + 60_000);
  await notes.put('over', 1, at + 1);
  await notes.delete('gone');
  expect(await notes.claim('claimed', 1, at + 60_000)).toBe(true);
  store.isBroken = false;
  await mend();
  await expect.poll(() => Object.fromEntries(store.keptNotes)).toEqual({ kept: 2, claimed: 1 });
});
