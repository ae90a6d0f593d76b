// The promise: a call that is cancelled ends its own run and no other, wherever that is, and leaves nothing behind.

import type { ScriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { anybody } from '../src/index.ts';
import { listSessions } from '../src/own-sessions.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { heldAgent } from './support/governed.ts';
import { revisions, type ToolHouse, toolHouse } from './support/person-at-client.ts';

const nothing = ({ hall }: ToolHouse) => {
  const { running, waiting } = hall.placesOf('mcp');
  return [hall.running, running, waiting];
};

describe.each(revisions)('in revision %s', (revision) => {
  test('while the agent works', async () => {
    const { agent, started, release } = heldAgent('slow');
    const bugs: unknown[] = [];
    const house = toolHouse(revision, [agent], { onBug: (error) => bugs.push(error) });
    const client = await house.connect();
    const controller = new AbortController();
    const cancelled = client.call('slow', { text: 'one' }, controller.signal);
    await expect.poll(started).toBe(1);
    const other = client.call('slow', { text: 'two' });
    await expect.poll(started).toBe(2);
    controller.abort();
    await expect(cancelled).rejects.toThrow();
    await expect.poll(() => house.hall.running).toBe(1);
    release();
    release();
    expect((await other).texts).toEqual(['I am slow.']);
    await expect.poll(() => nothing(house)).toEqual([0, 0, 0]);
    const { heads: sessions } = await listSessions(house.hall, anybody, { limit: 10 });
    expect(sessions.map(({ status }) => status).sort()).toEqual(['cancelled', 'completed']);
    expect(bugs).toEqual([]);
  });

  test('while it waits for a place', async () => {
    const { agent, started, release } = heldAgent('slow');
    const house = toolHouse(revision, [agent], { places: { mcp: { running: 1, waiting: 5 } } });
    const client = await house.connect();
    const first = client.call('slow', { text: 'one' });
    await expect.poll(started).toBe(1);
    const controller = new AbortController();
    const cancelled = client.call('slow', { text: 'two' }, controller.signal);
    await expect.poll(() => nothing(house)).toEqual([2, 1, 1]);
    controller.abort();
    await expect(cancelled).rejects.toThrow();
    await expect.poll(() => nothing(house)).toEqual([1, 1, 0]);
    release();
    expect((await first).texts).toEqual(['I am slow.']);
    await expect.poll(() => nothing(house)).toEqual([0, 0, 0]);
    expect((agent.model as ScriptedModel).requests).toHaveLength(1);
  });

  test('while the run goes on after an answer', async () => {
    const held = Promise.withResolvers<void>();
    let goesOn = false;
    const ask = { name: 'ask_user', input: { question: 'Which year?' } };
    const agent = agentOf(
      'curious',
      (request) => {
        const answer = lastResult(request);
        if (answer === undefined) return { calls: [ask] };
        goesOn = true;
        return { text: answer, until: held.promise };
      },
      { ask: 'person' },
    );
    const house = toolHouse(revision, [agent]);
    const client = await house.connect({ person: () => ({ action: 'accept', content: { answer: '1999' } }) });
    const controller = new AbortController();
    const cancelled = client.call('curious', { text: 'Go.' }, controller.signal);
    await expect.poll(() => goesOn).toBe(true);
    controller.abort();
    await expect(cancelled).rejects.toThrow();
    await expect.poll(() => nothing(house)).toEqual([0, 0, 0]);
    held.resolve();
    const { heads: sessions } = await listSessions(house.hall, anybody, { limit: 10 });
    expect(sessions).toMatchObject([{ status: 'cancelled', resumptions: 1 }]);
  });

  test('in the moment in which it ends', async () => {
    const house = toolHouse(revision, [agentOf('quick', () => 'Said.')]);
    const client = await house.connect();
    const calls = Array.from({ length: 20 }, async (_, i) => {
      const controller = new AbortController();
      const called = client.call('quick', { text: String(i) }, controller.signal);
      for (let turn = 0; turn < i; turn++) await Promise.resolve();
      controller.abort();
      return called;
    });
    for (const { status, value } of (await Promise.allSettled(calls)).map((one) => ({ value: undefined, ...one })))
      if (status === 'fulfilled') expect(value?.texts).toEqual(['Said.']);
    await expect.poll(() => nothing(house)).toEqual([0, 0, 0]);
    expect((await client.call('quick', { text: 'Go.' })).texts).toEqual(['Said.']);
  });
});

test('while a person is asked: the question is taken back there, and stays open here', async () => {
  const ask = { name: 'ask_user', input: { question: 'Which year?' } };
  const agent = agentOf('curious', (request) => lastResult(request) ?? { calls: [ask] }, { ask: 'person' });
  const house = toolHouse('2025-11-25', [agent]);
  const shown = Promise.withResolvers<AbortSignal>();
  const client = await house.connect({
    person: (_shown, signal) => {
      shown.resolve(signal);
      return new Promise(() => {});
    },
  });
  const controller = new AbortController();
  const cancelled = client.call('curious', { text: 'Go.' }, controller.signal);
  const signal = await shown.promise;
  controller.abort();
  await expect(cancelled).rejects.toThrow();
  await expect.poll(() => signal.aborted).toBe(true);
  expect(nothing(house)).toEqual([0, 0, 0]);
  const { heads } = await listSessions(house.hall, anybody, { limit: 10 });
  const [session] = heads;
  const later = await client.call('curious', { resume: session?.id, answer: '2024' });
  expect(later.texts).toEqual(['2024']);
});
