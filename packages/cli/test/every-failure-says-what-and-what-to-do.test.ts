// T9: no failure without a class, a sentence and a remedy, wherever it happens.

import { ask, asTool, type Failure, type FailureClass } from '@ai-agent/cli';
import type { ScriptedFailure } from '@ai-agent/cli/testing';
import { describe, expect, test } from 'vitest';
import { throughEveryDoor } from './support/doors.ts';

const failures: [ScriptedFailure['code'], FailureClass][] = [
  ['model-auth', 'auth'],
  ['model-rate-limit', 'rate_limit'],
  ['model-quota', 'quota'],
  ['model-timeout', 'timeout'],
  ['model-unavailable', 'model'],
  ['model-request-refused', 'model'],
];

function expectWhole(failure: Failure | undefined, expected: FailureClass): void {
  expect(failure?.class).toBe(expected);
  expect(failure?.message.trim()).not.toBe('');
  expect(failure?.remedy.trim()).not.toBe('');
  expect(typeof failure?.retryable).toBe('boolean');
}

throughEveryDoor('every failure says what happened and what to do', (door) => {
  const { runtime } = door;

  describe.concurrent.each(failures)('%s', (code, expected) => {
    test('at the root it is the outcome', async () => {
      const outcome = await ask(await door.agent('lead', () => ({ fail: { code } })), 'go', { runtime });
      expect(outcome.status).toBe('failed');
      expectWhole(outcome.status === 'failed' ? outcome.failure : undefined, expected);
    });

    test('in a child it is a result with the same class', async () => {
      const child = await door.agent('child', () => ({ fail: { code } }));
      const lead = await door.agent(
        'lead',
        (request) =>
          request.messages.length > 1 ? 'sorry' : { calls: [{ name: 'child', input: { text: 'x', reason: 'r' } }] },
        { tools: [asTool(child)] },
      );
      const outcome = await ask(lead, 'go', { runtime });
      const entry = outcome.ledger.entries.find((line) => line.type === 'tool');
      expect(entry?.failureClass).toBe(expected);
      const tool = outcome.tree?.turns[0]?.operations.find((operation) => operation.type === 'tool');
      expectWhole(tool?.failure, expected);
    });
  });

  test.concurrent('a reply that breaks off is a network failure, never half an answer', async () => {
    const outcome = await ask(
      await door.agent('lead', () => ({ text: 'a long answer that is cut', cutAfter: 1 })),
      'go',
      { runtime, onEvent: () => {} },
    );
    expect(outcome).toMatchObject({
      status: 'failed',
      text: '',
      failure: { class: 'network', retryable: true },
    });
  });

  test.each([
    ['an error without words', new TypeError('')],
    ['nothing at all', undefined],
    ['a number', 7],
    ['an object', {}],
  ])('a tool that throws %s has a reason all the same', async (_, thrown) => {
    const tool = { name: 'odd', inputSchema: { type: 'object' }, execute: () => Promise.reject(thrown) };
    const outcome = await ask(
      await door.agent('lead', (_, call) => (call === 1 ? { calls: [{ name: 'odd' }] } : 'done'), { tools: [tool] }),
      'go',
      { runtime },
    );
    const operation = outcome.tree?.turns[0]?.operations.find((entry) => entry.type === 'tool');
    expectWhole(operation?.failure, 'tool');
  });
});
