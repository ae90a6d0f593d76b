// The promise: a key starts so many runs a minute and has so many at once, whatever others do.

import { expect, test, vi } from 'vitest';
import { agentOf, as, governed, heldAgent, onSocket } from './support/governed.ts';

test('a burst, then one by one as the minute passes', async () => {
  const { ask, clock, app } = governed({ keys: { desk: { requestsPerMinute: 6 }, other: {} } });
  for (let i = 0; i < 6; i++) expect((await ask('desk')).status).toBe(200);
  const refused = await ask('desk');
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
  expect(await refused.json()).toMatchObject({
    error: { class: 'rate_limit', code: 'too-many-requests', retryable: true },
  });
  expect((await ask('other')).status).toBe(200);
  clock.advance(9_999);
  expect((await ask('desk')).status).toBe(429);
  clock.advance(1);
  expect((await ask('desk')).status).toBe(200);
  expect((await ask('desk')).status).toBe(429);
  // Who only reads starts nothing.
  for (const path of ['/v1', '/v1/sessions/s1', '/health'])
    expect((await app.request(path, as('desk'))).status).not.toBe(429);
  clock.advance(3_600_000);
  for (let i = 0; i < 6; i++) expect((await ask('desk')).status).toBe(200);
  expect((await ask('desk')).status).toBe(429);
});

test('a request that cannot be a run is not counted', async () => {
  const { ask } = governed({ keys: { desk: { requestsPerMinute: 1, agents: ['echo'] } } });
  for (let i = 0; i < 3; i++) expect((await ask('desk', 'nobody')).status).toBe(403);
  for (let i = 0; i < 3; i++) expect((await ask('desk', 'echo', '')).status).toBe(400);
  expect((await ask('desk')).status).toBe(200);
});

test('so many at once; more wait, and others pass them', async () => {
  const { agent, started, release } = heldAgent('slow');
  const { ask, hall } = governed({ agents: [agent, agentOf('echo')], keys: { desk: { concurrency: 2 }, other: {} } });
  const asked = [1, 2, 3, 4].map(() => ask('desk', 'slow'));
  await vi.waitFor(() => expect(started()).toBe(2));
  expect(hall.placesOf('rest').waiting).toBe(2);
  expect((await ask('other')).status).toBe(200);
  release();
  expect((await Promise.race(asked)).status).toBe(200);
  await vi.waitFor(() => expect(started()).toBe(2));
  expect([hall.placesOf('rest').running, hall.placesOf('rest').waiting]).toEqual([2, 1]);
  while (started() > 0) {
    release();
    await new Promise((resolve) => setImmediate(resolve));
  }
  for (const one of asked) expect((await one).status).toBe(200);
});

test('over sockets: whoever hangs up in the row leaves it, and the full server says when to come back', async () => {
  const { agent, started, release } = heldAgent('slow');
  const { url, hall } = await onSocket({ agents: [agent], keys: { desk: {} }, places: { running: 1, waiting: 1 } });
  const first = fetch(`${url}/v1/slow?q=a`, as('desk'));
  await vi.waitFor(() => expect(started()).toBe(1));
  const gone = new AbortController();
  const second = fetch(`${url}/v1/slow?q=a`, { ...as('desk'), signal: gone.signal });
  await vi.waitFor(() => expect(hall.placesOf('rest').waiting).toBe(1));
  const full = await fetch(`${url}/v1/slow?q=a`, as('desk'));
  expect([full.status, Number(full.headers.get('retry-after')) >= 1]).toEqual([503, true]);
  expect(await full.json()).toMatchObject({ error: { code: 'server-full' } });
  gone.abort();
  await expect(second).rejects.toThrow();
  await vi.waitFor(() => expect(hall.placesOf('rest').waiting).toBe(0));
  release();
  expect((await first).status).toBe(200);
  await vi.waitFor(() => expect(hall.running).toBe(0));
  expect(hall.placesOf('rest').running).toBe(0);
});

test("a key's budget narrows that of each run", async () => {
  const script = (_: unknown, call: number) => ({ text: `Turn ${call}.`, calls: [{ name: 'dig' }] });
  const tool = { name: 'dig', description: 'd', inputSchema: { type: 'object' }, execute: () => 'More.' };
  const agent = { ...agentOf('digger', script), tools: [tool] };
  const { ask } = governed({
    agents: [agent],
    keys: { desk: { budget: { turns: 2 } }, other: { budget: { toolCalls: 1 } } },
  });
  const response = await ask('desk', 'digger');
  expect([response.headers.get('x-ai-agent-status'), response.headers.get('x-ai-agent-limit')]).toEqual([
    'partial',
    'turns',
  ]);
});
