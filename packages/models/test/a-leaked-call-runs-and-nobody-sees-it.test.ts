// From the server to the outcome: a call in the text runs the tool, its result goes back, and no delta shows how it was written.

import { AIAgentSession, defineAgent, defineTool } from '@ai-agent/core';
import { fakePorts } from '@ai-agent/core/testing';
import { expect, test } from 'vitest';
import { wires } from './support/wires/index.ts';
import { serveWire } from './support/wires/serve-wire.ts';
import type { Wire } from './support/wires/wire.ts';

const leak = '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo", "days": 2,}}\n</tool_call>';

async function run(wire: Wire, first: string, stream: boolean) {
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
  const server = await serveWire(wire, [{ text: first }, { text: '<think>Rain, then.</think>\nTake an umbrella.' }]);
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

const ways = wires.flatMap((wire) => [false, true].map((stream) => ({ wire, label: wire.label, stream })));
const isLeaky = ({ wire }: { readonly wire: Wire }) =>
  ['openai-compatible', 'openrouter', 'ollama'].includes(wire.config.type as string);

test('there are both kinds of providers', () => {
  expect(ways.filter(isLeaky).map(({ label }) => label)).toHaveLength(6);
  expect(ways).toHaveLength(14);
});

test.each(ways.filter((way) => !isLeaky(way)))(
  'a provider that keeps calls apart from the text says what it says: $label, streamed: $stream',
  async ({ wire, stream }) => {
    const words = `<think>\nWhere?\n</think>\n${leak}`;
    const { seen, outcome, deltas } = await run(wire, words, stream);
    expect(seen).toEqual([]);
    expect(outcome).toMatchObject({ status: 'completed', text: words });
    if (stream) expect(deltas).toBe(words);
  },
);

test.each(ways.filter(isLeaky))('$label, streamed: $stream', async ({ wire, stream }) => {
  const { seen, deltas, outcome, requests } = await run(wire, `<think>Where?</think>\nI look.\n${leak}`, stream);
  expect(outcome).toMatchObject({ status: 'completed', text: 'Take an umbrella.' });
  expect(seen).toEqual([{ city: 'Oslo', days: 2 }]);
  if (stream) expect(deltas).toBe('I look.\nTake an umbrella.');
  expect(requests).toHaveLength(2);
  const { messages = [], body } = requests[1] ?? {};
  const said = messages.flatMap(({ role, text }) => (role === 'assistant' ? text : [])).join('');
  expect(said.trim()).toBe('I look.');
  expect(messages.flatMap(({ calls }) => calls)).toMatchObject([{ name: 'weather', input: { city: 'Oslo', days: 2 } }]);
  expect(messages.flatMap(({ results }) => results.map(({ text }) => text)).join('')).toContain('Rain.');
  expect(JSON.stringify(body)).not.toMatch(/tool_call>|think>|Where/);
});

test.each(ways)(
  'a call of an unknown tool is words like any other: $label, streamed: $stream',
  async ({ wire, stream }) => {
    const words = leak.replace('weather', 'forecast');
    const { seen, outcome, deltas } = await run(wire, words, stream);
    expect(seen).toEqual([]);
    expect(outcome).toMatchObject({ status: 'completed', text: words });
    if (stream) expect(deltas).toBe(words);
  },
);
