// The promise: two bots of one workspace that keep their sessions in one store, as two servers on one machine do, each have threads and runs of their own.

import type { NoteStore } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { MemoryNotes } from '../../server/src/memory-notes.ts';
import { Seen } from '../src/hear/seen.ts';
import { RunNotes } from '../src/run/run-notes.ts';
import { Threads } from '../src/run/threads.ts';

const thread = { team: 'T1', channel: 'C1', ts: '1.2' };

test('a thread that both are asked in is a session of each', async () => {
  const { ours, theirs } = openBoth();
  await ours.threads.put(thread, { session: 'a', asker: 'U1', seenTs: '1.2' });
  expect(await theirs.threads.get(thread)).toBeUndefined();
  expect(await ours.threads.get(thread)).toMatchObject({ session: 'a' });
});

test('a message that mentions both is taken up by both, and once', async () => {
  const { ours, theirs } = openBoth();
  expect(await ours.seen.take('T1/C1/1.2')).toBe(true);
  expect(await theirs.seen.take('T1/C1/1.2')).toBe(true);
  expect(await openBoth(ours.notes).ours.seen.take('T1/C1/1.2')).toBe(false);
});

test('a run that was cut off is told of by the bot that can write there', async () => {
  const { ours, theirs } = openBoth();
  const note = { thread, asker: 'U1', statusTs: '1.3', owner: 'us', round: 0 };
  await ours.runNotes.put('a', note);
  expect(await theirs.runNotes.get('a')).toBeUndefined();
  expect(await ours.runNotes.get('a')).toEqual(note);
  expect([await ours.runNotes.names(), await theirs.runNotes.names()]).toEqual([['a'], []]);
});

function openBoth(notes: NoteStore = new MemoryNotes(() => 0)) {
  const desk = { notes, clock: { now: () => 0, monotonicMs: () => 0, after: () => () => {} } };
  const open = (bot: string) => ({
    notes,
    threads: new Threads(desk, bot),
    runNotes: new RunNotes(desk, bot),
    seen: new Seen(desk, bot, 'here'),
  });
  return { ours: open('UOURS'), theirs: open('UTHEIRS') };
}
