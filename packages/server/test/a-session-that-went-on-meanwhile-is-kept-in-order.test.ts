// The promise: what goes on while the store takes its time, or fails, comes there in its order, and none of it is forgotten.

import { nextHead, type SessionHead, type SessionStore } from '@ai-agent/core';
import { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { factOf, headOf } from '../../store/test/support/facts.ts';
import { MemorySessions } from '../src/index.ts';
import { KeptBeside } from '../src/kept-beside.ts';
import { Mending } from '../src/mending.ts';
import { Patience, patienceMs } from '../src/patience.ts';

/** What it was given, in the order in which it took it. */
class Store extends MemorySessions implements SessionStore {
  readonly took: string[] = [];
  readonly #held = new Map<string, PromiseWithResolvers<void>>();
  readonly broken = new Set<string>();

  hold(id: string): () => void {
    const held = Promise.withResolvers<void>();
    this.#held.set(id, held);
    return () => {
      this.#held.delete(id);
      held.resolve();
    };
  }

  readonly port: SessionStore = {
    put: (head) => this.#work(head.id, `${head.id}: ${head.resumptions} ${head.status}`, () => this.put(head)),
    claim: (head) => this.#work(head.id, undefined, () => this.claim(head)),
    append: (id, facts) => this.#work(id, `${id}: ${facts.map(({ seq }) => seq)}`, () => this.append(id, facts)),
    get: (id) => this.#work(id, undefined, () => this.get(id)),
    facts: (id, after, limit) => this.#work(id, undefined, () => this.facts(id, after, limit)),
    list: async (query) => this.list(query),
    delete: (id) => this.#work(id, undefined, () => this.delete(id)),
  };

  async #work<T>(id: string, what: string | undefined, work: () => T): Promise<T> {
    await this.#held.get(id)?.promise;
    if (this.broken.has(id)) throw new TypeError('It is broken.');
    if (what !== undefined) this.took.push(what);
    return work();
  }
}

function open() {
  const store = new Store();
  const clock = new FakeClock();
  const mending = new Mending(clock);
  const options = { patience: new Patience(clock), onBug: () => {}, tryLater: mending.later };
  const beside = new KeptBeside(store.port, options);
  mending.add(() => beside.mend());
  return { store, clock, beside };
}

const ended = (head: SessionHead, facts: number): SessionHead => ({ ...head, status: 'completed', endedAt: 9, facts });

test('a round that was begun while the one before it is on its way comes behind it, once', async () => {
  const { store, clock, beside } = open();
  const first = headOf('a');
  await beside.put(first);
  const release = store.hold('a');
  const late = [beside.append('a', [factOf(1)]), beside.put(ended(first, 1))].map((one) =>
    expect(one).rejects.toMatchObject({ code: 'store-unreachable' }),
  );
  clock.advance(patienceMs);
  await Promise.all(late);
  const next = nextHead(ended(first, 1), 'running');
  expect(await beside.claim(next)).toBe(true);
  const more = [beside.append('a', [factOf(2)]), beside.put(ended(next, 2))].map(async (one) => one);
  release();
  await Promise.allSettled(more);
  await expect.poll(() => beside.keptOf('a')).toBe(Number.POSITIVE_INFINITY);
  await beside.mend();
  expect(store.took).toEqual(['a: 0 running', 'a: 1', 'a: 1 running', 'a: 2', 'a: 1 completed']);
  expect(store.get('a')).toEqual(ended(next, 2));
});

test('one that went on while others were given theirs is not taken for what it was before', async () => {
  const { store, beside } = open();
  store.broken.add('a');
  await expect(beside.put(headOf('a'))).rejects.toThrow();
  const first = headOf('b');
  await beside.put(first);
  store.broken.clear();
  const release = store.hold('a');
  const mending = beside.mend();
  await beside.put(ended(first, 0));
  const next = nextHead(ended(first, 0), 'running');
  expect(await beside.claim(next)).toBe(true);
  store.broken.add('b');
  await expect(beside.put(ended(next, 0))).rejects.toThrow();
  release();
  await mending;
  store.broken.clear();
  await beside.mend();
  expect(store.get('b')).toEqual(ended(next, 0));
});
