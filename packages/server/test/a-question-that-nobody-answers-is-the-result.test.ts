// The promise: a question that no person answers is told as it is, is never lost, and can be answered later by a call with resume and answer.

import { describe, expect, test } from 'vitest';
import { agentOf, lastResult } from './contract/people.ts';
import { type Called, type Person, revisions, type ToolClient, toolHouse } from './support/person-at-client.ts';

function curious() {
  const ask = { name: 'ask_user', input: { question: 'Which year?' } };
  return agentOf('curious', (request) => lastResult(request) ?? { calls: [ask] }, { ask: 'person' });
}

async function expectOpen(client: ToolClient, { texts, outcome, isError }: Called): Promise<void> {
  expect([outcome.status, isError]).toEqual(['needs_user_input', false]);
  expect(texts[0]).toContain('Which year?');
  expect(texts[0]).toContain(`"resume": "${outcome.sessionId}"`);
  const later = await client.call('curious', { resume: outcome.sessionId, answer: '2024' });
  expect(later).toMatchObject({ texts: ['2024'], outcome: { status: 'completed', sessionId: outcome.sessionId } });
}

describe.each(revisions)('in revision %s', (revision) => {
  test.each<[string, Person, string, RegExp]>([
    ['declines', () => ({ action: 'decline' }), 'declined', /declined to answer/],
    ['leaves', () => ({ action: 'cancel' }), 'cancelled', /left without an answer/],
  ])('the person %s', async (_what, person, unanswered, words) => {
    const client = await toolHouse(revision, [curious()]).connect({ person });
    const called = await client.call('curious', { text: 'Go.' });
    expect(called.outcome).toMatchObject({ unanswered });
    expect(called.texts[1]).toMatch(words);
    expect(client.shown).toHaveLength(1);
    await expectOpen(client, called);
  });

  test.each<[string, Record<string, object>]>([
    ['nothing', {}],
    ['addresses alone', { elicitation: { url: {} } }],
  ])('the client can show %s', async (_what, capabilities) => {
    const client = await toolHouse(revision, [curious()]).connect({ capabilities });
    const called = await client.call('curious', { text: 'Go.' });
    expect(called.texts).toHaveLength(1);
    expect(client.shown).toEqual([]);
    await expectOpen(client, called);
  });

  test.each<[string, Record<string, object>]>([
    ['without a word', { elicitation: {} }],
    ['by name', { elicitation: { form: {} } }],
    ['beside addresses', { elicitation: { form: {}, url: {} } }],
  ])('a client that can show forms is asked: said %s', async (_what, capabilities) => {
    const person: Person = () => ({ action: 'accept', content: { answer: '1999' } });
    const client = await toolHouse(revision, [curious()]).connect({ capabilities, person });
    expect((await client.call('curious', { text: 'Go.' })).texts).toEqual(['1999']);
  });
});

const [older] = revisions;

test('the client fails', async () => {
  const client = await toolHouse(older, [curious()]).connect({
    person: () => {
      throw new Error('There is no window.');
    },
  });
  const called = await client.call('curious', { text: 'Go.' });
  expect(called.outcome).toMatchObject({ unanswered: 'error' });
  await expectOpen(client, called);
});

test('nobody is there for too long, and the question is taken back', async () => {
  const withdrawn = Promise.withResolvers<void>();
  const client = await toolHouse(older, [curious()], { answerWithinMs: 30 }).connect({
    person: (_shown, signal) => {
      if (signal.aborted) withdrawn.resolve();
      signal.addEventListener('abort', () => withdrawn.resolve());
      return new Promise(() => {});
    },
  });
  const called = await client.call('curious', { text: 'Go.' });
  expect(called.outcome).toMatchObject({ unanswered: 'timeout' });
  expect(called.texts[1]).toMatch(/did not answer in time/);
  await withdrawn.promise;
  await expectOpen(client, called);
});
