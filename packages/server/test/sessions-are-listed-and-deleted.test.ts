// The promise: a list has what was asked for, a page at a time, with what each session was about and what it used; what has ended can be deleted.

import type { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { MemorySessions } from '../src/index.ts';
import { agentOf, lastResult } from './contract/people.ts';
import { gate, type House, hallOf, openHouse, refusal } from './support/house.ts';
import { slowStore } from './support/stores.ts';

const asks = { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] };
const echo = () => agentOf('echo', () => 'Said.');
const curious = () => agentOf('curious', (request) => lastResult(request) ?? asks);

const listed = async (house: House, query: string) =>
  (await house.get(`/v1/sessions?${query}`)).body.sessions.map(({ id }: { id: string }) => id);

test.each([
  ['in memory', () => new MemorySessions()],
  ['slow', () => slowStore()],
] as const)('filters and pages, %s', async (_name, store) => {
  const door = gate();
  const busy = agentOf('busy', () => ({ text: 'Done.', until: door.opened }));
  const house = await openHouse(hallOf([echo(), curious(), busy], { store: store() }));
  const clock = house.hall.clock as FakeClock;
  const begin = clock.now();
  for (const agent of ['echo', 'curious', 'echo']) {
    await house.heard(await house.start(agent));
    clock.advance(1_000);
  }
  const running = await house.start('busy');
  await expect.poll(() => house.hall.live(running)?.head.status).toBe('running');
  expect(await listed(house, '')).toEqual(['s4', 's3', 's2', 's1']);
  expect(await listed(house, 'limit=2')).toEqual(['s4', 's3']);
  expect(await listed(house, 'limit=2&before=s3')).toEqual(['s2', 's1']);
  expect(await listed(house, 'agent=echo')).toEqual(['s3', 's1']);
  expect(await listed(house, 'status=completed&limit=1')).toEqual(['s3']);
  expect(await listed(house, 'status=completed&limit=1&before=s3')).toEqual(['s1']);
  expect(await listed(house, 'status=needs_user_input,running')).toEqual(['s4', 's2']);
  expect(await listed(house, `since=${begin + 1_000}&until=${begin + 3_000}`)).toEqual(['s3', 's2']);
  expect(await listed(house, `since=${encodeURIComponent(new Date(begin + 2_000).toISOString())}`)).toEqual([
    's4',
    's3',
  ]);
  for (const wrong of ['status=done', 'since=soon', 'until=-1', 'limit=0', 'befor=s1'])
    expect(refusal(await house.get(`/v1/sessions?${wrong}`))).toEqual([400, 'request-invalid']);
  const [head] = (await house.get('/v1/sessions?agent=echo&limit=1')).body.sessions;
  expect(head).toMatchObject({ title: 'Go.', rounds: 1, usage: { modelCalls: 1 } });
  door.open();
});

test('what has ended is deleted with its question; what runs is not', async () => {
  const door = gate();
  const busy = agentOf('busy', () => ({ text: 'Done.', until: door.opened }));
  const house = await openHouse(hallOf([curious(), busy]));
  const remove = (id: string) => house.wire.send(`/v1/sessions/${id}`, { method: 'DELETE' });
  const id = await house.start('curious');
  const { question } = await house.ended(id);
  expect((await remove(id)).status).toBe(204);
  expect(refusal(await house.get(`/v1/sessions/${id}`))).toEqual([404, 'session-unknown']);
  expect((await remove(id)).status).toBe(404);
  expect(await house.hall.ports.pauses?.get(question.handle)).toBeUndefined();
  const running = await house.start('busy');
  expect((await remove(running)).status).toBe(409);
  door.open();
  await house.heard(running);
  await expect.poll(async () => (await remove(running)).status).toBe(204);
  expect((await house.get('/v1/sessions')).body.sessions).toEqual([]);
});
