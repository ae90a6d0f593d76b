// A client that reads the end of a session finds the same end after the process was killed: the store has it by then.

import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MemorySessions } from '../src/index.ts';
import { agentOf } from './contract/people.ts';
import { restApp } from './support/rest-app.ts';
import { slowStore } from './support/stores.ts';

test.each(['', '?brief=true'])('/v1/sessions/<id>%s', async (query) => {
  const inner = new MemorySessions();
  const { get, post } = restApp([agentOf('teller', ['Done.'])], { store: slowStore(inner) });
  const started = await post('/v1/sessions', JSON.stringify({ agent: 'teller', input: 'Go.' }), 'application/json');
  const { id } = (await started.json()) as { id: string };
  let status = '';
  while (status !== 'completed') {
    await setImmediate();
    ({ status } = (await (await get(`/v1/sessions/${id}${query}`)).json()) as { status: string });
  }
  expect(inner.get(id)).toMatchObject({ status: 'completed' });
});
