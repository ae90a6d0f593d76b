// The promise: tools that the official client of Anthropic runs are called by agents beside their own, in one session from first to last.

import Anthropic from '@anthropic-ai/sdk';
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cast, knowledge } from './cast.ts';
import { serve } from './served.ts';

const house = await serve(cast());

function connect() {
  const watched = house.watch();
  return { watched, client: new Anthropic({ apiKey: 'any', baseURL: house.url, fetch: watched.fetch }) };
}

const go = { role: 'user', content: 'Go.' } as const;
const ask = { model: 'lead', max_tokens: 1_000 };
const Place = z.object({ city: z.string() });
const input_schema = { type: 'object' as const, properties: { city: { type: 'string' } }, required: ['city'] };
const tools: Anthropic.Tool[] = [
  { name: 'weather', description: 'what it is like', input_schema },
  { name: 'people', description: 'how many', input_schema },
];

function runnable(weather: (city: string) => string) {
  return [
    betaZodTool({ name: 'weather', description: '', inputSchema: Place, run: ({ city }) => weather(city) }),
    betaZodTool({ name: 'people', description: '', inputSchema: Place, run: () => [{ type: 'text', text: '767' }] }),
  ];
}

const known = knowledge(['sun in Delphi', 'sun in Thebes'], '767');

function resultOf({ id, name, input }: Anthropic.ToolUseBlock): Anthropic.ToolResultBlockParam {
  const { city } = Place.parse(input);
  return { type: 'tool_result', tool_use_id: id, content: name === 'weather' ? `sun in ${city}` : '767' };
}

test.each(['at once', 'in pieces'])('by hand, %s: several rounds, two calls in one of them', async (how) => {
  const { client, watched } = connect();
  const messages: Anthropic.MessageParam[] = [go];
  const stops: unknown[] = [];
  let content: Anthropic.ContentBlock[];
  for (;;) {
    const asked = { ...ask, tools, messages: [...messages] };
    const message = await (how === 'at once'
      ? client.messages.create(asked)
      : client.messages.stream(asked).finalMessage());
    content = message.content;
    stops.push(message.stop_reason);
    expect(message.usage).toMatchObject({ input_tokens: 10, output_tokens: 5 });
    const calls = content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) break;
    messages.push({ role: 'assistant', content }, { role: 'user', content: calls.map(resultOf) });
  }
  expect(content).toMatchObject([{ type: 'text', text: known }]);
  expect(stops).toEqual(['tool_use', 'tool_use', 'end_turn']);
  expect(messages[1]?.content).toMatchObject([
    { type: 'text', text: 'I will look. ' },
    { type: 'tool_use', name: 'weather', input: { city: 'Delphi' } },
    { type: 'tool_use', name: 'weather', input: { city: 'Thebes' } },
  ]);
  expect([watched.sessions.length, new Set(watched.sessions).size]).toEqual([3, 1]);
});

test.each([false, true])('the runner of the client, in pieces: %s', async (stream) => {
  const { client, watched } = connect();
  const runner = client.beta.messages.toolRunner({
    ...ask,
    stream,
    messages: [go],
    tools: runnable((city) => `sun in ${city}`),
  });
  expect((await runner.runUntilDone()).content).toMatchObject([{ type: 'text', text: known }]);
  expect(watched.statuses).toEqual([200, 200, 200]);
  expect(new Set(watched.sessions).size).toBe(1);
});

test('the runner of the client that sends all of it each time', async () => {
  const { client, watched } = connect();
  const message = await client.beta.messages.toolRunner({
    ...ask,
    thread: false,
    messages: [go],
    tools: runnable((city) => `sun in ${city}`),
  });
  expect(message.content).toMatchObject([{ type: 'text', text: known }]);
  expect([watched.sessions.length, new Set(watched.sessions).size]).toEqual([3, 1]);
});

test('a tool that throws is told to the agent, and it goes on', async () => {
  const { client, watched } = connect();
  const message = await client.beta.messages.toolRunner({
    ...ask,
    messages: [go],
    tools: runnable((city) => {
      if (city === 'Thebes') throw new RangeError('no such sky');
      return `sun in ${city}`;
    }),
  });
  expect(message.content).toMatchObject([{ text: knowledge(['sun in Delphi', 'Error: no such sky'], '767') }]);
  expect(new Set(watched.sessions).size).toBe(1);
});

test('a tool that the client must not be asked for is not offered', async () => {
  const { client } = connect();
  const say = (tool_choice: Anthropic.ToolChoice) =>
    client.messages.create({ ...ask, messages: [go], tools, tool_choice });
  expect((await say({ type: 'none' })).stop_reason).toBe('end_turn');
  const named = await say({ type: 'tool', name: 'people' });
  expect(named.content).toMatchObject([{ type: 'tool_use', name: 'people' }]);
});
