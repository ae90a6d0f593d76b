// The promise: in a session of MCP a run goes on for a while when its client has gone, and then ends; no other run does.

import { expect, test } from 'vitest';
import {
  callOf,
  cancelOf,
  heardOn,
  listenTo,
  type McpHttp,
  mcpHttp,
  mcpRevision,
  onPort,
  rawPost,
} from './support/mcp-http.ts';
import { rawClient } from './support/raw-client.ts';

/** A session, or two, with calls under way. */
async function underWay({ begin, post, slow }: McpHttp, ...counts: readonly number[]) {
  const streams: (ReturnType<typeof listenTo> & { readonly session: string })[] = [];
  let all = 0;
  for (const count of counts) {
    const session = await begin();
    for (let id = 1; id <= count; id++) {
      streams.push({ session, ...listenTo(await post(callOf(id), { session })) });
      all += 1;
      await expect.poll(slow.started).toBe(all);
    }
  }
  const [first, ...more] = streams;
  if (!first) throw new TypeError('Nothing is under way.');
  return [first, ...more] as const;
}

test('a body that is cancelled: after the grace that run is cancelled, and no other', async () => {
  const house = mcpHttp();
  const { clock, hall, ended, bugs, slow, send } = house;
  const [gone, stays, other] = await underWay(house, 2, 1);
  await gone.drop();
  clock.advance(29_999);
  expect([hall.running, ended]).toEqual([3, []]);
  clock.advance(1);
  await expect.poll(() => ended).toEqual(['cancelled']);
  expect(hall.running).toBe(2);
  // Who comes back too late is told what came of it.
  const late = await heardOn(await send('GET', { session: gone.session, headers: { 'last-event-id': '2-1' } }));
  expect(late.at(-1)?.message).toMatchObject({ id: 1, result: { isError: true } });
  slow.release();
  slow.release();
  slow.release();
  await Promise.all([stays?.done, other?.done]);
  expect(ended).toEqual(['cancelled', 'completed', 'completed']);
  expect([bugs, clock.timers]).toEqual([[], 1]);
});

test('who goes again has the whole grace again', async () => {
  const house = mcpHttp({ sessions: { graceMs: 1_000 } });
  const { clock, ended, send } = house;
  const [stream] = await underWay(house, 1);
  await stream.drop();
  for (let i = 0; i < 3; i++) {
    clock.advance(999);
    const back = listenTo(await send('GET', { session: stream.session, headers: { 'last-event-id': '2-1' } }));
    clock.advance(5_000);
    await back.drop();
  }
  expect(ended).toEqual([]);
  clock.advance(1_000);
  await expect.poll(() => ended).toEqual(['cancelled']);
});

test('who came back before anybody noticed that it had gone, and goes, has gone', async () => {
  const house = mcpHttp();
  const { clock, ended, send } = house;
  const [stream] = await underWay(house, 1);
  const back = listenTo(await send('GET', { session: stream.session, headers: { 'last-event-id': '2-1' } }));
  await stream.done;
  clock.advance(60_000);
  expect(ended).toEqual([]);
  await back.drop();
  clock.advance(30_000);
  await expect.poll(() => ended).toEqual(['cancelled']);
});

test('one that waits for a place when its client goes never begins', async () => {
  const house = mcpHttp({ places: { running: 1, waiting: 5 } });
  const { begin, post, clock, hall, ended, bugs, slow } = house;
  const session = await begin();
  const runs = listenTo(await post(callOf(1), { session }));
  await expect.poll(slow.started).toBe(1);
  const waits = listenTo(await post(callOf(2), { session }));
  await expect.poll(() => hall.running).toBe(2);
  await waits.drop();
  clock.advance(30_000);
  await expect.poll(() => ended).toEqual(['never began']);
  slow.release();
  await runs.done;
  expect([ended, bugs]).toEqual([['never began', 'completed'], []]);
});

test('a socket that is closed counts as gone', async () => {
  const house = mcpHttp();
  const { clock, ended, begin, slow, post } = house;
  const session = await begin();
  const stays = listenTo(await post(callOf('stays'), { session }));
  await expect.poll(slow.started).toBe(1);
  const { port } = await onPort(house);
  const client = await rawClient(port);
  client.send(rawPost(callOf('goes'), { 'mcp-session-id': session, 'mcp-protocol-version': mcpRevision }));
  await expect.poll(slow.started).toBe(2);
  await expect.poll(client.received).toContain('id: ');
  const before = clock.timers;
  client.socket.destroy();
  await expect.poll(() => clock.timers).toBe(before + 1);
  clock.advance(30_000);
  await expect.poll(() => ended).toEqual(['cancelled']);
  slow.release();
  slow.release();
  await stays.done;
  expect(ended).toEqual(['cancelled', 'completed']);
});

test('a session that is ended cancels its runs at once, and those of no other', async () => {
  const house = mcpHttp();
  const { send, ended, hall, bugs, slow, clock } = house;
  const [first, second, other] = await underWay(house, 2, 1);
  expect((await send('DELETE', { session: first.session })).status).toBe(200);
  await Promise.all([first.done, second?.done]);
  await expect.poll(() => ended).toEqual(['cancelled', 'cancelled']);
  expect(hall.running).toBe(1);
  for (let i = 0; i < 3; i++) slow.release();
  await other?.done;
  expect(ended).toEqual(['cancelled', 'cancelled', 'completed']);
  expect([bugs, clock.timers]).toEqual([[], 1]);
});

test('a call that is cancelled ends its run alone, and its stream without an answer', async () => {
  const house = mcpHttp();
  const { post, ended, bugs, slow } = house;
  const [first, second, other] = await underWay(house, 2, 1);
  expect((await post(cancelOf(1), { session: first.session })).status).toBe(202);
  await first.done;
  expect(first.heard()).toEqual([{ id: '2-1' }]);
  await expect.poll(() => ended).toEqual(['cancelled']);
  // Again, and of what never was, it means nothing.
  for (const id of [1, 99, 'no']) expect((await post(cancelOf(id), { session: first.session })).status).toBe(202);
  for (let i = 0; i < 3; i++) slow.release();
  await Promise.all([second?.done, other?.done]);
  expect([ended, bugs]).toEqual([['cancelled', 'completed', 'completed'], []]);
});
