// From the server to the outcome: a call in the text runs the tool, its result goes back, and no delta shows how it was written.

import { AIAgentSession, defineAgent, defineTool } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { chat } from './support/wires/chat.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const leak = '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo", "days": 2,}}\n</tool_call>';

async function run(first: string, stream: boolean) {
  const seen: unknown[] = [];
  const weather = defineTool({
    name: 'weather',
    description: 'The weather of a city.',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
    execute: (args) => {
      seen.push(args);
      return 'Rain.';
    },
  });
  const server = await serveWire(chat, [{ text: first }, { text: '<think>Rain, then.</think>\nTake an umbrella.' }]);
  const agent = defineAgent({
    name: 'lead',
    description: 'Answers.',
    model: server.model,
    instructions: 'You answer.',
    tools: [weather],
    settings: { stream },
  });
  const session = new AIAgentSession({ agent, ports: fakePorts() }).run('How is the weather?');
  let deltas = '';
  for await (const event of session.events) if (event.type === 'text-delta') deltas += event.text;
  return { seen, deltas, outcome: await session.outcome, requests: server.requests };
}

test.each([
  ['whole', false],
  ['streamed', true],
] as const)('%s', async (_, stream) => {
  const { seen, deltas, outcome, requests } = await run(`<think>Where?</think>\nI look.\n${leak}`, stream);
  expect(outcome).toMatchObject({ status: 'completed', text: 'Take an umbrella.' });
  expect(seen).toEqual([{ city: 'Oslo', days: 2 }]);
  if (stream) expect(deltas).toBe('I look.\nTake an umbrella.');
  expect(requests).toHaveLength(2);
  expect(requests[1]?.messages.slice(1)).toMatchObject([
    { role: 'assistant', text: 'I look.\n', calls: [{ name: 'weather', input: { city: 'Oslo', days: 2 } }] },
    { role: 'tool' },
  ]);
  expect(requests[1]?.messages[2]?.results[0]?.text).toContain('Rain.');
  expect(JSON.stringify(requests[1]?.body)).not.toMatch(/tool_call>|think|Where/);
});

test('a call of an unknown tool is an answer like any other', async () => {
  const words = leak.replace('weather', 'forecast');
  const { seen, outcome } = await run(words, true);
  expect(seen).toEqual([]);
  expect(outcome).toMatchObject({ status: 'completed', text: words });
});
