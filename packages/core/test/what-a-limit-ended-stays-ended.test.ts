// A limit ends the work in one way: whatever goes wrong after it, what was done is kept and the limit is named.

import { asTool, defineTool, inProcess, journaled, MemoryJournal, MemoryPauses } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, inItsTime, nextTick, start, walk } from './support/walk.ts';

const look = defineTool({ name: 'look', inputSchema: { type: 'object' }, execute: () => 'seen' });

test('a model that fails at the last word does not undo the work', async () => {
  const lead = agent(
    'lead',
    ({ tools }) =>
      tools.length > 0 ? { text: 'half of it', calls: [{ name: 'look' }] } : { fail: { code: 'model-auth' } },
    { tools: [look], limits: { maxTurns: 2 } },
  );
  const { outcome } = await walk(lead);
  expect(outcome).toMatchObject({ status: 'partial', limit: 'maxTurns', text: 'half of it' });
  expect(outcome.ledger.entries.at(-1)).toMatchObject({ status: 'failed', failureClass: 'auth' });
});

test('a session that is stopped while a child asks a person has a last word, and no question', async () => {
  let release = () => {};
  const until = new Promise<void>((resolve) => {
    release = resolve;
  });
  const child = agent('child', [{ calls: [{ name: 'ask_user', input: { question: 'Which?' } }], until }], {
    ask: 'person',
  });
  const other = agent('other', [{ text: 'never', until: new Promise(() => {}) }]);
  const calls = ['child', 'other'].map((name) => ({ name, input: { reason: 'r' } }));
  const lead = agent('lead', [{ text: 'so far', calls }, 'the rest is missing'], {
    tools: [asTool(child), asTool(other)],
  });
  const run = start(lead);
  while (other.model.requests.length === 0 || child.model.requests.length === 0) await nextTick();
  // The child has asked and ended; its sibling is still at work when the stop comes.
  release();
  await nextTick();
  await nextTick();
  run.stop();
  expect(await inItsTime(run.clock, run.outcome)).toMatchObject({
    status: 'partial',
    limit: 'stop',
    text: 'the rest is missing',
  });
});

test('a question that was answered is not open again after a replay', async () => {
  const journal = new MemoryJournal();
  const pauses = new MemoryPauses();
  const go = () => {
    const child = agent(
      'child',
      (request) =>
        request.messages.length === 1 ? { calls: [{ name: 'ask_user', input: { question: 'Which?' } }] } : 'thanks',
      { ask: 'caller' },
    );
    const calls = (input: object) => ({ calls: [{ name: 'child', input: { reason: 'r', ...input } }] });
    const lead = agent('lead', [calls({ text: 'go' }), calls({ resume: 'run~1.1', answer: 'this' }), 'done'], {
      tools: [asTool(child)],
    });
    const ports = fakePorts({ clock: new FakeClock(), pauses });
    return walk(lead, 'go', { ports, sessionId: 'run', runtime: journaled(inProcess, journal) });
  };
  expect((await go()).outcome.text).toBe('done');
  expect((await go()).outcome.text).toBe('done');
  expect(pauses.get('run~1.1')).toBeUndefined();
});
