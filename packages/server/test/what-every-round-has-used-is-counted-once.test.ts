// The promise: wherever a process is killed while it gives a store what that lacks, the store says of the session what its facts say, and what its rounds have used is counted once.

import { addTotals, isUnderWay, noTotals, type SessionHead, type Totals } from '@ai-agent/core';
import type { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { headOfLeft } from '../../store/src/left-behind.ts';
import { MemorySessions, type SessionStore } from '../src/index.ts';
import { mendMs } from '../src/mending.ts';
import { agentOf } from './contract/people.ts';
import { hallOf, openHouse } from './support/house.ts';

/** Takes so many writes, and then hangs: as it is for a process that is no more. Before that it may fail. */
class DyingStore implements SessionStore {
  readonly inner = new MemorySessions();
  isBroken = false;
  left = Number.POSITIVE_INFINITY;

  readonly put = (head: SessionHead) => this.#write(() => this.inner.put(head));
  readonly claim = (head: SessionHead) => this.#write(() => this.inner.claim(head));
  readonly append: SessionStore['append'] = (id, facts) => this.#write(() => this.inner.append(id, facts));
  readonly delete = async (id: string) => this.inner.delete(id);
  readonly get = async (id: string) => this.inner.get(id);
  readonly facts: SessionStore['facts'] = async (id, after, limit) => this.inner.facts(id, after, limit);
  readonly list: SessionStore['list'] = async (query) => this.inner.list(query);

  async #write<T>(work: () => T): Promise<T> {
    if (this.isBroken) throw new TypeError('The disk is full.');
    if (this.left <= 0) return new Promise<never>(() => {});
    this.left -= 1;
    return work();
  }
}

const echo = () => agentOf('echo', () => 'Said.');

/** As a store has it when it finds that nobody runs it any more. */
function sweep(store: MemorySessions, id: string): SessionHead | undefined {
  const head = store.get(id);
  const facts = store.facts(id, 0);
  if (head && isUnderWay(head))
    store.put(headOfLeft({ head, facts: facts.length, last: facts.at(-1), isWaiting: () => false }));
  return store.get(id);
}

/** What the rounds have used that have told their end. */
function usedIn(store: MemorySessions, id: string): Totals | undefined {
  const ends = store.facts(id, 0).flatMap((fact) => {
    const isRoot = fact.trace.selfId === fact.trace.originId;
    return isRoot && fact.type === 'session-end' ? [fact.usage] : [];
  });
  return ends.length === 0 ? undefined : ends.reduce(addTotals, noTotals);
}

const kills = [0, 1, 2, 3, 4];

/** Rounds while it works, and rounds while it fails; then it takes so many writes. */
async function die(killedAfter: number, { works, fails }: { readonly works: number; readonly fails: number }) {
  const store = new DyingStore();
  const house = await openHouse(hallOf([echo()], { store }));
  let id: string | undefined;
  for (let round = 1; round <= works + fails; round++) {
    store.isBroken = round > works;
    if (id === undefined) id = await house.start('echo');
    else expect((await house.post('/v1/sessions', { session: id, input: 'And?' })).status).toBe(201);
    await expect.poll(() => house.hall.running).toBe(0);
  }
  store.isBroken = false;
  store.left = killedAfter;
  (house.hall.clock as FakeClock).advance(mendMs);
  await new Promise((resolve) => setTimeout(resolve, 10));
  return { store: store.inner, id: id as string };
}

test.each([
  ['a session that it never heard of', { works: 0, fails: 1 }],
  ['one of several rounds that it never heard of', { works: 0, fails: 3 }],
  ['a further round', { works: 1, fails: 1 }],
  ['several further rounds', { works: 2, fails: 2 }],
])('%s', async (_name, rounds) => {
  for (const killedAfter of kills) {
    const { store, id } = await die(killedAfter, rounds);
    const left = sweep(store, id);
    if (!left) continue;
    expect([killedAfter, left.usage]).toEqual([killedAfter, usedIn(store, id)]);
    expect(left.facts).toBe(store.facts(id, 0).length);
    // Who goes on with it counts on, under an id of its own.
    const again = await openHouse(hallOf([echo()], { store: { ...bound(store) } }));
    expect((await again.post('/v1/echo', { text: 'More.', session: id })).status).toBe(200);
    await expect.poll(() => again.hall.running).toBe(0);
    expect([killedAfter, store.get(id)?.usage]).toEqual([killedAfter, usedIn(store, id)]);
    const starts = store.facts(id, 0).filter((fact) => fact.type === 'session-start');
    expect([killedAfter, new Set(starts.map(({ trace }) => trace.selfId)).size]).toEqual([killedAfter, starts.length]);
  }
});

function bound(store: MemorySessions): SessionStore {
  return {
    put: (head) => store.put(head),
    claim: (head) => store.claim(head),
    append: (id, facts) => store.append(id, facts),
    get: (id) => store.get(id),
    facts: (id, after, limit) => store.facts(id, after, limit),
    list: (query) => store.list(query),
    delete: (id) => store.delete(id),
  };
}
