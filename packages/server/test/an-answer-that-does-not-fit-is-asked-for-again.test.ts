// The promise: an answer that does not fit is asked for again with what is wrong, a few times; then the question is the result.

import { describe, expect, test } from 'vitest';
import { agentOf, lastResult } from './contract/people.ts';
import { type Reply, revisions, toolHouse } from './support/person-at-client.ts';

const schema = { type: 'string', pattern: '^[0-9]{4}$' };

function curious() {
  const ask = { name: 'ask_user', input: { question: 'Which year?', schema } };
  return agentOf('curious', (request) => lastResult(request) ?? { calls: [ask] }, { ask: 'person' });
}

function says(...answers: readonly string[]): () => Reply {
  const left = [...answers];
  return () => ({ action: 'accept', content: { answer: left.shift() ?? 'never' } });
}

describe.each(revisions)('in revision %s', (revision) => {
  test('with the complaint before the question', async () => {
    const client = await toolHouse(revision, [curious()]).connect({ person: says('soon', 'later', '1999') });
    const { texts, outcome } = await client.call('curious', { text: 'Go.' });
    expect([texts, outcome.status]).toEqual([['1999'], 'completed']);
    expect(client.shown).toHaveLength(3);
    expect(client.shown[1]?.message).toMatch(/does not fit.*\n\ncurious asks: Which year\?$/s);
  });

  test('five times, and then it is answered later', async () => {
    const house = toolHouse(revision, [curious()]);
    const client = await house.connect({ person: says() });
    const { texts, outcome, isError } = await client.call('curious', { text: 'Go.' });
    expect(client.shown).toHaveLength(5);
    expect([outcome, isError]).toMatchObject([{ status: 'needs_user_input', unanswered: 'invalid' }, false]);
    expect(texts[0]).toContain('Which year?');
    expect(texts[1]).toContain('does not fit');
    const later = await client.call('curious', { resume: outcome.sessionId, answer: '2024' });
    expect(later).toMatchObject({ texts: ['2024'], outcome: { status: 'completed', sessionId: outcome.sessionId } });
  });

  test('a form that comes back empty is no answer', async () => {
    const replies: Reply[] = [{ action: 'accept' }, { action: 'accept', content: {} }];
    const client = await toolHouse(revision, [curious()]).connect({
      person: () => replies.shift() ?? { action: 'accept', content: { answer: '1999' } },
    });
    expect((await client.call('curious', { text: 'Go.' })).texts).toEqual(['1999']);
    expect(client.shown.slice(1).map(({ message }) => message.split('\n')[0])).toEqual([
      'The form came back without an answer.',
      'The form came back without an answer.',
    ]);
  });
});
