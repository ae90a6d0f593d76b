// T7: the clock of a call starts when its work does; waiting for a place is before that, in every record and limit.

import { type AgentEvent, asTool, createSlots, defineTool } from '@ai-agent/core';
import { FakeClock, fakePorts, scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, inItsTime, start } from './support/walk.ts';

const call = (name: string) => ({ name, input: { text: 'go', reason: 'r' } });
const begun = 1_700_000_000_000;

function endsOf(events: readonly AgentEvent[], type: 'model-end' | 'tool-end', agentName: string) {
  return events.flatMap((event) =>
    event.type === type && event.trace.agentName === agentName
      ? [[event.startedAt - begun, event.endedAt - begun] as const]
      : [],
  );
}

test('calls of models: facts and ledger begin after the queue', async () => {
  const clock = new FakeClock();
  const slots = createSlots({ models: 1 });
  const child = { ...agent('child', []), model: scriptedModel(() => ({ text: 'c', latencyMs: 1_000 }), { clock }) };
  const lead = agent('lead', [{ calls: [1, 2, 3].map(() => call('child')) }, 'end'], { tools: [asTool(child)] });
  const { outcome: ended, events } = start(lead, 'go', { ports: fakePorts({ clock, slots }) });
  const outcome = await inItsTime(clock, ended);
  expect(outcome.status).toBe('completed');
  const times = [
    [0, 1_000],
    [1_000, 2_000],
    [2_000, 3_000],
  ];
  expect(endsOf(events, 'model-end', 'child')).toEqual(times);
  const booked = outcome.ledger.entries.filter(({ trace }) => trace.agentName === 'child');
  expect(booked.map(({ latencyMs }) => latencyMs)).toEqual([1_000, 1_000, 1_000]);
  expect(clock.timers).toBe(0);
});

test('calls of tools: neither a timeout nor a budget of time counts the queue', async () => {
  const clock = new FakeClock();
  const slots = createSlots({ tools: 1 });
  const tool = defineTool({
    name: 'work',
    inputSchema: { type: 'object' },
    timeoutMs: 1_500,
    execute: () => new Promise<string>((resolve) => clock.after(1_000, () => resolve('worked'))),
  });
  const child = agent(
    'child',
    (request) => (request.messages.at(-1)?.role === 'tool' ? 'done' : { calls: [{ name: 'work' }] }),
    { tools: [tool], budget: { timeMs: 2_000 } },
  );
  const lead = agent('lead', [{ calls: [1, 2, 3, 4].map(() => call('child')) }, 'end'], { tools: [asTool(child)] });
  const { outcome: ended, events } = start(lead, 'go', { ports: fakePorts({ clock, slots }) });
  const outcome = await inItsTime(clock, ended);
  expect(outcome.status).toBe('completed');
  expect(endsOf(events, 'tool-end', 'child').map(([startedAt]) => startedAt)).toEqual([0, 1_000, 2_000, 3_000]);
  const results = events.flatMap((event) => (event.type === 'tool-end' ? [event.result.text] : []));
  expect(results.filter((text) => text === 'done')).toHaveLength(4);
  expect(clock.timers).toBe(0);
});

test('attempts that failed begin after the queue too', async () => {
  const clock = new FakeClock();
  const slots = createSlots({ models: 1 });
  const ports = fakePorts({ clock, slots });
  const slow = { ...agent('slow', []), model: scriptedModel([{ text: 's', latencyMs: 5_000 }], { clock }) };
  const failing = scriptedModel([{ fail: { code: 'model-auth' }, latencyMs: 100 }], { clock });
  const first = start(slow, 'go', { ports });
  const second = start({ ...agent('lead', []), model: [failing, scriptedModel(['ok'])] }, 'go', { ports });
  await inItsTime(clock, Promise.all([first.outcome, second.outcome]));
  const end = second.events.find((event) => event.type === 'model-end');
  expect(end).toMatchObject({ startedAt: begun + 5_000, endedAt: begun + 5_100 });
  expect(end?.requests).toMatchObject([{ startedAt: begun + 5_000, endedAt: begun + 5_100 }, { status: 'ok' }]);
});
