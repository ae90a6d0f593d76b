// The promise: llmTimeoutMs bounds a whole reply, and of one that streams only its silences.

import type { Agent, Model, ModelContext, Outcome } from '@ai-agent/core';
import { sleep } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { inItsTime, start } from './support/walk.ts';

/** Answers after these pauses; with each but the last something of the reply arrives. */
function talking(clock: FakeClock, pausesMs: readonly number[]): Model & { readonly signals: AbortSignal[] } {
  const signals: AbortSignal[] = [];
  return {
    provider: 'own',
    model: 'talking',
    signals,
    async call(_, { signal, onAlive }: ModelContext) {
      signals.push(signal);
      for (const [i, pauseMs] of pausesMs.entries()) {
        await sleep(clock, pauseMs, signal);
        if (i < pausesMs.length - 1) onAlive?.();
      }
      return {
        message: { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
        finishReason: 'stop',
        usage: {},
      };
    },
  };
}

async function run(
  pausesMs: readonly number[],
): Promise<{ outcome: Outcome; spentMs: number; signals: AbortSignal[] }> {
  const clock = new FakeClock();
  const startedAt = clock.now();
  const model = talking(clock, pausesMs);
  const agent: Agent = { name: 'lead', instructions: 'Go.', model, limits: { llmTimeoutMs: 1_000, maxRetries: 1 } };
  const { outcome } = start(agent, 'go', { ports: fakePorts({ clock }) });
  const ended = await inItsTime(clock, outcome);
  expect(clock.timers).toBe(0);
  return { outcome: ended, spentMs: clock.now() - startedAt, signals: model.signals };
}

test('a reply of which something comes in time may take as long as it takes', async () => {
  const { outcome, spentMs } = await run([900, 900, 999, 900, 10, 900]);
  expect(outcome).toMatchObject({ status: 'completed', text: 'done' });
  expect(spentMs).toBe(4_609);
});

test('a silence of that length ends it, in words, and the work with it', async () => {
  const { outcome, spentMs, signals } = await run([900, 300, 5_000]);
  const failure = { code: 'model-timeout', message: 'The model own/talking fell silent for 1 s.' };
  expect(outcome).toMatchObject({ status: 'failed', failure });
  expect(spentMs).toBe(2_200);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

test('one that says nothing until it is done has that long for everything', async () => {
  expect((await run([999])).outcome.status).toBe('completed');
  const { outcome, spentMs } = await run([1_500]);
  expect(outcome).toMatchObject({ failure: { message: 'The model own/talking did not answer within 1 s.' } });
  expect(spentMs).toBe(1_000);
});
