// The same request gets the same reply from the offline model, to the letter, whoever made it and however it is read.

import { type AgentEvent, ask, asTool, defineTool, inProcess } from '@ai-agent/core';
import { fakePorts, strict } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { offlineDemo } from '../src/offline/offline-demo.ts';

async function run(onEvent?: (event: AgentEvent) => void) {
  const model = offlineDemo();
  const child = asTool({ name: 'child', description: 'Helps.', instructions: 'You help.', model });
  const properties = { id: { type: 'string', format: 'uuid' }, at: { type: 'string', format: 'date-time' } };
  const probe = defineTool({
    name: 'probe',
    inputSchema: { type: 'object', properties, required: ['id', 'at'] },
    execute: (args) => ({ type: 'json', value: args }),
  });
  const agent = { name: 'lead', instructions: 'You lead.', model, tools: [child, probe] };
  const prompt = 'The harbour opens at six. Boats need a permit. Permits cost 5 euro a day.';
  return ask(agent, prompt, { ports: fakePorts(), runtime: strict(inProcess), ...(onEvent ? { onEvent } : {}) });
}

test('Two models say the same, call by call.', async () => {
  expect(offlineDemo()).toMatchObject({ provider: 'offline', model: 'demo' });
  const [first, second] = [await run(), await run()];
  expect(first.status).toBe('completed');
  expect(Object.values(first.conversations).flat().length).toBeGreaterThan(5);
  expect(second.conversations).toEqual(first.conversations);
  expect(second.usage).toEqual(first.usage);
});

test('Watching changes nothing, and the pieces add up to the text.', async () => {
  const pieces: string[] = [];
  const watched = await run((event) => {
    if (event.type === 'text-delta' && event.trace.selfId === 's1') pieces.push(event.text);
  });
  const alone = await run();
  expect(watched.sessionId).toBe('s1');
  expect(watched.text).toBe(alone.text);
  expect(pieces.join('')).toBe(watched.text);
  expect(pieces.length).toBeGreaterThan(10);
  expect(pieces.every((piece) => piece.trim().split(/\s+/).length === 1)).toBe(true);
});

test('Its figures are an estimate that grows with the words, and it costs nothing.', async () => {
  const { usage } = await run();
  expect(usage).toMatchObject({ costUsd: 0, unknownUsageCalls: 0 });
  expect(usage.inputTokens).toBeGreaterThan(usage.outputTokens);
  expect(usage.outputTokens).toBeGreaterThan(20);
});
