// The promise: of several servers that know that the one at work in a thread is gone, one takes its place there; from one that is there nobody takes it.

import type { Json, SessionHead } from '@ai-agent/core';
import { FakeClock } from '@ai-agent/core/testing';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../cli/src/platform.ts';
import { MemoryNotes } from '../../server/src/memory-notes.ts';
import { Lanes } from '../src/run/lanes.ts';
import { watchLeft } from '../src/run/pick-up.ts';
import { RunNotes } from '../src/run/run-notes.ts';
import { ThreadHolds } from '../src/run/thread-holds.ts';
import type { Surroundings } from '../src/surroundings.ts';

const thread = { team: 'T', channel: 'C', ts: '1.0' };
const name = 'slack:hold:B/T/C/1.0';

test('however slow one of them is', async () => {
  const memory = new MemoryNotes(() => Date.now());
  const slowly = async <T>(ms: number, work: () => T): Promise<T> => {
    await new Promise<void>((resolve) => void systemClock.after(ms, resolve));
    return work();
  };
  const open = (ms: number) => {
    const notes = {
      put: (...note: [string, Json, number]) => slowly(ms, () => memory.put(...note)),
      claim: (...note: [string, Json, number]) => slowly(ms, () => memory.claim(...note)),
      get: (one: string) => slowly(ms, () => memory.get(one)),
      names: (...asked: [string, number]) => slowly(ms, () => memory.names(...asked)),
      delete: (one: string) => slowly(ms, () => memory.delete(one)),
    };
    const desk = { clock: systemClock, notes };
    return new ThreadHolds({ desk, bot: 'B', closing: new AbortController().signal });
  };
  for (const [one, other] of [
    [1, 20],
    [5, 7],
    [10, 10],
  ] as const) {
    memory.put(name, `gone ${one}`, Date.now() + 10_000);
    const taken = await Promise.all([open(one), open(other)].map((holds) => holds.tryTake(thread, `gone ${one}`)));
    expect(taken.filter((held) => held !== undefined)).toHaveLength(1);
    for (const held of taken) await held?.letGo();
  }
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('one that slept for longer than its sign lasts has it again, unless another took it', async () => {
  const clock = new FakeClock();
  const notes = new MemoryNotes(() => clock.now());
  const open = () => new ThreadHolds({ desk: { clock, notes }, bot: 'B', closing: new AbortController().signal });
  const [one, other] = [open(), open()];
  const held = await one.tryTake(thread);
  expect(held).toBeDefined();
  // All at once, as after a sleep: nobody has renewed anything in between.
  await notes.delete(name);
  clock.advance(3_000);
  await settled();
  expect(await other.tryTake(thread)).toBeUndefined();
  await notes.put(name, other.owner, clock.now() + 10_000);
  clock.advance(3_000);
  await settled();
  expect(await notes.get(name)).toBe(other.owner);
  await held?.letGo();
  expect(await notes.get(name)).toBe(other.owner);
});

test('one that is about to do again what another was cut off from is left alone', async () => {
  const clock = new FakeClock();
  const notes = new MemoryNotes(() => clock.now());
  const head = { id: 's', agent: 'desk', status: 'interrupted', resumptions: 0 } as unknown as SessionHead;
  const desk = { clock, notes, find: async () => head };
  const open = () => new ThreadHolds({ desk, bot: 'B', closing: new AbortController().signal });
  const [alive, other] = [open(), open()];
  const runNotes = new RunNotes(desk, 'B');
  await alive.tryTake(thread);
  await runNotes.put('s', { thread, asker: 'U', statusTs: '2.0', owner: alive.owner, round: -1 });
  const unbegun = { names: async () => [] };
  const around = { desk, runNotes, unbegun, holds: other, lanes: new Lanes(5) } as unknown as Surroundings;
  onTestFinished(watchLeft(around, () => {}));
  for (let round = 0; round < 5; round++) await settled();
  expect(await notes.get(name)).toBe(alive.owner);
  expect(await runNotes.get('s')).toBeDefined();
});
