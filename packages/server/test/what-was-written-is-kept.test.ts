// The promise: of a run that ends before its answer does, whoever asks gets what was written of it; once, and everywhere the same.

import { type Agent, type AssistantMessage, type Budget, defineTool } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { describe, expect, test } from 'vitest';
import { agentOf } from './contract/people.ts';
import { gate, hallOf, openHouse, refusal, wires } from './support/house.ts';
import { parseEvents, type ReadEvent } from './support/sse-events.ts';

/** Writes half of its answer, and then nothing until it is cut off. */
function halfway(): { readonly agent: Agent; readonly began: Promise<void> } {
  const began = gate();
  const agent: Agent = {
    name: 'halfway',
    instructions: 'Write.',
    model: {
      provider: 'test',
      model: 'halfway',
      call: (_request, { signal, onDelta }) => {
        onDelta?.({ type: 'text', text: 'Half of ' });
        onDelta?.({ type: 'text', text: 'it' });
        began.open();
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      },
    },
  };
  return { agent, began: began.opened };
}

const streaming = { accept: 'text/event-stream' };
const names = (events: readonly ReadEvent[]) => events.map(({ event }) => event).filter((name) => name !== 'progress');

describe.each(wires)('%s', (_name, connect) => {
  test('cancelled, a session has what it wrote', async () => {
    const { agent, began } = halfway();
    const house = await openHouse(hallOf([agent]), connect);
    const id = await house.start('halfway');
    await began;
    await house.post(`/v1/sessions/${id}/cancel`);
    expect(await house.ended(id)).toMatchObject({ status: 'cancelled', text: 'Half of it' });
  });

  test('a stream that is cancelled keeps its pieces, and so does whoever reads the session later', async () => {
    const { agent, began } = halfway();
    const house = await openHouse(hallOf([agent]), connect);
    const arriving = house.wire.send('/v1/halfway?q=Go.', { headers: streaming });
    await began;
    const [head] = (await house.get('/v1/sessions')).body.sessions;
    await house.post(`/v1/sessions/${head.id}/cancel`);
    const events: ReadEvent[] = [];
    for await (const event of parseEvents((await arriving).chunks)) events.push(event);
    expect(names(events)).toEqual(['session', 'text', 'text', 'outcome']);
    expect(events.at(-1)?.data).toMatchObject({ status: 'cancelled', text: 'Half of it' });
    expect(await house.ended(head.id)).toMatchObject({ status: 'cancelled', text: 'Half of it' });
  });

  test('a server that stops tells who waits to come again, and the session is cancelled', async () => {
    const { agent, began } = halfway();
    const clock = new FakeClock();
    const hall = hallOf([agent], { ports: fakePorts({ clock }) });
    const house = await openHouse(hall, connect);
    const waits = house.get('/v1/halfway?q=Go.');
    await began;
    const stopping = hall.stop(1_000);
    clock.advance(1_000);
    await stopping;
    const stopped = await waits;
    expect(refusal(stopped)).toEqual([503, 'server-stopping']);
    expect(stopped.body.error).toMatchObject({ retryable: true, retryAfterMs: 5_000 });
    expect([stopped.headers.get('retry-after'), stopped.headers.get('x-ai-agent-status')]).toEqual(['5', 'cancelled']);
    const id = stopped.headers.get('x-ai-agent-session');
    expect((await house.get(`/v1/sessions/${id}`)).body).toMatchObject({ status: 'cancelled' });
  });
});

