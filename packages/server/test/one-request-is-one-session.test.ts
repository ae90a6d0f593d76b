// The promise: a request to an agent is a session of its own, and its answer the body.

import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { createApp, Hall, rest } from '../src/index.ts';

test('a question in the address, the answer as text', async () => {
  const agent = { name: 'echo', instructions: 'Echo.', model: scriptedModel(['Good morning to you.']) };
  const hall = new Hall({ agents: () => [{ name: 'echo', agent }], ports: fakePorts() });
  const response = await createApp(hall, [rest()]).request('/v1/echo?q=Good%20morning');
  expect(response.status).toBe(200);
  expect(await response.text()).toBe('Good morning to you.');
});
