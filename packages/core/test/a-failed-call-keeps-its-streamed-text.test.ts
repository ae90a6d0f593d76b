// Text that a sub-agent has streamed reaches its caller, even if the model call behind it never ends.

import { type Agent, AgentError, asTool, inProcess, journaled, MemoryJournal, type Model } from '@ai-agent/core';
import { FakeClock, fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, inItsTime, start } from './support/walk.ts';

const ask = { calls: [{ name: 'writer', input: { text: 'go', reason: 'ask' } }] };

/** Streams three words. Then it fails, or hangs until it is cancelled. */
function writer(more: Partial<Agent>, failure?: AgentError): Agent {
  const model: Model = {
    ...{ provider: 'p', model: 'm' },
    call: (_request, { onDelta, signal }) => {
      onDelta?.({ type: 'text', text: 'one two three' });
      if (failure) return Promise.reject(failure);
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  };
  return { ...agent('writer', []), model, ...more };
}

async function play(child: Agent, more: Partial<Agent> = {}) {
  const journal = new MemoryJournal();
  const run = async () => {
    const clock = new FakeClock();
    const lead = agent('lead', [ask, 'done'], { tools: [asTool(child)], ...more });
    const runtime = journaled(inProcess, journal);
    const { outcome, events } = start(lead, 'go', { ports: fakePorts({ clock }), runtime, sessionId: 'run' });
    await inItsTime(clock, outcome);
    const result = events.find((event) => event.type === 'tool-end')?.result;
    const read = JSON.stringify(lead.model.requests[1]?.messages.at(-1));
    return { result, read, incomplete: (await outcome).incomplete };
  };
  const first = await run();
  expect((await run()).result).toEqual(first.result);
  return first;
}

test('a toolTimeout: the result is partial and has the text', async () => {
  const { result, read, incomplete } = await play(writer({}), { limits: { toolTimeoutMs: 10_000 } });
  expect(result).toMatchObject({
    status: 'ok',
    text: expect.stringMatching(/^Partial: [\s\S]*\n\none two three$/),
    session: { status: 'partial' },
  });
  expect(read).toContain('one two three');
  expect(incomplete).toMatchObject([{ path: 'lead:writer', status: 'partial', limit: 'toolTimeoutMs' }]);
});

test('its own time budget', async () => {
  const { result } = await play(writer({ budget: { timeMs: 10_000 } }));
  expect(result).toMatchObject({
    status: 'ok',
    text: expect.stringMatching(/^Partial: [\s\S]*\n\none two three$/),
    session: { status: 'partial', limit: 'timeMs' },
  });
});

test('a stream that is cut', async () => {
  const cut = new AgentError('model-network', 'The connection broke off.');
  const { result, read } = await play(writer({ limits: { maxRetries: 1 } }, cut));
  expect(result).toMatchObject({
    status: 'failed',
    text: expect.stringMatching(/^Failed [\s\S]*\none two three$/),
    failure: { class: 'network' },
  });
  expect(read).toContain('one two three');
});
