// The promise: whoever may not go on with a session now is told why, also where the store fails at that moment, and the question stays open.

import { AgentError } from '@ai-agent/core';
import type { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { mendMs } from '../src/mending.ts';
import { resume } from '../src/resume.ts';
import { anybody } from '../src/visitor.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { hallOf, openHouse } from './support/house.ts';
import { BreakableStore } from './support/stores.ts';

const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };

test('who asks too often hears that, and can answer later', async () => {
  const store = new BreakableStore();
  const hall = hallOf([agentOf('curious', (request) => lastResult(request) ?? asks)], { store });
  const house = await openHouse(hall);
  const id = await house.start('curious');
  await expect.poll(() => hall.running).toBe(0);
  const admit = () => {
    store.isBroken = true;
    throw new AgentError('too-many-requests', 'Too many at once.');
  };
  const going = resume(hall, id, { visitor: { ...anybody, admit }, answer: '1999' });
  await expect(going).rejects.toMatchObject({ code: 'too-many-requests' });
  store.isBroken = false;
  (hall.clock as FakeClock).advance(mendMs);
  await expect.poll(() => store.inner.get(id)).toMatchObject({ status: 'needs_user_input', resumptions: 0 });
  expect((await house.post(`/v1/sessions/${id}/answer`, { answer: '1999', wait: true })).body).toBe('1999');
});
