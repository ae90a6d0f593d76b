import type { Agent, Json } from '@ai-agent/core';
import type { ScriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agentOf, lastResult } from './contract/people.ts';
import { revisions, toolHouse } from './support/person-at-client.ts';

/** Asks each of these in turn, and then says what it was told last. */
function curious(questions: readonly Json[], more: Partial<Agent> = {}): Agent {
  return agentOf(
    'curious',
    (request) => {
      const told = request.messages.filter(({ role }) => role === 'tool').length;
      const next = questions[told];
      return next ? { calls: [{ name: 'ask_user', input: next as object }] } : `Told: ${lastResult(request)}`;
    },
    { ask: 'person', ...more },
  );
}

describe.each(revisions)('in revision %s', (revision) => {
  test('a plain question is one field, says who asks, and the run goes on', async () => {
    const agent = curious([{ question: 'Which year?' }]);
    const client = await toolHouse(revision, [agent]).connect({
      person: () => ({ action: 'accept', content: { answer: '1999' } }),
    });
    const { texts, outcome, isError } = await client.call('curious', { text: 'Go.' });
    expect([texts, outcome.status, isError]).toEqual([['Told: 1999'], 'completed', false]);
    expect(client.shown).toHaveLength(1);
    expect(client.shown[0]).toMatchObject({
      message: 'curious asks: Which year?',
      requestedSchema: { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
    });
    expect((agent.model as ScriptedModel).requests).toHaveLength(2);
  });
});
