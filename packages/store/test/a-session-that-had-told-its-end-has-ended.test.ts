// The promise: whoever dies between the last fact of a session and its head leaves one that has ended, or that still asks.

import type { Fact, Paused, SessionHead } from '@ai-agent/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore } from '../src/index.ts';
import { newFile } from './support/folders.ts';
import { forEver } from './support/for-ever.ts';
import { usePostgres } from './support/postgres.ts';

const usage = { modelCalls: 2, costUsd: 0.5 };
const question = { type: 'question', text: 'Which one?' };

const postgres = usePostgres();

const places: Readonly<Record<string, () => Promise<string>>> = {
  'a file': async () => newFile(),
  'a database': () => postgres().database(),
};

describe.each(Object.entries(places))('in %s', (_, newPlace) => {
  test('a session whose last fact is its end is what that says', async () => {
    const head = await leave(newPlace, headOf(), [
      factOf('session-start'),
      endOf({ status: 'completed', text: 'Done.' }),
    ]);
    expect(head).toMatchObject({ status: 'completed', endedAt: 9, facts: 2, usage });
  });

  test('one that asks can be answered; where what it needs for that never came, it was interrupted', async () => {
    const asked = [endOf({ status: 'needs_user_input', text: '', question, resume: 's' })];
    expect(await leave(newPlace, headOf(), asked, ['s'])).toMatchObject({
      status: 'needs_user_input',
      question,
      resume: 's',
    });
    const lost = await leave(newPlace, headOf(), asked);
    expect(lost).toMatchObject({ status: 'interrupted', facts: 1 });
    expect(lost).not.toHaveProperty('question');
  });

  test('what a session below has ended with is no end', async () => {
    const below = { ...endOf({ status: 'completed', text: 'Done.' }), trace: { selfId: 's~1.1', originId: 's' } };
    expect(await leave(newPlace, headOf(), [factOf('session-start'), below as unknown as Fact])).toMatchObject({
      status: 'interrupted',
      endedAt: 7,
    });
  });

  test('what all rounds have used is added up', async () => {
    const before = headOf({ usage: { modelCalls: 3, costUsd: 1 } as never, earlierFacts: 1, resumptions: 1 });
    const facts = [endOf({ status: 'completed', text: 'One.' }), endOf({ status: 'completed', text: 'Two.' })];
    expect(await leave(newPlace, before, facts)).toMatchObject({
      status: 'completed',
      usage: { modelCalls: 5, costUsd: 1.5 },
    });
  });

  test('one that was answered and had not gone on asks again, as long as what it needs for that is kept', async () => {
    const claimed = headOf({ earlierFacts: 1, resumptions: 1 });
    const asked = [endOf({ status: 'needs_user_input', text: '', question, resume: 's' })];
    expect(await leave(newPlace, claimed, asked, ['s'])).toMatchObject({
      status: 'needs_user_input',
      question,
      resumptions: 1,
    });
    expect(await leave(newPlace, claimed, asked)).toMatchObject({ status: 'interrupted' });
  });

  test('one that was told something further and had not gone on was interrupted', async () => {
    const claimed = headOf({ earlierFacts: 1, resumptions: 1 });
    expect(await leave(newPlace, claimed, [endOf({ status: 'completed', text: 'Done.' })])).toMatchObject({
      status: 'interrupted',
    });
  });
});

/** What the next to open the place finds. */
async function leave(
  newPlace: () => Promise<string>,
  head: SessionHead,
  facts: readonly Fact[],
  handles: readonly string[] = [],
): Promise<SessionHead | undefined> {
  const place = await newPlace();
  const store = await openStore(place, { retention: forEver });
  await store.put(head);
  await store.append(head.id, facts);
  for (const handle of handles) await store.pauses.put(handle, { agentName: 'a' } as Paused);
  await store.close();
  const next = await openStore(place, { retention: forEver });
  onTestFinished(() => next.close());
  const found = await next.get(head.id);
  expect(await next.list({ limit: 5, statuses: found ? [found.status] : [] })).toEqual([found]);
  return found;
}

function headOf(more: Partial<SessionHead> = {}): SessionHead {
  const whose = { agent: 'a', owner: null, headend: 'rest', isDetached: false };
  return { id: 's', ...whose, status: 'running', createdAt: 5, facts: 0, resumptions: 0, ...more };
}

function factOf(type: Fact['type'], more: object = {}): Fact {
  return { kind: 'fact', type, at: 7, trace: { selfId: 's', originId: 's' }, ...more } as unknown as Fact;
}

function endOf(ending: object): Fact {
  return factOf('session-end', { endedAt: 9, ending, usage });
}
