// The promise: a chat tells who its client is, which session it is, what goes on, the answer in pieces, and at last how it ended; of
// the inside it tells nothing.

import { asTool, type ToolOffer } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test, vi } from 'vitest';
import { agentOf, call, lastResult, lookUp } from './contract/people.ts';
import { dataOf, embedApp, reportOf } from './support/embed-app.ts';
import { parseEvents, type ReadEvent } from './support/sse-events.ts';

const secrets = [
  'PROMPT-OF-LEAD',
  'PROMPT-OF-CHILD',
  'ARGUMENT-TO-CHILD',
  'ARGUMENT-TO-TOOL',
  'RESULT-OF-TOOL',
  'CHILD-SAYS',
];

function team() {
  const tool: ToolOffer = { ...lookUp, execute: () => 'RESULT-OF-TOOL' };
  const child = agentOf(
    'child',
    (request) => (lastResult(request) ? 'CHILD-SAYS so.' : call('look_up', { what: 'ARGUMENT-TO-TOOL' })),
    { instructions: 'PROMPT-OF-CHILD', tools: [tool] },
  );
  return agentOf(
    'lead',
    (request) =>
      lastResult(request) ? 'All done.' : call('child', { text: 'ARGUMENT-TO-CHILD', reason: 'Looks it up' }),
    { instructions: 'PROMPT-OF-LEAD', tools: [asTool(child) as ToolOffer] },
  );
}

test('the whole of it', async () => {
  const { send } = embedApp([team()]);
  const response = await send({ message: 'Go.' });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const events: ReadEvent[] = [];
  for await (const event of parseEvents(response.body as unknown as AsyncIterable<Uint8Array>)) events.push(event);
  const kinds = events.map(({ event, data }) => (event === 'status' ? `${data.eventType}: ${data.now}` : event));
  expect(kinds.filter((kind, i) => kind !== kinds[i - 1])).toEqual([
    'client',
    'meta',
    'agent_started: Looks it up',
    'tool_started: Uses a tool',
    'tool_finished: Uses a tool',
    'agent_finished: Looks it up',
    'report',
    'metrics',
    'done',
  ]);
  expect(dataOf(events, 'client')).toEqual({ clientId: expect.stringMatching(/^[\da-f-]{36}$/), isNew: true });
  const id = response.headers.get('x-ai-agent-session');
  expect(dataOf(events, 'meta')).toEqual({ sessionId: id, session: id, turn: 1, agentId: 'lead' });
  expect(events[2]?.data).toMatchObject({ agent: 'child', agentPath: 'lead:child', timestamp: expect.any(Number) });
  expect(dataOf(events, 'metrics')).toMatchObject({
    tools: 2,
    llmCalls: 4,
    final: true,
    documentsChars: expect.any(Number),
  });
  expect(reportOf(events)).toBe('All done.');
  expect(events.flatMap(({ event, data }) => (event === 'report' ? [data.index] : []))[0]).toBe(0);
  expect(dataOf(events, 'done')).toEqual({
    success: true,
    status: 'completed',
    metrics: {
      durationMs: expect.any(Number),
      tokensIn: expect.any(Number),
      tokensOut: expect.any(Number),
      toolsRun: 2,
    },
    reportLength: 'All done.'.length,
  });
  for (const secret of secrets) expect(JSON.stringify(events)).not.toContain(secret);
});

test('figures every 250 ms while it works, and once at the end', async () => {
  const clock = new FakeClock();
  const held = Promise.withResolvers<void>();
  const { chat, hall } = embedApp([agentOf('slow', () => ({ text: 'There.', until: held.promise }))], {
    hall: { ports: fakePorts({ clock }) },
  });
  const chatting = chat({ message: 'Go.' });
  await vi.waitFor(() => expect(hall.running).toBe(1));
  await new Promise((resolve) => setImmediate(resolve));
  for (let i = 0; i < 4; i++) clock.advance(250);
  held.resolve();
  const figures = (await chatting).filter(({ event }) => event === 'metrics').map(({ data }) => data);
  expect(figures.map(({ elapsed, final }) => [elapsed, final])).toEqual([
    [250, undefined],
    [500, undefined],
    [750, undefined],
    [1_000, undefined],
    [1_000, true],
  ]);
});

test('what an agent says of its task is told as it says it', async () => {
  const status = { status: 'in-progress', now: 'Reads the news', done: 'one', pending: 'two' };
  const steps = [{ calls: [{ name: 'agent__task_status', input: status }] }, 'Done.'];
  const busy = agentOf('busy', steps, { tools: [lookUp] });
  const events = await embedApp([busy]).chat({ message: 'Go.' });
  const told = events.filter(({ event }) => event === 'status');
  expect(told.map(({ data }) => [data.eventType, data.agent, data.now])).toEqual([
    ['agent_update', 'busy', 'Reads the news'],
  ]);
});

test('a run that fails after it began is told by its last event, and by nothing of the inside', async () => {
  const events = await embedApp([agentOf('fails', [])]).chat({ message: 'Go.' });
  expect(events.at(-1)?.event).toBe('error');
  expect(Object.keys(events.at(-1)?.data ?? {})).toEqual(['code', 'message', 'recoverable']);
  const fail = { code: 'model-auth', message: 'acme/big-1: no such key in org-INSIDE' } as const;
  const told = (await embedApp([agentOf('fails', () => ({ fail }))]).chat({ message: 'Go.' })).at(-1)?.data;
  expect(told).toMatchObject({ code: 'model_auth', message: expect.stringContaining('could not be finished') });
  expect(JSON.stringify(told)).not.toMatch(/acme|INSIDE/);
});
