// The promise: what people began at a desk belongs to the key that stands for them, or to everybody where there are none; no other session is seen there.

import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test, vi } from 'vitest';
import { createApp, Hall, hashOf, Keys, MemorySessions, openDesk, rest } from '../src/index.ts';
import { agentOf, as, secretOf } from './support/governed.ts';

const asking = { person: 'T1/U1', onEvent: () => {} };

function house(store = new MemorySessions()) {
  const agents = ['echo', 'other'].map((name) => ({ name, agent: agentOf(name), source: `${name}.ai` }));
  const clock = new FakeClock();
  const hall = new Hall({ agents: () => agents, ports: fakePorts({ clock }), store });
  const hash = (name: string) => hashOf(secretOf(name));
  const page = { hash: hash('page'), origins: ['https://example.com'], agents: ['echo'], requestsPerMinute: 9 };
  const keys = new Keys({ desk: { hash: hash('desk'), agents: ['echo'] }, web: { hash: hash('web') }, page }, clock);
  return { store, hall, keys, app: createApp(hall, [rest()], { keys }), open: createApp(hall, [rest()]) };
}

test('without keys it is read by everybody, and with a key by who has that', async () => {
  const { hall, keys, app, open } = house();
  const free = await openDesk(hall, { headend: 'slack', key: null }).begin({ ...asking, agent: 'echo', prompt: 'Go.' });
  const held = openDesk(hall, { headend: 'slack', key: 'desk', visitor: keys.named('desk') });
  const kept = await held.begin({ ...asking, agent: 'echo', prompt: 'Go.' });
  expect([free.head.owner, kept.head.owner]).toEqual([null, 'desk']);
  await Promise.all([free.outcome, kept.outcome]);
  const at = (id: string) => `/v1/sessions/${id}`;
  expect((await open.request(at(free.head.id))).status).toBe(200);
  expect((await open.request(at(kept.head.id))).status).toBe(404);
  expect((await app.request(at(kept.head.id), as('desk'))).status).toBe(200);
  expect((await app.request(at(kept.head.id), as('web'))).status).toBe(404);
});

test('a key of nobody keeps them from every key', async () => {
  const { hall, app } = house();
  const desk = openDesk(hall, { headend: 'slack', key: '@slack' });
  const { head, outcome } = await desk.begin({ ...asking, agent: 'other', prompt: 'Go.' });
  await outcome;
  expect(head.owner).toBe('@slack');
  expect((await desk.find(head.id))?.status).toBe('completed');
  for (const key of ['desk', 'web']) expect((await app.request(`/v1/sessions/${head.id}`, as(key))).status).toBe(404);
});

test('its agents are those that the key may call', async () => {
  const { hall, keys } = house();
  const desk = openDesk(hall, { headend: 'slack', key: 'desk', visitor: keys.named('desk') });
  expect(desk.agents()).toMatchObject([{ name: 'echo', source: 'echo.ai' }]);
  await expect(desk.begin({ ...asking, agent: 'other', prompt: 'Go.' })).rejects.toMatchObject({
    code: 'agent-forbidden',
  });
  expect(openDesk(hall, { headend: 'slack', key: null }).agents()).toHaveLength(2);
});

test('a key that stands in pages, or that is not there, stands for nobody', () => {
  const { keys } = house();
  expect([keys.named('page'), keys.named('nobody')]).toEqual([undefined, undefined]);
  expect(keys.named('web')?.key).toBe('web');
});

test('sessions that began elsewhere are not there, for anything', async () => {
  const { hall, open } = house();
  const desk = openDesk(hall, { headend: 'slack', key: null });
  const body = JSON.stringify({ agent: 'echo', input: 'Go.' });
  const headers = { 'content-type': 'application/json' };
  const response = await open.request('/v1/sessions', { method: 'POST', headers, body });
  const { id } = (await response.json()) as { id: string };
  expect(await desk.find(id)).toBeUndefined();
  expect(await desk.end(id, 'cancel')).toBe(false);
  for (const asked of [{ session: id, message: 'Go on.' }, { session: id, answer: 'Yes.', round: 0 }, { retry: id }])
    await expect(desk.begin({ ...asking, ...asked })).rejects.toMatchObject({ code: 'session-unknown' });
});

test('those that were interrupted are found, the newest first, of this desk alone', async () => {
  const { hall, store, keys } = house();
  const desk = openDesk(hall, { headend: 'slack', key: null });
  const ids: string[] = [];
  for (let run = 0; run < 3; run++) {
    const { head, outcome } = await desk.begin({ ...asking, agent: 'echo', prompt: 'Go.' });
    await outcome;
    ids.push(head.id);
  }
  await vi.waitFor(() => expect(hall.running).toBe(0));
  const [first = '', second = '', third = ''] = ids;
  const interrupt = (id: string, more = {}) => {
    const head = store.get(id);
    if (head) store.put({ ...head, status: 'interrupted', ...more });
  };
  interrupt(first);
  interrupt(third);
  interrupt(second, { headend: 'rest' });
  expect((await desk.find(first))?.status).toBe('interrupted');
  expect(await desk.find(second)).toBeUndefined();
  const held = openDesk(hall, { headend: 'slack', key: 'desk', visitor: keys.named('desk') });
  expect(await held.find(first)).toBeUndefined();
  const again = await desk.begin({ ...asking, retry: third });
  expect((await again.outcome).status).toBe('completed');
});

test('what is remembered there outlives it', async () => {
  const { hall } = house();
  const { notes, clock } = openDesk(hall, { headend: 'slack', key: null });
  await notes.put('slack:thread:T1/C1/1.2', 'id', clock.now() + 1_000);
  expect(await hall.notes.get('slack:thread:T1/C1/1.2')).toBe('id');
});
