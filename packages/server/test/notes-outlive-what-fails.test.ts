// The promise: what headends remember is in the store where that has notes, is never lost to a store that fails, and is bounded without one.

import type { Json, NoteStore } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { keepsNotes } from '../../store/test/support/store-contract.ts';
import { type Hall, MemorySessions } from '../src/index.ts';
import { keptNotes, MemoryNotes } from '../src/memory-notes.ts';
import { mendMs } from '../src/mending.ts';
import { NotesBeside } from '../src/notes-beside.ts';
import { Patience, patienceMs } from '../src/patience.ts';
import { hallOf } from './support/house.ts';
import { notesIn } from './support/stores.ts';

describe('in memory', () => keepsNotes(() => new MemoryNotes(Date.now)));
describe('in memory, beside a store that works', () => keepsNotes(() => beside(new MemoryNotes(Date.now))));
describe('in memory, beside a store that fails', () => keepsNotes(() => beside(notesIn(new Map(), fail))));

function beside(notes: NoteStore): NotesBeside {
  const patience = new Patience(new FakeClock());
  return new NotesBeside(notes, { now: Date.now, patience, onBug: () => {}, tryLater: () => {} });
}

function fail(): Promise<never> {
  return Promise.reject(new TypeError('The disk is full.'));
}

interface Breakable {
  readonly hall: Hall;
  readonly kept: Map<string, Json>;
  readonly bugs: string[];
  isBroken: boolean;
}

function breakable(how: 'throws' | 'rejects'): Breakable {
  const kept = new Map<string, Json>();
  const bugs: string[] = [];
  const work = <T>(done: () => T): T | Promise<T> => {
    if (house.isBroken && how === 'throws') throw new TypeError('The disk is full.');
    return house.isBroken ? Promise.reject(new TypeError('The disk is full.')) : done();
  };
  const store = Object.assign(new MemorySessions(), { notes: notesIn(kept, work) });
  const hall = hallOf([], { store, onBug: (error) => bugs.push(String(error)) });
  const house = { hall, kept, bugs, isBroken: false };
  return house;
}

test.each(['throws', 'rejects'] as const)('a store that %s costs nobody a note', async (how) => {
  const house = breakable(how);
  const { notes } = house.hall;
  const until = house.hall.clock.now() + 1_000;
  await notes.put('a', 1, until);
  await notes.put('b', 1, until);
  house.isBroken = true;
  expect(await notes.get('a')).toBe(1);
  await notes.put('a', 2, until);
  await notes.delete('b');
  await notes.put('c', 3, until);
  expect([await notes.get('a'), await notes.get('b'), await notes.get('c')]).toEqual([2, undefined, 3]);
  expect(house.bugs[0]).toContain('The disk is full.');
  house.isBroken = false;
  // What the store has of them is older.
  expect([await notes.get('a'), await notes.get('b'), await notes.get('c')]).toEqual([2, undefined, 3]);
  await notes.put('a', 4, until);
  // Another server may have changed it since.
  house.kept.set('a', 5);
  expect(await notes.get('a')).toBe(5);
});

test.each(['throws', 'rejects'] as const)(
  'while a store %s, names and claims are judged by what is known here',
  async (how) => {
    const house = breakable(how);
    const { notes, clock } = house.hall;
    const until = clock.now() + 60_000;
    for (const name of ['a', 'b', 'c']) await notes.put(name, 1, until);
    house.kept.set('d', 'of another server');
    expect(await notes.names('', 9)).toEqual(['a', 'b', 'c', 'd']);
    expect([await notes.claim('d', 1, until), await notes.claim('e', 1, until)]).toEqual([false, true]);
    house.isBroken = true;
    await notes.delete('a');
    expect([await notes.claim('b', 2, until), await notes.claim('e', 2, until)]).toEqual([false, false]);
    const claims = await Promise.all([1, 2, 3].map((value) => notes.claim('f', value, until)));
    expect(claims).toEqual([true, false, false]);
    expect([await notes.get('f'), await notes.claim('a', 2, until)]).toEqual([1, true]);
    expect(await notes.names('', 9)).toEqual(['a', 'b', 'c', 'e', 'f']);
    expect(await notes.names('', 2)).toEqual(['a', 'b']);
    expect(house.bugs[0]).toContain('The disk is full.');
    house.isBroken = false;
    (clock as FakeClock).advance(mendMs);
    await expect.poll(() => house.kept.get('f')).toBe(1);
    expect([house.kept.get('a'), house.kept.get('e')]).toEqual([2, 1]);
  },
);

