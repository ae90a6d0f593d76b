// The promise: when a session cannot go on with an answer, that is told, and the question can be answered again.

import { describe, expect, test } from 'vitest';
import { anybody } from '../src/index.ts';
import { listSessions } from '../src/own-sessions.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { heldAgent } from './support/governed.ts';
import { revisions, toolHouse } from './support/person-at-client.ts';

function curious() {
  const ask = { name: 'ask_user', input: { question: 'Which year?' } };
  return agentOf('curious', (request) => lastResult(request) ?? { calls: [ask] }, { ask: 'person' });
}

describe.each(revisions)('in revision %s', (revision) => {
  test('no place is left for it', async () => {
    const slow = heldAgent('slow');
    const house = toolHouse(revision, [curious(), slow.agent], { places: { mcp: { running: 1, waiting: 0 } } });
    let other: Promise<unknown> | undefined;
    const client = await house.connect({
      person: async () => {
        other = client.call('slow', { text: 'Go.' });
        await expect.poll(slow.started).toBe(1);
        return { action: 'accept', content: { answer: '1999' } };
      },
    });
    const { isError, texts, outcome } = await client.call('curious', { text: 'Go.' });
    expect([isError, outcome.failure?.code]).toEqual([true, 'server-full']);
    expect(texts[1]).toContain(`"resume": "${outcome.resume}"`);
    slow.release();
    await other;
    const later = await client.call('curious', { resume: outcome.resume, answer: '2024' });
    expect(later).toMatchObject({ texts: ['2024'], outcome: { status: 'completed', sessionId: outcome.sessionId } });
  });

  test('while it waits for a place, the house closes', async () => {
    const slow = heldAgent('slow');
    const house = toolHouse(revision, [curious(), slow.agent], { places: { mcp: { running: 1, waiting: 5 } } });
    let other: Promise<unknown> | undefined;
    const client = await house.connect({
      person: async () => {
        other = client.call('slow', { text: 'Go.' });
        await expect.poll(slow.started).toBe(1);
        return { action: 'accept', content: { answer: '1999' } };
      },
    });
    const called = client.call('curious', { text: 'Go.' });
    await expect.poll(() => house.hall.placesOf('mcp').waiting).toBe(1);
    const stopped = house.hall.stop(60_000);
    const { outcome, texts } = await called;
    expect(outcome).toMatchObject({
      status: 'failed',
      failure: { code: 'server-stopping' },
      resume: outcome.sessionId,
    });
    expect(texts[1]).toContain('stays open');
    slow.release();
    await Promise.all([other, stopped]);
    expect(await house.hall.session(outcome.sessionId ?? '', { key: null, may: () => true })).toMatchObject({
      status: 'needs_user_input',
      question: { text: 'Which year?' },
    });
  });

  test('somebody else has answered meanwhile, and something else is asked now', async () => {
    const agent = agentOf(
      'curious',
      ({ messages }) => {
        const told = messages.filter(({ role }) => role === 'tool').length;
        return { calls: [{ name: 'ask_user', input: { question: `Question ${told + 1}?` } }] };
      },
      { ask: 'person' },
    );
    const house = toolHouse(revision, [agent]);
    const other = await house.connect();
    const client = await house.connect({
      person: async () => {
        const { heads } = await listSessions(house.hall, anybody, { limit: 1 });
        const [session] = heads;
        await other.call('curious', { resume: session?.id, answer: '2024' });
        return { action: 'accept', content: { answer: '1999' } };
      },
    });
    const { outcome, texts } = await client.call('curious', { text: 'Go.' });
    expect([outcome.failure?.code, texts.length]).toEqual(['question-unknown', 1]);
    expect((await listSessions(house.hall, anybody, { limit: 1 })).heads).toMatchObject([
      { status: 'needs_user_input', question: { text: 'Question 2?' } },
    ]);
  });
});
