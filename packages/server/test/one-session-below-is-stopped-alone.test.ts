// The promise: one session below another is stopped by its id, through whichever server is asked; its caller goes on with what it has.

import { asTool, defineTool, type Json, type ToolOffer } from '@ai-agent/core';
import { type FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { MemorySessions, type SessionStore } from '../src/index.ts';
import { lookMs } from '../src/wishes.ts';
import { agentOf, call } from './contract/people.ts';
import { gate, hallOf, openHouse, refusal, wires } from './support/house.ts';
import { notesIn, slowStore } from './support/stores.ts';

/** A lead with two children that dig until they are stopped. */
function diggers() {
  const began = [gate(), gate()];
  let digging = 0;
  const dig = defineTool({
    name: 'dig',
    description: 'digs',
    inputSchema: { type: 'object' },
    execute: (_args, { signal }) => {
      began[digging++]?.open();
      return new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  const script = ({ tools }: { tools: readonly unknown[] }) => (tools.length === 0 ? 'A bone.' : call('dig', {}));
  const child = agentOf('digger', script, { tools: [dig] });
  const both = { calls: [1, 2].map(() => ({ name: 'digger', input: { reason: 'r', text: 'dig' } })) };
  const lead = agentOf('lead', (_request, turn) => (turn === 1 ? both : 'One bone, and another.'), {
    tools: [asTool(child) as ToolOffer],
  });
  return { lead, whenBoth: Promise.all(began.map(({ opened }) => opened)) };
}

/** One that runs it, and another with the same store. */
async function twoServers() {
  const kept = new Map<string, Json>();
  const notes = notesIn(kept, async (done) => done());
  const store: SessionStore = { ...slowStore(new MemorySessions()), notes };
  const ports = fakePorts();
  const { lead, whenBoth } = diggers();
  const one = await openHouse(hallOf([lead], { store, ports }));
  const two = await openHouse(hallOf([lead], { store, ports }));
  const id = await one.start('lead');
  await whenBoth;
  return { id, two, kept, clock: ports.clock as FakeClock };
}

describe.each(wires)('%s', (_name, connect) => {
  test('the other one digs on, and the caller completes when both have ended', async () => {
    const { lead, whenBoth } = diggers();
    const house = await openHouse(hallOf([lead]), connect);
    const id = await house.start('lead');
    await whenBoth;
    const facts = () => house.hall.live(id)?.facts() ?? [];
    const ended = () => facts().flatMap(({ type, trace }) => (type === 'session-end' ? [trace.selfId] : []));
    const [first = '', second = ''] = facts().flatMap(({ type, trace }) =>
      type === 'session-start' && trace.parentId === id ? [trace.selfId] : [],
    );
    const stopped = await house.post(`/v1/sessions/${id}/stop`, { session: first });
    expect([stopped.status, stopped.body.id, stopped.body.status]).toEqual([202, id, 'running']);
    await expect.poll(ended).toEqual([first]);
    // It runs no more.
    const again = await house.post(`/v1/sessions/${id}/stop`, { session: first });
    expect(refusal(again)).toEqual([404, 'session-unknown']);
    expect(again.body.error.message).toBe(`No session ${first} runs below ${id}.`);
    expect((await house.post(`/v1/sessions/${id}/stop`, { session: second })).status).toBe(202);
    expect(await house.ended(id)).toMatchObject({ status: 'completed', text: 'One bone, and another.' });
    expect(refusal(await house.post(`/v1/sessions/${id}/stop`, { session: second }))).toEqual([404, 'session-unknown']);
  });

  test('nobody else is meant: not the session itself, not one from elsewhere, not what waits for a place', async () => {
    const { lead, whenBoth } = diggers();
    const hall = hallOf([lead], { places: { rest: { running: 1, waiting: 5 } } });
    const house = await openHouse(hall, connect);
    const [id, waits] = [await house.start('lead'), await house.start('lead')];
    await whenBoth;
    for (const session of [id, `${id}~9.9`, 'nobody', `${waits}~1.1`])
      expect(refusal(await house.post(`/v1/sessions/${id}/stop`, { session }))).toEqual([404, 'session-unknown']);
    expect(refusal(await house.post(`/v1/sessions/${waits}/stop`, { session: `${waits}~1.1` }))[0]).toBe(404);
    expect(refusal(await house.post('/v1/sessions/nobody/stop', { session: `${id}~1.1` }))[0]).toBe(404);
    expect([hall.live(id)?.head.status, hall.live(waits)?.head.status]).toEqual(['running', 'queued']);
    for (const one of [waits, id]) await house.post(`/v1/sessions/${one}/cancel`);
    await house.ended(id);
  });

  test.each([
    ['nothing at all', {}],
    ['an empty body of a form', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: '' }],
    ['white space', { headers: { 'content-type': 'application/json' }, body: ' \n' }],
    ['an empty object', { headers: { 'content-type': 'application/json' }, body: '{}' }],
  ])('%s stops all of it', async (_what, sending) => {
    const { lead, whenBoth } = diggers();
    const house = await openHouse(hallOf([lead]), connect);
    const id = await house.start('lead');
    await whenBoth;
    expect((await house.wire.send(`/v1/sessions/${id}/stop`, { method: 'POST', ...sending })).status).toBe(202);
    expect(await house.ended(id)).toMatchObject({ status: 'partial', limit: 'stop' });
  });

  test('a body that is not understood stops nothing', async () => {
    const { lead, whenBoth } = diggers();
    const house = await openHouse(hallOf([lead]), connect);
    const id = await house.start('lead');
    await whenBoth;
    const bodies: Json[] = [[], 'x', { sesion: 'x' }, { session: 1 }, { session: '' }, { session: 'x'.repeat(1_001) }];
    for (const body of bodies)
      expect(refusal(await house.post(`/v1/sessions/${id}/stop`, body))).toEqual([400, 'request-invalid']);
    const form = { 'content-type': 'text/plain' };
    expect((await house.post(`/v1/sessions/${id}/stop`, {}, form)).status).toBe(400);
    expect(house.hall.live(id)?.head.status).toBe('running');
    await house.post(`/v1/sessions/${id}/cancel`);
    expect((await house.ended(id)).status).toBe('cancelled');
  });
});

test('through another server it is told to the one that runs it, with all that is wished besides', async () => {
  const { id, two, kept, clock } = await twoServers();
  const stop = (session: string) => two.post(`/v1/sessions/${id}/stop`, { session });
  for (const session of [id, 'nobody', `${id}-2~1.1`]) expect(refusal(await stop(session))[0]).toBe(404);
  expect((await Promise.all([`${id}~1.1`, `${id}~1.2`].map(stop))).map(({ status }) => status)).toEqual([202, 202]);
  clock.advance(lookMs);
  await expect.poll(async () => (await two.get(`/v1/sessions/${id}`)).body.status).toBe('completed');
  expect(kept.size).toBe(0);
});

test('who is to end altogether is not spared for that', async () => {
  const { id, two, clock } = await twoServers();
  await two.post(`/v1/sessions/${id}/cancel`);
  expect((await two.post(`/v1/sessions/${id}/stop`, { session: `${id}~1.1` })).status).toBe(202);
  clock.advance(lookMs);
  await expect.poll(async () => (await two.get(`/v1/sessions/${id}`)).body.status).toBe('cancelled');
});
