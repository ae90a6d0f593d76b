// The offline model goes at the pace it is given, and stops when it is told to.

import { AIAgentSession, ask, inProcess } from '@ai-agent/core';
import { fakePorts, strict } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { offlineDemo } from '../src/offline/offline-demo.ts';

const prompt = 'The harbour opens at six. Boats need a permit.';
const options = { ports: fakePorts(), runtime: strict(inProcess) };

test('The pace is kept before every piece, and only when somebody watches.', async () => {
  let waits = 0;
  const pieces: string[] = [];
  const model = offlineDemo({ pace: async () => void waits++ });
  const agent = { name: 'solo', instructions: 'You help.', model };
  await ask(agent, prompt, options);
  expect(waits).toBe(0);
  await ask(agent, prompt, { ...options, onEvent: (event) => event.type === 'text-delta' && pieces.push(event.text) });
  expect(waits).toBe(pieces.length);
  expect(waits).toBeGreaterThan(5);
});

test('A cancellation ends the stream between two pieces.', async () => {
  const pieces: string[] = [];
  const model = offlineDemo({ pace: async () => void (pieces.length === 3 && run.cancel('Enough.')) });
  const agent = { name: 'solo', instructions: 'You help.', model };
  const onEvent = (event: { type: string }) => event.type === 'text-delta' && pieces.push(event.type);
  const run = new AIAgentSession({ agent, ...options, onEvent }).run(prompt);
  const outcome = await run.outcome;
  expect(outcome.status).toBe('cancelled');
  await new Promise((resolve) => setImmediate(resolve));
  expect(pieces).toHaveLength(3);
});

test('A call with an aborted signal is a cancellation, even when the pace breaks over it.', async () => {
  const request = { system: '', messages: [], tools: [], output: { format: 'text' }, settings: {} } as const;
  const aborted = AbortSignal.abort();
  await expect(offlineDemo().call(request, { signal: aborted })).rejects.toMatchObject({ code: 'cancelled' });
  const controller = new AbortController();
  const pace = async () => {
    controller.abort();
    throw new Error('The timer was stopped.');
  };
  const call = offlineDemo({ pace }).call(request, { signal: controller.signal, onDelta: () => {} });
  await expect(call).rejects.toMatchObject({ code: 'cancelled' });
});
