// A page asks often how a session stands: the answer to that has no ledger and no tree, however large they are.

import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { hallOf, openHouse } from './support/house.ts';

const agent = { name: 'note', instructions: 'Write notes.', model: scriptedModel(() => 'Noted.') };

test('in brief it is the head alone', async () => {
  const house = await openHouse(hallOf([agent]));
  const id = await house.start('note', 'Hello');
  await house.ended(id);
  const { status, body } = await house.get(`/v1/sessions/${id}?brief=true`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ id, agent: 'note', status: 'completed', rounds: 1, title: 'Hello' });
  expect(Object.keys(body)).not.toEqual(expect.arrayContaining(['tree']));
  expect(body).not.toHaveProperty('ledger');
  expect((await house.get(`/v1/sessions/${id}?brief=false`)).body).toHaveProperty('tree');
  expect((await house.get(`/v1/sessions/${id}?brief=maybe`)).status).toBe(400);
});
