// A connection that dies costs one of an agent's tries, kept or new: a dead model costs exactly maxRetries requests.

import { type Agent, ask, type Clock } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { completion } from './support/answering.ts';
import { modelAt } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

/** Waits a thousandth of what is asked for. */
const clock: Clock = {
  now: () => 1_700_000_000_000,
  monotonicMs: () => performance.now(),
  after(durationMs, wake) {
    const timer = setTimeout(wake, durationMs / 1000);
    return () => clearTimeout(timer);
  },
};

test('a kept connection that its server gives up is one failed try, and the next one answers', async () => {
  let asked = 0;
  const server = await serve((_, response) => {
    asked++;
    response.end(completion);
  });
  const agent: Agent = { name: 'lead', instructions: 'You lead.', model: await modelAt(server.baseUrl) };
  const options = { ports: fakePorts({ clock }) };
  expect(await ask(agent, 'go', options)).toMatchObject({ status: 'completed' });
  server.server.closeAllConnections();
  const outcome = await ask(agent, 'go', options);
  expect(outcome).toMatchObject({ status: 'completed', text: 'Hello' });
  expect(outcome.ledger.entries).toMatchObject([{ status: 'failed' }, { status: 'ok' }]);
  expect([asked, server.connections]).toEqual([2, 2]);
});

test.each([1, 2, 4])('with maxRetries %i, a model that has died is asked as often', async (maxRetries) => {
  let asked = 0;
  const { baseUrl } = await serve((request, response) => {
    if (++asked === 1) response.end(completion);
    else request.socket.destroy();
  });
  const model = await modelAt(baseUrl);
  const agent: Agent = { name: 'lead', instructions: 'You lead.', model, limits: { maxRetries } };
  const options = { ports: fakePorts({ clock }) };
  await ask(agent, 'go', options);
  expect(await ask(agent, 'go', options)).toMatchObject({ status: 'failed', failure: { code: 'model-network' } });
  expect(asked).toBe(1 + maxRetries);
});
