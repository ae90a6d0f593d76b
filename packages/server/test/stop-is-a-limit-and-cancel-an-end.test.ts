// The promise: stop lets a session say a last word, cancel ends it at once down to the model; both leave what has ended alone, and close what waits for an answer.

import { defineTool, MemoryPauses } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { scriptedHttpModel } from '@ai-agent/models/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { agentOf, call } from './contract/people.ts';
import { gate, hallOf, openHouse, refusal, wires } from './support/house.ts';

/** Waits in a tool for its signal, or for ever. */
function waiting() {
  const began = gate();
  const wait = defineTool({
    name: 'wait',
    description: 'waits',
    inputSchema: { type: 'object' },
    execute: (_args, { signal }) => {
      began.open();
      return new Promise<string>((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  });
  const agent = agentOf('waiter', (_request, turn) => (turn > 1 ? 'As far as I got.' : call('wait', {})), {
    tools: [wait],
  });
  return { agent, began: began.opened };
}

describe.each(wires)('%s', (_name, connect) => {
  test('stopped, it says what it has', async () => {
    const { agent, began } = waiting();
    const house = await openHouse(hallOf([agent]), connect);
    const id = await house.start('waiter');
    await began;
    const stopped = await house.post(`/v1/sessions/${id}/stop`);
    expect([stopped.status, stopped.body.id]).toEqual([202, id]);
    expect(await house.ended(id)).toMatchObject({ status: 'partial', limit: 'stop', text: 'As far as I got.' });
    const again = await house.post(`/v1/sessions/${id}/stop`);
    expect([again.status, again.body.status]).toEqual([200, 'partial']);
    expect((await house.post(`/v1/sessions/${id}/cancel`)).body).toMatchObject({ status: 'partial' });
  });

  test('cancelled, it ends at once, down to the request of the model', async () => {
    const never = gate();
    const model = await scriptedHttpModel(() => ({ text: 'Too late.', until: never.opened }));
    onTestFinished(() => model.close());
    const hall = hallOf([{ name: 'patient', instructions: 'Wait.', model }]);
    const house = await openHouse(hall, connect);
    const id = await house.start('patient');
    await expect.poll(() => model.server.inFlight).toBe(1);
    expect((await house.post(`/v1/sessions/${id}/cancel`)).status).toBe(202);
    expect(await house.ended(id)).toMatchObject({ status: 'cancelled', failure: { class: 'cancelled' } });
    await expect.poll(() => [model.server.inFlight, model.server.aborted]).toEqual([0, 1]);
    expect((await house.post(`/v1/sessions/${id}/cancel`)).status).toBe(200);
    expect([hall.running, hall.placesOf('rest').running]).toEqual([0, 0]);
    never.open();
  });

  test.each(['stop', 'cancel'])('what waits for a place never runs after a %s', async (how) => {
    const door = gate();
    const agent = agentOf('slow', () => ({ text: 'Done.', until: door.opened }));
    const hall = hallOf([agent], { places: { rest: { running: 1, waiting: 5 } } });
    const house = await openHouse(hall, connect);
    const [first, second] = [await house.start('slow'), await house.start('slow')];
    expect((await house.post(`/v1/sessions/${second}/${how}`)).status).toBe(202);
    const ended = await house.ended(second);
    expect(ended).toMatchObject({ status: 'cancelled', failure: { class: 'cancelled' }, tree: null });
    expect((await house.heard(second)).map(({ event }) => event)).toEqual(['end']);
    expect(refusal(await house.post(`/v1/sessions/${second}/answer`, { answer: 1 }))).toEqual([
      409,
      'question-unknown',
    ]);
    expect(hall.placesOf('rest').waiting).toBe(0);
    door.open();
    expect((await house.ended(first)).status).toBe('completed');
  });

  test('what a waiting request has started is cancelled by its id, and the request is told', async () => {
    const door = gate();
    const house = await openHouse(hallOf([agentOf('slow', [{ text: 'Done.', until: door.opened }])]), connect);
    const waits = house.get('/v1/slow?q=Go.');
    await expect.poll(async () => (await house.get('/v1/sessions')).body.sessions.length).toBe(1);
    expect((await house.post('/v1/sessions/s1/cancel')).status).toBe(202);
    expect(refusal(await waits)).toEqual([409, 'cancelled']);
    door.open();
  });

  test.each(['stop', 'cancel'])('what waits for an answer is closed by a %s: nobody can go on with it', async (how) => {
    const asks = { calls: [{ name: 'ask_user', input: { question: 'Which year?' } }] };
    const pauses = new MemoryPauses();
    const hall = hallOf([agentOf('curious', () => asks, { ask: 'person' })], { ports: fakePorts({ pauses }) });
    const house = await openHouse(hall, connect);
    const id = await house.start('curious');
    const { resume } = await house.ended(id);
    const closed = await house.post(`/v1/sessions/${id}/${how}`);
    expect([closed.status, closed.body.status, closed.body.question]).toEqual([200, 'cancelled', undefined]);
    expect(pauses.get(resume)).toBeUndefined();
    const read = (await house.get(`/v1/sessions/${id}`)).body;
    expect(read).toMatchObject({ id, status: 'cancelled', failure: { code: 'cancelled' }, usage: { modelCalls: 1 } });
    expect([read.question, read.resume]).toEqual([undefined, undefined]);
    expect((await house.heard(id)).at(-1)).toMatchObject({ event: 'end', data: { status: 'cancelled' } });
    const late = await house.post(`/v1/sessions/${id}/answer`, { answer: '1999' });
    expect(refusal(late)).toEqual([409, 'question-unknown']);
    expect((await house.post(`/v1/sessions/${id}/${how}`)).body).toMatchObject({ status: 'cancelled' });
  });
});