test('what a store lacks has its place among the names that it has', async () => {
  const house = breakable('rejects');
  const { notes, clock } = house.hall;
  const until = clock.now() + 60_000;
  for (const name of ['a', 'b', 'd', 'f']) await notes.put(name, 1, until);
  house.isBroken = true;
  for (const name of ['a', 'b']) await notes.delete(name);
  for (const name of ['c', 'e', 'x']) await notes.put(name, 1, until);
  await notes.put('d', 1, clock.now());
  house.isBroken = false;
  expect(await notes.names('', 9)).toEqual(['c', 'e', 'f', 'x']);
  for (const limit of [1, 2, 3]) expect(await notes.names('', limit)).toEqual(['c', 'e', 'f'].slice(0, limit));
  expect(await notes.names('x', 9)).toEqual(['x']);
  // Nobody has given it any of that yet.
  expect([...house.kept.keys()]).toEqual(['a', 'b', 'd', 'f']);
});

test('a store that works again is given what it lacks before it judges a claim', async () => {
  const house = breakable('rejects');
  const { notes, clock } = house.hall;
  const until = clock.now() + 60_000;
  await notes.put('deleted', 1, until);
  house.isBroken = true;
  await notes.delete('deleted');
  await notes.put('put', 1, until);
  await notes.claim('claimed', 1, until);
  house.isBroken = false;
  const names = ['deleted', 'put', 'claimed'];
  expect(await Promise.all(names.map((name) => notes.claim(name, 2, until)))).toEqual([true, false, false]);
  expect([...house.kept]).toEqual([
    ['deleted', 2],
    ['put', 1],
    ['claimed', 1],
  ]);
  // Another server has deleted it since: what is here counts for nothing.
  house.kept.delete('put');
  expect([await notes.claim('put', 3, until), house.kept.get('put')]).toEqual([true, 3]);
});

test('of two servers that share a store one is granted a claim, also while the other deletes its own', async () => {
  const kept = new Map<string, Json>();
  const later = async <T>(done: () => T): Promise<T> => {
    await new Promise((resolve) => setImmediate(resolve));
    return done();
  };
  const [one, two] = [beside(notesIn(kept, later)), beside(notesIn(kept, later))];
  const until = Date.now() + 60_000;
  expect(await one.claim('n', 1, until)).toBe(true);
  const claims = await Promise.all([one.delete('n'), two.claim('n', 2, until), one.claim('n', 3, until)]);
  expect(claims).toEqual([undefined, true, false]);
  expect([await one.get('n'), await two.get('n')]).toEqual([2, 2]);
});

test('a store that hangs keeps nobody who claims or looks for names', async () => {
  const never = () => new Promise<never>(() => {});
  const clock = new FakeClock();
  const options = { now: () => clock.now(), patience: new Patience(clock), onBug: () => {}, tryLater: () => {} };
  const notes = new NotesBeside({ put: never, claim: never, get: never, names: never, delete: never }, options);
  const claims = [1, 2].map((value) => notes.claim('n', value, clock.now() + 60_000));
  await expect.poll(() => clock.timers).toBeGreaterThan(0);
  clock.advance(patienceMs);
  expect(await Promise.all(claims)).toEqual([true, false]);
  expect(await notes.names('', 9)).toEqual(['n']);
});

test('without a store they are in memory, for their time, the newest of them', () => {
  const hall = hallOf([]);
  const clock = hall.clock as FakeClock;
  hall.notes.put('a', { of: 'a' }, clock.now() + 1_000);
  expect(hall.notes.get('a')).toEqual({ of: 'a' });
  clock.advance(1_000);
  expect(hall.notes.get('a')).toBeUndefined();
  const notes = new MemoryNotes(() => fakePorts().clock.now());
  for (let i = 0; i <= keptNotes.notes; i++) notes.put(String(i), i, Number.MAX_SAFE_INTEGER);
  expect([notes.size, notes.get('0'), notes.get('1')]).toEqual([keptNotes.notes, undefined, 1]);
  const large = 'x'.repeat(keptNotes.bytes / 2);
  for (const name of ['one', 'two', 'three']) notes.put(name, large, Number.MAX_SAFE_INTEGER);
  expect([notes.get('one'), notes.get('two') === undefined, notes.get('three')?.toString().length]).toEqual([
    undefined,
    true,
    large.length,
  ]);
});
