// The promise: striking out a secret breaks neither a call, nor a report, nor the process.

import { type AssistantMessage, defineTool, inProcess, journaled, MemoryJournal } from '@ai-agent/core';
import { scriptedModel } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { agent, walk } from './support/walk.ts';

/** What this thread has worked: others may need the machine meanwhile. */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const login = (seen: unknown[]) =>
  defineTool({
    name: 'login',
    inputSchema: { type: 'object', properties: { password: { type: 'string' } }, required: ['password'] },
    execute: (args) => {
      seen.push(args);
      return 'in';
    },
  });

test('an argument that is called like a secret keeps its name', async () => {
  const seen: unknown[] = [];
  const script = [{ calls: [{ name: 'login', input: { password: 'x' } }] }, 'done'];
  await walk(agent('desk', script, { tools: [login(seen)] }), 'go', { envOverlay: { DB_PASSWORD: 'password' } });
  expect(seen).toEqual([{ password: 'x' }]);
});

test('a report that has a secret in it stays valid', async () => {
  const schema = { type: 'object', properties: { password: { type: 'string' } }, required: ['password'] };
  const desk = agent('desk', ['{"password":"is corp-value-1234 indeed"}'], { output: { format: 'json', schema } });
  const { outcome } = await walk(desk, 'go', { envOverlay: { A_KEY: 'corp-value-1234' } });
  expect(outcome).toMatchObject({ status: 'completed', report: { password: 'is *** indeed' } });
});

test('a number that is a secret is not shown', async () => {
  const tool = defineTool({
    name: 'pin',
    inputSchema: { type: 'object' },
    execute: () => ({ type: 'json' as const, value: { pin: 1234567890, other: 42 } }),
  });
  const desk = agent('desk', [{ calls: [{ name: 'pin', input: {} }] }, 'done'], { tools: [tool] });
  const { outcome, events } = await walk(desk, 'go', { envOverlay: { PIN_TOKEN: '1234567890' } });
  expect(JSON.stringify([outcome, events])).not.toContain('1234567890');
  expect(JSON.stringify(events)).toContain('"other":42');
});

test('what a layer answers instead of a model is cleared before it is recorded', async () => {
  const text = 'it is corp-value-1234';
  const call = { type: 'tool-call' as const, id: 'id-corp-value-1234', name: 'none', input: '{}' };
  const toReply = (content: AssistantMessage['content']) => ({
    message: { role: 'assistant' as const, content },
    finishReason: 'stop' as const,
    usage: {},
  });
  let asked = 0;
  const cached = {
    name: 'cached',
    perform: { model: async () => toReply(asked++ === 0 ? [call] : [{ type: 'text', text }]) },
  };
  const journal = new MemoryJournal();
  const { outcome, events } = await walk(agent('desk', []), 'go', {
    envOverlay: { A_KEY: 'corp-value-1234' },
    middleware: [cached],
    runtime: journaled(inProcess, journal),
  });
  expect(outcome.text).toBe('it is ***');
  expect(JSON.stringify([outcome, events, [...journal.entries]])).not.toContain('corp-value-1234');
});

test.each(['sk-', '/sk-aaaaaaaaa', '-----BEGIN', 'eyJa', 'Bearer '])(
  'a model that streams %s without end holds nobody up',
  { timeout: 20_000 },
  async (piece) => {
    const text = piece.repeat(Math.ceil(24_000 / piece.length)).slice(0, 24_000);
    const model = scriptedModel([text], { pieces: text.length / 4 });
    const startedAt = workedMs();
    const { outcome, events } = await walk({ name: 'desk', instructions: '', model });
    expect(outcome.status).toBe('completed');
    const streamed = events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : []));
    expect(streamed.join('')).toBe(outcome.text);
    expect(workedMs() - startedAt).toBeLessThan(4_000);
  },
);
