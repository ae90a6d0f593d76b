// The promise: a stream tells which session it is of, what goes on, and at the end exactly one outcome.

import { asTool, type ToolOffer } from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agentOf, call, lastResult, lookUp } from './contract/people.ts';
import { refusalOf, restApp } from './support/rest-app.ts';
import { parseEvents, type ReadEvent } from './support/sse-events.ts';

const accept = { accept: 'text/event-stream' };

async function eventsOf(response: Response): Promise<readonly ReadEvent[]> {
  const events: ReadEvent[] = [];
  for await (const event of parseEvents(response.body as unknown as AsyncIterable<Uint8Array>)) events.push(event);
  return events;
}

const told = (events: readonly ReadEvent[]) => events.map(({ event, data }) => [event, ...Object.values(data)]);

test('the session first, then pieces, then the outcome; the headers say whose it is', async () => {
  const response = await restApp([agentOf('teller', ['one two six'])]).get('/v1/teller?q=a', accept);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store, no-transform',
    'x-ai-agent-session': 's1',
    'x-ai-agent-call-path': 'teller',
  });
  const events = await eventsOf(response);
  expect(told(events.slice(0, -1))).toEqual([
    ['session', 's1', 'teller'],
    ['text', 'one '],
    ['text', 'two '],
    ['text', 'six'],
  ]);
  expect(events.at(-1)).toMatchObject({ event: 'outcome', data: { status: 'completed', text: 'one two six' } });
});

test('tools and sub-agents as they begin and end; what was said on the way is taken back', async () => {
  const child = agentOf('child', (request) => (lastResult(request) ? 'done below' : call('look_up', {})), {
    tools: [lookUp],
  });
  const lead = agentOf(
    'lead',
    (request) => (lastResult(request) ? 'All done.' : { ...call('child', { text: 'go' }), text: 'Wait.' }),
    { tools: [asTool(child) as ToolOffer] },
    { pieces: 1 },
  );
  const events = await eventsOf(await restApp([lead]).get('/v1/lead?q=a', accept));
  const kinds = events.map(({ event, data }) => (event === 'progress' ? `${data.type} ${data.agent}` : event));
  expect(kinds).toEqual([
    'session',
    'text',
    'tool-start lead',
    'session-start child',
    'tool-start child',
    'tool-end child',
    'session-end child',
    'tool-end lead',
    'discard',
    'text',
    'outcome',
  ]);
  const progress = events.filter(({ event }) => event === 'progress').map(({ data }) => data);
  const asChild = { tool: 'child', toolInstance: 'child', title: 'because' };
  expect(progress[0]).toEqual({ type: 'tool-start', agent: 'lead', instance: 'lead', ...asChild });
  expect(progress[1]).toEqual({ type: 'session-start', agent: 'child', instance: 'child', title: 'because' });
  const lookedUp = { tool: 'look_up', toolInstance: 'look_up' };
  expect(progress[3]).toEqual({ type: 'tool-end', agent: 'child', instance: 'child', ...lookedUp, status: 'ok' });
  expect(progress[4]).toEqual({ type: 'session-end', agent: 'child', instance: 'child', status: 'completed' });
});

test('calls of one tool in one turn carry their index', async () => {
  const calls = ['a', 'b'].map((text) => ({ name: 'child', input: { reason: 'because', text } }));
  const lead = agentOf('lead', (request) => (lastResult(request) ? 'Done.' : { calls }), {
    tools: [asTool(agentOf('child', () => 'ok')) as ToolOffer],
  });
  const events = await eventsOf(await restApp([lead]).get('/v1/lead?q=a', accept));
  const tools = events
    .filter(({ data }) => String(data.type).startsWith('tool-'))
    .map(({ data }) => [data.type, data.toolInstance]);
  expect(tools.toSorted()).toEqual([
    ['tool-end', 'child[1]'],
    ['tool-end', 'child[2]'],
    ['tool-start', 'child[1]'],
    ['tool-start', 'child[2]'],
  ]);
});

test('what was said is taken back when the next turn begins, also where that says nothing', async () => {
  const steps = [{ ...call('look_up', {}), text: 'Wait.' }, call('look_up', {}), 'Done.'];
  const busy = agentOf('busy', steps, { tools: [lookUp] }, { pieces: 1 });
  const events = await eventsOf(await restApp([busy]).get('/v1/busy?q=a', accept));
  const kinds = events.map(({ event, data }) => data.type ?? event);
  const tool = ['tool-start', 'tool-end'];
  expect(kinds).toEqual(['session', 'text', ...tool, 'discard', ...tool, 'text', 'outcome']);
});

test('an attempt that broke off is taken back when the next one speaks, and said once', async () => {
  const breaks = scriptedModel([{ text: 'aabbcc', cutAfter: 2 }], { model: 'first' });
  const lasts = scriptedModel(['aabbcc'], { model: 'second' });
  const agent = agentOf('shaky', [], { model: [breaks, lasts], limits: { maxRetries: 1 } });
  const events = await eventsOf(await restApp([agent]).get('/v1/shaky?q=a', accept));
  const texts = ['aa', 'bb', 'cc'].map((text) => ['text', text]);
  expect(told(events.slice(1, -1))).toEqual([...texts.slice(0, 2), ['discard'], ...texts]);
});

