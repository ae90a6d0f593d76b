// A failed model call names the last model that was tried. The ledger has an entry for each try.

import type { Model } from '@ai-agent/core';
import { AgentError } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { walk } from './support/walk.ts';

const dead = scriptedModel(() => ({ fail: { code: 'model-auth', message: 'no key' } }), { model: 'first' });
const closed: Model = {
  ...scriptedModel(['never'], { model: 'second' }),
  lane: { enter: () => Promise.reject(new AgentError('model-rate-limit', 'no way', { retryable: false })) },
};

test.each([
  ['refused on its way', closed],
  [
    'cannot be opened',
    {
      provider: 'scripted',
      model: 'second',
      open: () => Promise.reject(new AgentError('model-unknown', 'no way')),
    },
  ],
])('a second model that is %s', async (_, second) => {
  const agent = { name: 'lead', instructions: 'Go.', model: [dead, second], limits: { maxRetries: 1 } };
  const { outcome, events } = await walk(agent);
  expect(outcome).toMatchObject({ status: 'failed', failure: { message: 'no way' } });
  const end = events.find(({ type }) => type === 'model-end');
  expect(end).toMatchObject({
    model: 'second',
    requests: [
      { model: 'first', status: 'failed' },
      { model: 'second', status: 'refused' },
    ],
    failure: { message: 'no way' },
  });
  expect(outcome.ledger.entries).toMatchObject([
    { model: 'first', status: 'failed' },
    { model: 'second', status: 'refused' },
  ]);
  expect(outcome.usage.modelCalls).toBe(1);
});
