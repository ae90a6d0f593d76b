// The promise: with a store that keeps what waits, a question is answered by another process; results of clients are bounded there; a store that fails costs nobody an answer.

import { MemoryPauses, type Paused, type PauseStore } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { MemorySessions, type SessionStore } from '../src/index.ts';
import { Patience } from '../src/patience.ts';
import { clientPauses } from '../src/pauses-apart.ts';
import { PausesBeside } from '../src/pauses-beside.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { hallOf, openHouse, refusal } from './support/house.ts';
import { slowStore } from './support/stores.ts';

const patience = new Patience(new FakeClock());
const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
const curious = () => agentOf('curious', (request) => lastResult(request) ?? asks);

test('whoever comes after it goes on from the store, and only one of two does', async () => {
  const pauses = new MemoryPauses();
  const store: SessionStore = { ...slowStore(new MemorySessions()), pauses };
  const ports = fakePorts();
  const before = await openHouse(hallOf([curious()], { store, ports }));
  const id = await before.start('curious');
  await before.heard(id);
  await expect.poll(() => before.hall.running).toBe(0);
  const after = await openHouse(hallOf([curious()], { store, ports }));
  const answered = await after.post(`/v1/sessions/${id}/answer`, { answer: '1999', wait: true });
  expect([answered.status, answered.body]).toEqual([200, '1999']);
  // The first one has it in memory still.
  const second = await before.post(`/v1/sessions/${id}/answer`, { answer: '1998' });
  expect(refusal(second)).toEqual([409, 'question-unknown']);
  // Nobody there has ever seen a handle.
  expect(second.body.error.remedy).toContain('Read the session');
  expect(second.body.error.remedy).not.toContain('handle');
});

test('a store that fails is told of, and what it did not take is given to it later', async () => {
  const inner = new MemoryPauses();
  const state = { isBroken: true };
  const work = <T>(done: () => T): T => {
    if (state.isBroken) throw new TypeError('The disk is full.');
    return done();
  };
  const store: PauseStore = {
    put: (handle, paused) => work(() => inner.put(handle, paused)),
    get: (handle) => work(() => inner.get(handle)),
    delete: (handle) => work(() => inner.delete(handle)),
  };
  const bugs: unknown[] = [];
  const pauses = new PausesBeside(store, { patience, onBug: (error) => bugs.push(error) });
  const paused = { agentName: 'one' } as Paused;
  await pauses.put('a', paused);
  expect(await pauses.get('a')).toBe(paused);
  expect(bugs).toHaveLength(1);
  state.isBroken = false;
  await pauses.put('b', paused);
  await pauses.mend(() => false);
  expect([inner.get('a'), inner.get('b')]).toEqual([paused, paused]);
  // Somebody else has answered it.
  inner.delete('a');
  expect([await pauses.delete('a'), await pauses.delete('b')]).toEqual([false, true]);
  state.isBroken = true;
  await pauses.put('c', paused);
  expect(await pauses.delete('c')).toBe(true);
});

test('of what waits for results of clients so many are in the store, and no more', async () => {
  const kept = new Set<string>();
  const store: PauseStore = {
    put: (handle) => void kept.add(handle),
    get: () => undefined,
    delete: (handle) => kept.delete(handle),
  };
  const pauses = new PausesBeside(store, { patience, onBug: () => {} });
  const paused = { agentName: 'one', calls: [] } as unknown as Paused;
  for (let i = 0; i <= clientPauses.sessions; i++) await pauses.put(String(i), paused);
  expect([kept.size, kept.has('0'), kept.has('1')]).toEqual([clientPauses.sessions, false, true]);
});
