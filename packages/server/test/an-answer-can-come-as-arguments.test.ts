// The promise: a question is answered by a call with resume and answer, for every agent, and by nobody but the key that asked it of this agent.

import type { Agent } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { hashOf, Keys } from '../src/index.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { secretOf } from './support/governed.ts';
import { revisions, toolHouse } from './support/person-at-client.ts';

const ask = { name: 'ask_user', input: { question: 'Which year?', schema: { type: 'integer' } } };

function curious(name: string, more: Partial<Agent> = {}): Agent {
  return agentOf(name, (request) => lastResult(request) ?? { calls: [ask] }, { ask: 'person', ...more });
}

const json: Partial<Agent> = {
  input: {
    format: 'json',
    schema: {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    },
  },
};
const list: Partial<Agent> = { input: { format: 'json', schema: { type: 'array' } } };

describe.each(revisions)('in revision %s', (revision) => {
  test.each<[string, Partial<Agent>, Record<string, unknown>]>([
    ['words', {}, { text: 'Go.' }],
    ['an object', json, { city: 'Athens' }],
    ['a list', list, { input: [] }],
  ])('an agent that takes %s', async (_what, more, args) => {
    const client = await toolHouse(revision, [curious('curious', more)]).connect();
    const { outcome } = await client.call('curious', args);
    expect(outcome).toMatchObject({ status: 'needs_user_input', question: { text: 'Which year?' } });
    const { sessionId: resume } = outcome;
    const wrong = await client.call('curious', { resume, answer: 'soon' });
    expect([wrong.isError, wrong.outcome.failure?.code]).toEqual([true, 'answer-invalid']);
    const right = await client.call('curious', { resume, answer: 1999 });
    expect(right).toMatchObject({
      texts: ['1999'],
      isError: false,
      outcome: { status: 'completed', sessionId: resume },
    });
    const late = await client.call('curious', { resume, answer: 2024 });
    expect(late.outcome.failure?.code).toBe('question-unknown');
  });

  test('a question of another agent, or of another key, is none', async () => {
    const settings = ['ann', 'bob'].map((name) => [name, { agents: ['*'], hash: hashOf(secretOf(name)) }]);
    const house = toolHouse(revision, [curious('curious'), curious('other')], {
      keys: (clock) => new Keys(Object.fromEntries(settings), clock),
    });
    const ann = await house.connect({ key: secretOf('ann') });
    const bob = await house.connect({ key: secretOf('bob') });
    const { outcome } = await ann.call('curious', { text: 'Go.' });
    const { sessionId: resume } = outcome;
    const foreign = await bob.call('curious', { resume, answer: 1999 });
    const unknown = await bob.call('curious', { resume: 'nobody', answer: 1999 });
    expect(foreign).toEqual(unknown);
    expect(foreign.outcome.failure?.code).toBe('session-unknown');
    expect((await ann.call('other', { resume, answer: 1999 })).outcome.failure?.code).toBe('session-unknown');
    expect((await ann.call('curious', { resume, answer: 1999 })).texts).toEqual(['1999']);
  });

  test('what is asked next goes to the person, where there is one', async () => {
    const agent = agentOf(
      'curious',
      ({ messages }) => {
        const told = messages.flatMap((message) =>
          message.role === 'tool' ? message.content.map(({ text }) => text) : [],
        );
        return told.length === 2 ? told.join(' and ') : { calls: [ask] };
      },
      { ask: 'person' },
    );
    const replies = [{ action: 'decline' }, { action: 'accept', content: { answer: 2024 } }] as const;
    let at = 0;
    const client = await toolHouse(revision, [agent]).connect({ person: () => replies[at++] ?? { action: 'cancel' } });
    const { outcome } = await client.call('curious', { text: 'Go.' });
    const later = await client.call('curious', { resume: outcome.sessionId, answer: 1999 });
    expect(later).toMatchObject({ texts: ['1999 and 2024'], outcome: { sessionId: outcome.sessionId } });
  });
});
