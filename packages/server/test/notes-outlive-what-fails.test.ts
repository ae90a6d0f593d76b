// The promise: what headends remember is in the store where that has notes, is never lost to a store that fails, and is bounded without one.

import type { Json, NoteStore } from '@ai-agent/core';
import { type FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { type Hall, MemorySessions } from '../src/index.ts';
import { keptNotes, MemoryNotes } from '../src/memory-notes.ts';
import { hallOf } from './support/house.ts';

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
  const notes: NoteStore = {
    put: (name, value) => work(() => void kept.set(name, value)),
    get: (name) => work(() => kept.get(name)),
    delete: (name) => work(() => void kept.delete(name)),
  };
  const store = Object.assign(new MemorySessions(), { notes });
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
