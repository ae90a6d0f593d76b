// The promise: of several servers that know that the one at work in a thread is gone, one takes its place there.

import type { Json } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { systemClock } from '../../cli/src/platform.ts';
import { MemoryNotes } from '../../server/src/memory-notes.ts';
import { ThreadHolds } from '../src/run/thread-holds.ts';

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
