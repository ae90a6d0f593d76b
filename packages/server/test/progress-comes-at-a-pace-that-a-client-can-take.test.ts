// The promise: a burst of progress is told by its last, silence is broken before a client gives up, and a slow reader holds up nobody.

import { defineTool } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { type ProgressNote, ProgressNotes } from '../src/headends/mcp/progress-notes.ts';
import { agentOf, call, lastResult } from './contract/people.ts';
import { gate, hallOf } from './support/house.ts';
import { listeners, type Note, older } from './support/mcp-listeners.ts';

function notesOf(send: (note: ProgressNote) => Promise<void> = async () => {}) {
  const clock = new FakeClock();
  const sent: ProgressNote[] = [];
  const notes = new ProgressNotes({
    clock,
    send: (note) => {
      sent.push(note);
      return send(note);
    },
  });
  return { clock, sent, notes };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('a burst: some at once, then the newest when its time has come', async () => {
  const { clock, sent, notes } = notesOf();
  for (let i = 1; i <= 500; i++) notes.say(`step ${i}`);
  await settled();
  expect(sent.length).toBe(10);
  clock.advance(1_000);
  await settled();
  expect(sent.length).toBe(11);
  expect(sent.at(-1)).toEqual({ progress: 11, message: 'step 500' });
});

test('what is still to be said when the result comes is said before it, and nothing after', () => {
  const { sent, notes } = notesOf();
  for (let i = 1; i <= 20; i++) notes.say(`step ${i}`);
  return settled().then(() => {
    notes.close();
    notes.say('never');
    expect(sent.map(({ message }) => message).slice(-2)).toEqual(['step 10', 'step 20']);
  });
});

test('silence: how long it has been so, with a larger number, until it is closed', () => {
  const { clock, sent, notes } = notesOf();
  notes.say('thinks');
  clock.advance(9_999);
  expect(sent.length).toBe(1);
  clock.advance(1);
  clock.advance(10_000);
  expect(sent.map(({ progress }) => progress)).toEqual([1, 2, 3]);
  const said = ['thinks', 'thinks (for 10 s now)', 'thinks (for 20 s now)'];
  expect(sent.map(({ message }) => message)).toEqual(said);
  notes.close();
  notes.say('never');
  clock.advance(60_000);
  expect(sent.length).toBe(3);
  expect(clock.timers).toBe(0);
});

test('a reader who takes nothing has a few notes under way, and the newest after them', async () => {
  const reads = gate();
  const { clock, sent, notes } = notesOf(() => reads.opened);
  for (let i = 1; i <= 100; i++) notes.say(`step ${i}`);
  clock.advance(60_000);
  expect(sent.length).toBe(10);
  reads.open();
  await settled();
  expect(sent.slice(9).map(({ message }) => message)).toEqual(['step 10', 'step 100']);
});

test.each(listeners)('a run that says nothing for long is waited for: %s', async (_name, connect, over) => {
  const held = gate();
  const think = defineTool({
    name: 'think',
    description: 'takes long',
    inputSchema: { type: 'object' },
    timeoutMs: 3_600_000,
    execute: () => held.opened.then(() => 'thought'),
  });
  const clock = new FakeClock();
  const slow = agentOf('slow', (request) => lastResult(request) ?? call('think', {}), { tools: [think] });
  const listener = await connect(hallOf([slow], { ports: fakePorts({ clock }) }), over);
  const notes: Note[] = [];
  const answering = listener.call('slow', { onprogress: (note) => void notes.push(note) });
  await expect.poll(() => notes.at(-1)?.message).toBe('slow calls think');
  const told = notes.length;
  clock.advance(10_000);
  await expect.poll(() => notes.length).toBe(told + 1);
  expect(notes.at(-1)).toMatchObject({ progress: told + 1, message: 'slow calls think (for 10 s now)' });
  held.open();
  await answering;
});

test('also while a person is asked', async () => {
  const held = gate();
  const clock = new FakeClock();
  const asks = agentOf(
    'asks',
    (request) => lastResult(request) ?? { calls: [{ name: 'ask_user', input: { question: 'Which one?' } }] },
    {
      ask: 'person',
    },
  );
  const person = () => held.opened.then(() => 'the red one');
  const listener = await older(hallOf([asks], { ports: fakePorts({ clock }) }), 'memory', person);
  const notes: Note[] = [];
  const answering = listener.call('asks', { onprogress: (note) => void notes.push(note) });
  await expect.poll(() => notes.at(-1)?.message).toBe('asks asks: Which one?');
  const told = notes.length;
  clock.advance(10_000);
  await expect.poll(() => notes.length).toBe(told + 1);
  held.open();
  expect(JSON.stringify(await answering)).toContain('the red one');
});
