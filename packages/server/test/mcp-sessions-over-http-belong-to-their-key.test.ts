// The promise: a session of MCP over HTTP has an id that nobody guesses, and is there for the key that began it alone.

import { expect, test } from 'vitest';
import { callOf, heardOn, initialize, listenTo, mcpHttp, ping, rpcErrorOf } from './support/mcp-http.ts';

const notFound = [404, -32_001, 'Session not found'];

test('ids are random, and never the same', async () => {
  const { begin } = mcpHttp();
  const ids = await Promise.all(Array.from({ length: 20 }, () => begin()));
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(ids).size).toBe(20);
});

test.each(['POST', 'GET', 'DELETE'])('%s of another key hears what is said of an id that never was', async (method) => {
  const { begin, send, post } = mcpHttp({ keys: ['mine', 'other'] });
  const session = await begin('mine');
  const body = method === 'POST' ? { body: ping } : {};
  const ofOther = await send(method, { session, key: 'other', ...body });
  const ofNobody = await send(method, { session: crypto.randomUUID(), key: 'mine', ...body });
  expect([...ofOther.headers]).toEqual([...ofNobody.headers]);
  expect(await rpcErrorOf(ofOther)).toEqual(notFound);
  expect(await rpcErrorOf(ofNobody)).toEqual(notFound);
  // It is there as before.
  const [, answered] = await heardOn(await post(ping, { session, key: 'mine' }));
  expect(answered?.message).toEqual({ jsonrpc: '2.0', id: 'ping', result: {} });
});

test('another key neither cancels a run nor hears of it', async () => {
  const { begin, post, send, slow, ended } = mcpHttp({ keys: ['mine', 'other'] });
  const session = await begin('mine');
  const stream = listenTo(await post(callOf(1), { session, key: 'mine' }));
  await expect.poll(slow.started).toBe(1);
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
  expect((await post(cancel, { session, key: 'other' })).status).toBe(404);
  const lastEventId = stream.heard()[0]?.id as string;
  const headers = { 'last-event-id': lastEventId };
  expect((await send('GET', { session, key: 'other', headers })).status).toBe(404);
  // Nor is what one session said to be had in another.
  const own = await begin('other');
  expect((await send('GET', { session: own, key: 'other', headers })).status).toBe(400);
  slow.release();
  await stream.done;
  expect(stream.heard().at(-1)?.message.result.content[0].text).toBe('I am slow.');
  expect(ended).toEqual(['completed']);
});

test('who brings an id of their own gets no session under it', async () => {
  const { post } = mcpHttp();
  expect(await rpcErrorOf(await post(initialize, { session: 'mine-alone' }))).toEqual(notFound);
});

test('a session that was ended is not there any more', async () => {
  const { begin, send, post } = mcpHttp();
  const session = await begin();
  expect((await send('DELETE', { session })).status).toBe(200);
  expect(await rpcErrorOf(await post(ping, { session }))).toEqual(notFound);
  expect(await rpcErrorOf(await send('DELETE', { session }))).toEqual(notFound);
});
