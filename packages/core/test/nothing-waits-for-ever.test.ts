// Whatever hangs outside, a run ends: opening, making and closing have their limits of time, and leave nothing on the clock.

import { agentTool, type Tool, type ToolSource } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, inItsTime, nextTick, start, walk } from './support/walk.ts';

const never = new Promise<never>(() => {});

test('tools that are never listed fail the session, by name', async () => {
  const source: ToolSource = { list: () => never as Promise<readonly Tool[]> };
  const run = start(agent('lead', ['never'], { tools: [source], limits: { toolTimeoutMs: 2_000 } }));
  expect(await inItsTime(run.clock, run.outcome)).toMatchObject({
    status: 'failed',
    failure: { code: 'tool-source-failed', message: 'The tools of lead were not listed within 2 s.' },
  });
  expect(run.clock.timers).toBe(0);
});

test('tools that do not close keep nobody from the answer', async () => {
  const source = () => ({ list: () => [], close: () => never });
  const run = start(agent('lead', ['done'], { tools: [source] }));
  const before = run.clock.now();
  expect(await inItsTime(run.clock, run.outcome)).toMatchObject({ status: 'completed', text: 'done' });
  expect(run.clock.now() - before).toBeLessThanOrEqual(10_000);
  expect(run.clock.timers).toBe(0);
});

test('a session that is never made is a call that took too long', async () => {
  const slow = agentTool({ name: 'slow', description: 'd', timeoutMs: 1_000, createSession: () => never });
  const lead = agent('lead', [{ calls: [{ name: 'slow', input: { reason: 'r' } }] }, 'without it'], { tools: [slow] });
  const { outcome, events } = await walk(lead);
  expect(outcome).toMatchObject({ status: 'completed', text: 'without it' });
  expect(events.find((event) => event.type === 'tool-end')?.result.failure).toMatchObject({
    code: 'tool-timeout',
    message: 'The session of slow was not made within 1 s.',
  });
});

test('a store of questions that hangs does not outlive a cancellation', async () => {
  const pauses = { put: () => never, get: () => undefined, delete: () => false };
  const asking = agent('asking', [{ calls: [{ name: 'ask_user', input: { question: 'Which?' } }] }]);
  const run = start(asking, 'go', { ports: fakePorts({ pauses }) });
  await nextTick();
  run.cancel();
  expect((await run.outcome).status).toBe('cancelled');
});
