// The promise: whoever serves an agent knows from the request on that it is needed, also while its run waits for a place.

import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { createApp, Hall, rest } from '../src/index.ts';

test('one that waits holds it, one that is turned away does not, and none when it has ended', async () => {
  const held = { now: 0 };
  const agent = { name: 'echo', instructions: 'Echo.', model: scriptedModel(['One.', 'Two.']) };
  const served = {
    name: 'echo',
    agent,
    fillPrompt: (text: string) => text,
    hold: () => {
      held.now++;
      return () => void held.now--;
    },
  };
  const places = { rest: { running: 1, waiting: 1 } };
  const hall = new Hall({ agents: () => [served], ports: fakePorts(), places });
  const app = createApp(hall, [rest()]);
  // Holds the only place.
  const place = await hall.placesOf('rest').enter({ owner: 'somebody else' });
  const waiting = app.request('/v1/echo?q=hello');
  await expect.poll(() => held.now).toBe(1);
  expect((await app.request('/v1/echo?q=more')).status).toBe(503);
  expect(held.now).toBe(1);
  place.leave();
  expect(await (await waiting).text()).toBe('One.');
  await expect.poll(() => held.now).toBe(0);
});