test('what streamed and is not the answer is taken back, and the answer is given whole', async () => {
  const breaks = scriptedModel([{ text: 'never finished', cutAfter: 1 }], { model: 'first' });
  const calls = scriptedModel([call('look_up', {}), { text: 'Yes.' }], { model: 'second', pieces: 1 });
  const agent = agentOf('shaky', [], { model: [breaks, calls], tools: [lookUp], limits: { maxRetries: 1 } });
  const events = await eventsOf(await restApp([agent]).get('/v1/shaky?q=a', accept));
  const texts = events.filter(({ event }) => event === 'text' || event === 'discard');
  expect(told(texts)).toEqual([['text', 'never'], ['discard'], ['text', 'Yes.']]);
});

test('of an answer that is to be data nothing is shown until it is whole', async () => {
  const talker = agentOf('talker', ({ output }) => (output.format === 'json' ? '{"n":1}' : 'Words first.'));
  const schema = encodeURIComponent('{"type":"object","required":["n"]}');
  const events = await eventsOf(await restApp([talker]).get(`/v1/talker?q=a&format=json&schema=${schema}`, accept));
  expect(events.map(({ event }) => event)).toEqual(['session', 'outcome']);
  expect(events[1]?.data).toMatchObject({ status: 'completed', report: { n: 1 } });
});

test('an answer that is given again streams too', async () => {
  const kept = new Map<string, never>();
  const cache = {
    get: (key: string) => kept.get(key),
    put: (key: string, value: unknown) => void kept.set(key, value as never),
  };
  const agent = agentOf('sure', ['Once said.'], { cache: { ttlMs: 60_000 } });
  const { get } = restApp([agent], { ports: fakePorts({ cache }) });
  await eventsOf(await get('/v1/sure?q=a', accept));
  const again = await eventsOf(await get('/v1/sure?q=a', accept));
  expect(told(again.slice(1, -1))).toEqual([['text', 'Once said.']]);
  expect(again.at(-1)?.data).toMatchObject({ isCached: true });
});

test('however long an answer is, whoever reads it late is told all of it', async () => {
  const long = 'x'.repeat(5_000_000);
  const { hall, get } = restApp([agentOf('teller', [long])]);
  const response = await get('/v1/teller?q=a', accept);
  await expect.poll(() => hall.running).toBe(0);
  const events = await eventsOf(response);
  expect(events.flatMap(({ event, data }) => (event === 'text' ? [data.text] : [])).join('')).toBe(long);
  expect(events.at(-1)).toMatchObject({ event: 'outcome', data: { status: 'completed' } });
});

test('a failure, in the one outcome that ends every stream', async () => {
  const fails = agentOf('fails', [{ text: 'half of', cutAfter: 1 }], { limits: { maxRetries: 1 } });
  const events = await eventsOf(await restApp([fails]).get('/v1/fails?q=a', accept));
  expect(events.map(({ event }) => event)).toEqual(['session', 'text', 'outcome']);
  // What was written is what there is.
  expect(events.at(-1)?.data).toMatchObject({ status: 'failed', text: 'hal', failure: { class: 'network' } });
});

test('what is wrong before a run began is no stream', async () => {
  const { get } = restApp([agentOf('teller', ['x'])]);
  expect((await refusalOf(await get('/v1/nobody?q=a', accept))).slice(0, 2)).toEqual([404, 'agent-unknown']);
  expect((await refusalOf(await get('/v1/teller?q=', accept))).slice(0, 2)).toEqual([400, 'request-invalid']);
});

test('who waits is told so every while: for a place, and for a silent model', async () => {
  const clock = new FakeClock();
  const gate = Promise.withResolvers<void>();
  const slow = agentOf('slow', () => ({ text: 'At last.', until: gate.promise }));
  const { get, hall } = restApp([slow], { ports: fakePorts({ clock }), places: { rest: { running: 1, waiting: 5 } } });
  const both = [await get('/v1/slow?q=a', accept), await get('/v1/slow?q=b', accept)];
  await expect.poll(() => [hall.placesOf('rest').running, hall.placesOf('rest').waiting]).toEqual([1, 1]);
  clock.advance(15_000);
  clock.advance(14_999);
  clock.advance(1);
  gate.resolve();
  for (const response of both) {
    const text = await response.text();
    expect(text.match(/^: still at work$/gm)).toHaveLength(2);
    expect(text).toContain('"status":"completed"');
  }
  // Nothing ticks for who has been answered.
  expect(clock.timers).toBe(0);
});

test('a server that stops tells who waits for a place, in the stream that has begun', async () => {
  const gate = Promise.withResolvers<void>();
  const slow = agentOf('slow', () => ({ text: 'At last.', until: gate.promise }));
  const { get, hall } = restApp([slow], { places: { rest: { running: 1, waiting: 5 } } });
  const [first, second] = [await get('/v1/slow?q=a', accept), await get('/v1/slow?q=b', accept)];
  const stopped = hall.stop(60_000);
  const events = await eventsOf(second);
  expect(events.map(({ event }) => event)).toEqual(['session', 'outcome']);
  expect(events[1]?.data).toMatchObject({ status: 'failed', failure: { code: 'server-stopping' } });
  gate.resolve();
  expect((await eventsOf(first)).at(-1)?.data).toMatchObject({ status: 'completed' });
  await stopped;
});
