// The promise: there are only so many sessions of MCP over HTTP, those that nobody uses end, and nothing is left of any.

import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { AgentServers } from '../src/headends/mcp/agent-servers.ts';
import { HttpSessions, type HttpSessionsOptions } from '../src/headends/mcp/http-sessions.ts';
import { anybody, Hall } from '../src/index.ts';
import { heldAgent } from './support/governed.ts';
import { callOf, initialize, listenTo, mcpHttp, mcpRevision, ping, rpcErrorOf } from './support/mcp-http.ts';

const minute = 60_000;

function sessionsOf(options: HttpSessionsOptions = {}) {
  const clock = new FakeClock();
  const slow = heldAgent('slow');
  const hall = new Hall({ agents: () => [{ name: 'slow', agent: slow.agent }], ports: fakePorts({ clock }) });
  const servers = new AgentServers(hall, { version: '1' });
  const sessions = new HttpSessions(hall, servers, options);
  const send = (method: string, message?: object, session?: string) => {
    const headers: Record<string, string> = {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(session === undefined ? {} : { 'mcp-session-id': session, 'mcp-protocol-version': mcpRevision }),
    };
    return sessions.handle(new Request('http://localhost/mcp', { method, headers }), anybody, message);
  };
  const begin = async () => {
    const response = await send('POST', initialize);
    await response.text();
    return response.headers.get('mcp-session-id') as string;
  };
  const isThere = async (session: string) => {
    const response = await send('POST', ping, session);
    await response.text();
    return response.status === 200;
  };
  return { clock, slow, hall, servers, sessions, send, begin, isThere };
}

test('one that nobody uses ends after half an hour, counted from the last time', async () => {
  const { clock, sessions, begin, isThere } = sessionsOf();
  const one = await begin();
  const other = await begin();
  clock.advance(29 * minute);
  expect(await isThere(one)).toBe(true);
  clock.advance(minute);
  expect(sessions.size).toBe(1);
  expect([await isThere(other), await isThere(one)]).toEqual([false, true]);
  clock.advance(30 * minute);
  expect([sessions.size, clock.timers]).toEqual([0, 0]);
});

test('one with an open stream, or a run, does not', async () => {
  const { clock, slow, sessions, send, begin } = sessionsOf({ idleMs: 1_000 });
  const [listening, running] = [await begin(), await begin()];
  const stream = listenTo(await send('GET', undefined, listening));
  const answer = listenTo(await send('POST', callOf(1), running));
  await expect.poll(slow.started).toBe(1);
  clock.advance(10_000);
  expect(sessions.size).toBe(2);
  slow.release();
  await answer.done;
  await stream.drop();
  expect(sessions.size).toBe(2);
  clock.advance(1_000);
  expect(sessions.size).toBe(0);
});

test('when there is no room, the one that nobody has used for longest makes some', async () => {
  const { clock, sessions, begin, isThere } = sessionsOf({ maxSessions: 3 });
  const [first, second, third] = [await begin(), await begin(), await begin()];
  clock.advance(1);
  expect(await isThere(first)).toBe(true);
  const fourth = await begin();
  expect(sessions.size).toBe(3);
  const there = await Promise.all([first, second, third, fourth].map(isThere));
  expect(there).toEqual([true, false, true, true]);
});

test('when all are in use, whoever comes is told to come later', async () => {
  const { sessions, send, begin } = sessionsOf({ maxSessions: 2 });
  const streams = [];
  for (const session of [await begin(), await begin()]) streams.push(listenTo(await send('GET', undefined, session)));
  const refused = await send('POST', initialize);
  expect(refused.headers.get('retry-after')).toBe('30');
  expect(await rpcErrorOf(refused)).toEqual([503, -32_000, 'All of the 2 sessions are in use.']);
  expect(sessions.size).toBe(2);
  await streams[0]?.drop();
  expect((await send('POST', initialize)).status).toBe(200);
  expect(sessions.size).toBe(2);
});

test('a key that has many shuts out nobody, whatever streams it holds open', async () => {
  const { begin, post, send } = mcpHttp({ sessions: { maxSessions: 3 }, keys: ['greedy', 'modest'] });
  const isThere = async (key: string, session: string) => (await post(ping, { session, key })).status === 200;
  const greedy = [await begin('greedy'), await begin('greedy'), await begin('greedy')];
  const streams = [];
  for (const session of greedy) streams.push(listenTo(await send('GET', { session, key: 'greedy' })));
  const modest = await begin('modest');
  await streams[0]?.done;
  // It had its share, and cannot take it from others.
  expect((await post(initialize, { key: 'greedy' })).status).toBe(503);
  await streams[1]?.drop();
  await streams[2]?.drop();
  for (let i = 0; i < 5; i++) await begin('greedy');
  expect(await isThere('modest', modest)).toBe(true);
});

test('one that has only just begun is not given up for another', async () => {
  const { post } = mcpHttp({ sessions: { maxSessions: 3 }, keys: ['greedy', 'modest'] });
  const keys = ['greedy', 'greedy', 'greedy', 'modest'];
  const all = await Promise.all(keys.map((key) => post(initialize, { key })));
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 503]);
  for (const response of all.slice(0, 3)) expect(await response.text()).toContain('serverInfo');
});

test('many that come at once are not more than may be', async () => {
  const { sessions, servers, send } = sessionsOf({ maxSessions: 10 });
  const statuses = (await Promise.all(Array.from({ length: 50 }, () => send('POST', initialize)))).map(
    ({ status }) => status,
  );
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(10);
  expect(new Set(statuses)).toEqual(new Set([200, 503]));
  expect([sessions.size, servers.size]).toEqual([10, 10]);
});

test('whoever begins and never comes back leaves nothing behind', async () => {
  const { clock, sessions, servers, send, begin } = sessionsOf({ maxSessions: 100 });
  for (let i = 0; i < 300; i++) await begin();
  expect([sessions.size, servers.size, clock.timers]).toEqual([100, 100, 1]);
  // Neither does who begins wrongly.
  const wrong = { ...initialize, params: { protocolVersion: mcpRevision } };
  expect((await send('POST', wrong)).status).toBe(400);
  expect(sessions.size).toBe(100);
  clock.advance(31 * minute);
  expect([sessions.size, servers.size, clock.timers]).toEqual([0, 0, 0]);
});

test('one whose beginning is refused is none', async () => {
  const { sessions, servers } = sessionsOf();
  const request = new Request('http://localhost/mcp', { method: 'POST', headers: { accept: 'text/html' } });
  expect((await sessions.handle(request, anybody, initialize)).status).toBe(406);
  expect([sessions.size, servers.size]).toEqual([0, 0]);
});

test('streams that are dropped and sessions that are ended leave no timers', async () => {
  const { clock, slow, sessions, servers, send, begin } = sessionsOf();
  for (let i = 0; i < 20; i++) {
    const session = await begin();
    const stream = listenTo(await send('POST', callOf(i), session));
    if (i < 10) await expect.poll(slow.started).toBe(i + 1);
    await stream.drop();
    await send('DELETE', undefined, session);
  }
  expect([sessions.size, servers.size, clock.timers]).toEqual([0, 0, 0]);
});

test('the bounds are to be set', async () => {
  const { begin, post, clock } = mcpHttp({ sessions: { maxSessions: 1, idleMs: minute } });
  const first = await begin();
  const second = await begin();
  expect((await post(ping, { session: first })).status).toBe(404);
  clock.advance(minute);
  expect((await post(ping, { session: second })).status).toBe(404);
});
