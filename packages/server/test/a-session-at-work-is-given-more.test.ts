// The promise: what a session at work may use is raised, within what its agent and its key allow; it is never lowered, and what has ended has ended.

import { type Budget, defineTool, type Json } from '@ai-agent/core';
import { fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { createApp, Hall, hashOf, Keys, MemorySessions, rest, type SessionStore } from '../src/index.ts';
import { agentOf, call } from './contract/people.ts';
import { toWire } from './contract/wires.ts';
import { gate, hallOf, openHouse, refusal, wires } from './support/house.ts';
import { slowStore } from './support/stores.ts';

/** Looks as often as it may, at most four times; the first time when the door is opened. */
function looker(budget?: Budget, more: object = {}) {
  const [began, door] = [gate(), gate()];
  const look = defineTool({
    name: 'look',
    description: 'looks',
    inputSchema: { type: 'object' },
    execute: async () => {
      began.open();
      await door.opened;
      return 'seen';
    },
  });
  const script = ({ messages, tools }: { messages: readonly { role: string }[]; tools: readonly unknown[] }) => {
    const looks = messages.filter(({ role }) => role === 'tool').length;
    return tools.length === 0 || looks >= 4 ? `Looked ${looks} times.` : call('look', {});
  };
  const agent = agentOf('looker', script, { tools: [look], ...(budget ? { budget } : {}), ...more });
  return { agent, began: began.opened, open: door.open };
}

describe.each(wires)('%s', (_name, connect) => {
  test('it goes on where it would have ended, and that is shown and kept', async () => {
    const store = new MemorySessions();
    const { agent, began, open } = looker();
    const house = await openHouse(hallOf([agent], { store }), connect);
    const id = await house.start('looker', 'Go.', { budget: { toolCalls: 1, tokens: 50_000 } });
    await began;
    expect((await house.get(`/v1/sessions/${id}`)).body.budget).toEqual({ toolCalls: 1, tokens: 50_000 });
    const raised = await house.post(`/v1/sessions/${id}/budget`, { toolCalls: 9 });
    expect([raised.status, raised.body.id, raised.body.status]).toEqual([202, id, 'running']);
    expect(raised.body.budget).toEqual({ toolCalls: 9, tokens: 50_000 });
    open();
    const ended = await house.ended(id);
    expect(ended).toMatchObject({ status: 'completed', text: 'Looked 4 times.', budget: { toolCalls: 9 } });
    expect(store.get(id)).toMatchObject({ budget: { toolCalls: 9, tokens: 50_000 } });
    const late = await house.post(`/v1/sessions/${id}/budget`, { toolCalls: 10 });
    expect(refusal(late)).toEqual([409, 'session-used']);
    expect(late.body.error.message).toBe(`The session ${id} is not at work: it is completed.`);
  });

  test('without it, the limit is the end', async () => {
    const { agent, open } = looker();
    const house = await openHouse(hallOf([agent]), connect);
    open();
    const id = await house.start('looker', 'Go.', { budget: { toolCalls: 1 } });
    expect(await house.ended(id)).toMatchObject({ status: 'partial', limit: 'toolCalls', text: 'Looked 2 times.' });
  });

  test('also while it waits for a place; then it begins with it', async () => {
    const held = looker();
    const hall = hallOf([held.agent], { places: { rest: { running: 1, waiting: 5 } } });
    const house = await openHouse(hall, connect);
    const [first, second] = [
      await house.start('looker'),
      await house.start('looker', 'Go.', { budget: { toolCalls: 1 } }),
    ];
    await held.began;
    expect((await house.post(`/v1/sessions/${second}/budget`, { toolCalls: 4 })).body.status).toBe('queued');
    held.open();
    expect(await house.ended(second)).toMatchObject({ status: 'completed', budget: { toolCalls: 4 } });
    expect((await house.ended(first)).status).toBe('completed');
  });

  test('what it has now is the least, and what bounds nothing is not raised', async () => {
    const { agent, began, open } = looker({ turns: 20 });
    const house = await openHouse(hallOf([agent]), connect);
    const id = await house.start('looker', 'Go.', { budget: { toolCalls: 3, turns: 10 } });
    await began;
    const why = async (body: Json) => {
      const reply = await house.post(`/v1/sessions/${id}/budget`, body);
      return [...refusal(reply), reply.body.error.message];
    };
    const told = (message: string) => [400, 'request-invalid', message];
    expect(await why({ toolCalls: 2 })).toEqual(told('toolCalls is 3 now: it can be raised, and not be lowered to 2.'));
    expect(await why({ tokens: 9_000 })).toEqual(
      told('tokens is not bounded in this session: there is nothing to raise.'),
    );
    expect(await why({ turns: 21 })).toEqual(told('The agent looker allows 20 turns at most, and not 21.'));
    expect(await why({ descendants: 63 })).toEqual(
      told('descendants is 64 now: it can be raised, and not be lowered to 63.'),
    );
    const wrong: Json[] = [{}, [], 'x', { turns: 1.5 }, { turns: -1 }, { turns: '12' }, { turn: 12 }, { budget: {} }];
    for (const body of wrong) expect((await why(body)).slice(0, 2)).toEqual([400, 'request-invalid']);
    // One that is wrong changes nothing of the others.
    await why({ toolCalls: 9, turns: 21 });
    expect((await house.get(`/v1/sessions/${id}`)).body.budget).toEqual({ toolCalls: 3, turns: 10 });
    const raised = await house.post(`/v1/sessions/${id}/budget`, { toolCalls: 3, turns: 20, descendants: 100 });
    expect([raised.status, raised.body.budget]).toEqual([202, { toolCalls: 3, turns: 20, descendants: 100 }]);
    open();
    expect(await house.ended(id)).toMatchObject({ status: 'partial', limit: 'toolCalls' });
  });

  test('nobody raises what is not there, or waits for an answer', async () => {
    const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
    const house = await openHouse(hallOf([agentOf('curious', () => asks, { ask: 'person' })]), connect);
    expect(refusal(await house.post('/v1/sessions/nobody/budget', { turns: 5 }))).toEqual([404, 'session-unknown']);
    const id = await house.start('curious', 'Go.', { budget: { turns: 4 } });
    await house.ended(id);
    const waits = await house.post(`/v1/sessions/${id}/budget`, { turns: 5 });
    expect(refusal(waits)).toEqual([409, 'session-used']);
    expect(waits.body.error).toMatchObject({
      message: `The session ${id} is not at work: it is needs_user_input.`,
      remedy: 'Go on with it by POST /v1/sessions, which takes a budget.',
    });
    expect((await house.get(`/v1/sessions/${id}/budget`)).status).toBe(405);
  });
});

test('what was raised holds in the next round', async () => {
  const { agent, began, open } = looker();
  const house = await openHouse(hallOf([agent]));
  const id = await house.start('looker', 'Go.', { budget: { toolCalls: 1 } });
  await began;
  await house.post(`/v1/sessions/${id}/budget`, { toolCalls: 4 });
  open();
  await house.ended(id);
  const { status } = await house.post('/v1/sessions', { session: id, input: 'Again.' });
  expect(status).toBe(201);
  expect(await house.ended(id)).toMatchObject({ rounds: 2, status: 'completed', budget: { toolCalls: 4 } });
});

test('what another server runs is raised there', async () => {
  const store: SessionStore = slowStore(new MemorySessions());
  const { agent, began, open } = looker();
  const ports = fakePorts();
  const [one, two] = [
    await openHouse(hallOf([agent], { store, ports })),
    await openHouse(hallOf([agent], { store, ports })),
  ];
  const id = await one.start('looker', 'Go.', { budget: { toolCalls: 1 } });
  await began;
  const reply = await two.post(`/v1/sessions/${id}/budget`, { toolCalls: 4 });
  expect(refusal(reply)).toEqual([409, 'session-busy']);
  expect(reply.body.error.message).toBe(`The session ${id} is at work on another server.`);
  open();
  expect((await one.ended(id)).status).toBe('partial');
});

describe('a key', () => {
  const secret = 'aia_the-key-of-desk-0123456789abcdef0123456789';

  async function withKey(settings: object, agent: ReturnType<typeof looker>['agent']) {
    const ports = fakePorts();
    const hall = new Hall({ agents: () => [{ name: agent.name, agent }], ports });
    const keys = new Keys({ desk: { hash: hashOf(secret), ...settings } }, ports.clock);
    const house = await openHouse(hall, async () => toWire(createApp(hall, [rest()], { keys })));
    const shown = { authorization: `Bearer ${secret}` };
    return {
      hall,
      post: (path: string, body?: Json) => house.post(path, body, shown),
      get: (path: string) => house.get(path, shown),
    };
  }

  test('bounds it, and is named where it is what bounds', async () => {
    const { agent, began, open } = looker({ toolCalls: 9 });
    const { hall, post, get } = await withKey({ budget: { toolCalls: 3 } }, agent);
    const { id } = (await post('/v1/sessions', { agent: 'looker', input: 'Go.', budget: { toolCalls: 1 } })).body;
    await began;
    const refused = await post(`/v1/sessions/${id}/budget`, { toolCalls: 4 });
    expect([...refusal(refused), refused.body.error.message]).toEqual([
      400,
      'request-invalid',
      'This key allows 3 toolCalls at most, and not 4.',
    ]);
    expect((await post(`/v1/sessions/${id}/budget`, { toolCalls: 3 })).status).toBe(202);
    open();
    await expect.poll(() => hall.running).toBe(0);
    expect((await get(`/v1/sessions/${id}`)).body).toMatchObject({ status: 'partial', text: 'Looked 4 times.' });
  });

  test('has an allowance, which is not raised with it', async () => {
    const [began, door] = [gate(), gate()];
    const model = scriptedModel((_request, turn) => {
      began.open();
      if (turn === 1)
        return { ...call('look', {}), until: door.opened, usage: { inputTokens: 500, outputTokens: 500 } };
      return { text: 'Done.', usage: { inputTokens: 500, outputTokens: 100 } };
    });
    const { agent, open } = looker(undefined, { model });
    open();
    const { hall, post, get } = await withKey({ allowance: { tokens: 3_000, per: 'day' } }, agent);
    const { id } = (await post('/v1/sessions', { agent: 'looker', input: 'Go.', budget: { tokens: 2_000 } })).body;
    await began.opened;
    expect((await post(`/v1/sessions/${id}/budget`, { tokens: 900_000 })).status).toBe(202);
    door.open();
    await expect.poll(() => hall.running).toBe(0);
    expect((await get(`/v1/sessions/${id}`)).body.budget).toEqual({ tokens: 900_000 });
    expect(model.requests[1]?.settings.maxOutputTokens).toBeLessThan(3_000);
    expect(model.requests[1]?.settings.maxOutputTokens).toBeGreaterThan(300);
  });
});