test('cut off by its time, it is partial with what it wrote, as a stream and as a session', async () => {
  const { agent, began } = halfway();
  const clock = new FakeClock();
  const house = await openHouse(hallOf([agent], { ports: fakePorts({ clock }) }));
  const budget: Budget = { timeMs: 200 };
  const sending = {
    method: 'POST',
    headers: { ...streaming, 'content-type': 'application/json' },
    body: JSON.stringify({ text: 'Go.', budget }),
  };
  const arrived = await house.wire.send('/v1/halfway', sending);
  await began;
  clock.advance(200);
  const events: ReadEvent[] = [];
  for await (const event of parseEvents(arrived.chunks)) events.push(event);
  const { sessionId, ...outcome } = events.at(-1)?.data ?? {};
  expect(outcome).toMatchObject({ status: 'partial', limit: 'timeMs', text: 'Half of it', report: 'Half of it' });
  expect(names(events)).toEqual(['session', 'text', 'text', 'outcome']);
  expect(await house.ended(String(sessionId))).toMatchObject({
    status: 'partial',
    text: 'Half of it',
    report: 'Half of it',
  });
});

test.each([
  ['says nothing yet', '', 'The first words'],
  ['has begun', 'In short', 'In short'],
])('stopped, and cancelled while its last word %s: each draft stands for itself', async (_how, lastWord, kept) => {
  const calls = [gate(), gate()] as const;
  const drafts = ['The first words', lastWord];
  let count = 0;
  const model: Agent['model'] = {
    provider: 'test',
    model: 'halfway',
    call: (_request, { signal, onDelta }) => {
      const at = count++;
      onDelta?.({ type: 'text', text: drafts[at] ?? '' });
      calls[at]?.open();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  };
  const house = await openHouse(hallOf([{ name: 'halfway', instructions: 'Write.', model }]));
  const id = await house.start('halfway');
  await calls[0].opened;
  await house.post(`/v1/sessions/${id}/stop`);
  await calls[1].opened;
  await house.post(`/v1/sessions/${id}/cancel`);
  expect(await house.ended(id)).toMatchObject({ status: 'cancelled', text: kept });
});

test('stopped in mid-answer after an earlier word, it has what it wrote where its last word says nothing', async () => {
  const began = gate();
  let calls = 0;
  const look = defineTool({ name: 'look', description: '', inputSchema: { type: 'object' }, execute: () => 'Seen.' });
  const model: Agent['model'] = {
    provider: 'test',
    model: 'talker',
    call: (_request, { signal, onDelta }) => {
      const reply = (content: AssistantMessage['content']) =>
        Promise.resolve({ message: { role: 'assistant' as const, content }, finishReason: 'stop' as const, usage: {} });
      calls++;
      if (calls === 2) {
        onDelta?.({ type: 'text', text: 'It is so far' });
        began.open();
        return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      }
      if (calls === 3) return reply([]);
      return reply([
        { type: 'text', text: 'Let me look.' },
        { type: 'tool-call', id: 'c1', name: 'look', input: '{}' },
      ]);
    },
  };
  const house = await openHouse(hallOf([{ name: 'talker', instructions: 'Write.', tools: [look], model }]));
  const id = await house.start('talker');
  await began.opened;
  await house.post(`/v1/sessions/${id}/stop`);
  expect(await house.ended(id)).toMatchObject({ text: 'It is so far' });
});

test('an answer that came is no draft', async () => {
  const house = await openHouse(hallOf([agentOf('sure', ['All of it.'])]));
  const id = await house.start('sure');
  expect(await house.ended(id)).toMatchObject({ status: 'completed', text: 'All of it.' });
  expect((await house.hall.store.get(id))?.draft).toBeUndefined();
});

test('the next round reads the text of a reply that broke off', async () => {
  const read: string[] = [];
  const model = agentOf(
    'breaks',
    ({ messages }, call) => {
      read.push(JSON.stringify(messages));
      return call === 1 ? { text: 'One two three', cutAfter: 2 } : 'Four.';
    },
    { limits: { maxRetries: 1 } },
  );
  const house = await openHouse(hallOf([model]));
  const id = await house.start('breaks');
  expect(await house.ended(id)).toMatchObject({ status: 'failed', text: 'One two th' });
  await house.post('/v1/sessions', { session: id, input: 'Go on.' });
  expect(await house.ended(id)).toMatchObject({ status: 'completed' });
  expect(read[1]).toContain('One two th');
});
