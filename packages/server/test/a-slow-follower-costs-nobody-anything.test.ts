// The promise: whoever reads slowly misses hints and no fact, costs no memory, and is cut off when it stands still; followers are bounded.

import type { FakeClock } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { createApp, rest } from '../src/index.ts';
import { agentOf, call, lookUp } from './contract/people.ts';
import { overSockets, textOf } from './contract/wires.ts';
import { gate, hallOf, openHouse, refusal } from './support/house.ts';
import { parseEvents, type ReadEvent } from './support/sse-events.ts';

/** Says a lot, piece by piece, and looks things up. */
const talker = (until?: Promise<void>) =>
  agentOf(
    'talker',
    (_request, turn) => {
      const step = turn < 20 ? { ...call('look_up', {}), text: 'x'.repeat(10_000) } : { text: 'Done.' };
      return until && turn === 1 ? { ...step, until } : step;
    },
    { tools: [lookUp], limits: { maxTurns: 30 } },
    { pieces: 100 },
  );

test('no fact is lost to a reader that begins to read when all is over', async () => {
  const door = gate();
  const hall = hallOf([talker(door.opened)]);
  const house = await openHouse(hall);
  const id = await house.start('talker');
  const arrived = await house.events(id);
  const other = house.heard(id);
  door.open();
  const all = await other;
  expect(hall.live(id)).toBeUndefined();
  const late: ReadEvent[] = [];
  for await (const event of parseEvents(arrived.chunks)) late.push(event);
  const facts = (events: readonly ReadEvent[]) => events.flatMap((event) => (event.id === undefined ? [] : [event.id]));
  expect(facts(late)).toEqual(facts(all));
  expect(late.at(-1)).toMatchObject({ event: 'end', data: { status: 'completed' } });
  const hints = (events: readonly ReadEvent[]) => events.filter(({ event }) => event === 'text-delta').length;
  expect(hints(late)).toBeLessThan(hints(all));
});

test('nor to one whose socket was full for as long as it ran', async () => {
  const door = gate();
  const agent = agentOf(
    'talker',
    (_request, turn) => ({
      ...(turn < 30 ? call('look_up', {}) : {}),
      text: 'x'.repeat(300_000),
      ...(turn === 1 ? { until: door.opened } : {}),
    }),
    { tools: [lookUp], limits: { maxTurns: 40, contextWindowTokens: 10_000_000 } },
  );
  const hall = hallOf([agent]);
  const house = await openHouse(hall, overSockets);
  const id = await house.start('talker');
  const slow = (await house.events(id)).chunks;
  door.open();
  await expect.poll(() => hall.live(id)?.head.endedAt ?? 'over', { timeout: 10_000 }).toBe('over');
  const ids: number[] = [];
  let last = '';
  for await (const event of parseEvents(slow)) {
    if (event.id !== undefined) ids.push(Number(event.id));
    last = event.event;
  }
  expect(ids.length).toBeGreaterThan(150);
  expect(ids).toEqual(ids.map((_, i) => i + 1));
  expect(last).toBe('end');
});

test('who stands still is cut off, and can come back', async () => {
  const never = gate();
  const agent = agentOf('talker', (_request, turn) =>
    turn === 1 ? { ...call('look_up', {}), text: 'x'.repeat(200_000) } : { text: 'Done.', until: never.opened },
  );
  const hall = hallOf([{ ...agent, tools: [lookUp] }]);
  const clock = hall.clock as FakeClock;
  const house = await openHouse(hall);
  const id = await house.start('talker');
  await expect.poll(() => hall.live(id)?.count).toBeGreaterThan(6);
  const stuck = await house.events(id);
  await expect.poll(() => hall.live(id)?.followers).toBe(1);
  for (let i = 0; i < 10; i++) clock.advance(15_000);
  expect(hall.live(id)?.followers).toBe(0);
  await expect(textOf(stuck)).rejects.toThrow('took nothing for too long');
  const back = parseEvents((await house.events(id)).chunks)[Symbol.asyncIterator]();
  expect((await back.next()).value.id).toBe('1');
  never.open();
});

test('who waits hears that somebody is there', async () => {
  const never = gate();
  const hall = hallOf([agentOf('slow', [{ text: 'Done.', until: never.opened }])]);
  const clock = hall.clock as FakeClock;
  const house = await openHouse(hall);
  const id = await house.start('slow');
  await expect.poll(() => hall.live(id)?.count).toBeGreaterThan(2);
  const chunks = (await house.events(id)).chunks[Symbol.asyncIterator]();
  for (let text = ''; !text.includes('model-start'); ) text += Buffer.from((await chunks.next()).value).toString();
  const next = (async () => {
    for (;;) {
      const text = Buffer.from((await chunks.next()).value).toString();
      if (text.startsWith(':')) return text;
    }
  })();
  clock.advance(15_000);
  expect(await next).toBe(': still here\n\n');
  never.open();
});

test('so many may follow one session, and who leaves makes room; a question about the stream follows nobody', async () => {
  const never = gate();
  const hall = hallOf([agentOf('slow', () => ({ text: 'Done.', until: never.opened }))]);
  const clock = hall.clock as FakeClock;
  const app = createApp(hall, [rest({ maxFollowers: 2 })]);
  const created = await app.request('/v1/sessions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ agent: 'slow', input: 'Go.' }),
  });
  const { id } = (await created.json()) as { id: string };
  const path = `/v1/sessions/${id}/events`;
  await expect.poll(() => hall.live(id)?.count).toBeGreaterThan(2);
  const timers = clock.timers;
  const [first, second] = [await app.request(path), await app.request(path)];
  for (let i = 0; i < 5; i++) expect((await app.request(path, { method: 'HEAD' })).status).toBe(200);
  const third = await app.request(path);
  expect(refusal({ status: third.status, headers: third.headers, body: await third.json() })).toEqual([
    429,
    'too-many-requests',
  ]);
  expect(third.headers.get('retry-after')).toBe('5');
  expect([hall.live(id)?.followers, clock.timers - timers]).toEqual([2, 2]);
  await first.body?.cancel();
  const fourth = await app.request(path);
  expect(fourth.status).toBe(200);
  never.open();
  expect(await second.text()).toContain('event: end');
  await fourth.text();
  expect(clock.timers).toBe(0);
});
