// The promise: tools that the official client of OpenAI runs are called by agents beside their own, in one session from first to last.

import OpenAI from 'openai';
import { zodFunction } from 'openai/helpers/zod';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cast, knowledge } from './cast.ts';
import { serve } from './served.ts';

const house = await serve(cast());

function connect() {
  const watched = house.watch();
  return { watched, client: new OpenAI({ apiKey: 'any', baseURL: `${house.url}/v1`, fetch: watched.fetch }) };
}

const go = { role: 'user', content: 'Go.' } as const;
const City = z.object({ city: z.string() });

function toolsOf(weather: (city: string) => string) {
  return [
    zodFunction({ name: 'weather', parameters: City, function: ({ city }) => weather(city) }),
    zodFunction({ name: 'people', description: 'how many', parameters: City, function: () => ({ people: 767 }) }),
  ];
}

const known = knowledge(['sun in Delphi', 'sun in Thebes'], '{"people":767}');

test('at once: several rounds, two calls in one of them', async () => {
  const { client, watched } = connect();
  const runner = client.chat.completions.runTools({
    model: 'lead',
    messages: [go],
    tools: toolsOf((city) => `sun in ${city}`),
  });
  expect(await runner.finalContent()).toBe(known);
  const finishes = runner.allChatCompletions().map(({ choices: [choice] }) => choice?.finish_reason);
  expect(finishes).toEqual(['tool_calls', 'tool_calls', 'stop']);
  expect(runner.messages.map(({ role }) => role)).toEqual([
    ...['user', 'assistant', 'tool', 'tool'],
    ...['assistant', 'tool', 'assistant'],
  ]);
  expect(new Set(watched.sessions).size).toBe(1);
  // Of the last call of each request alone: what the client has in its own context.
  expect(await runner.totalUsage()).toMatchObject({ prompt_tokens: 30, completion_tokens: 15 });
});

test('in pieces: the same, and each call is told as it comes', async () => {
  const { client, watched } = connect();
  const calls: string[] = [];
  const runner = client.chat.completions
    .runTools({
      model: 'lead',
      messages: [go],
      stream: true,
      stream_options: { include_usage: true },
      tools: toolsOf((city) => `sun in ${city}`),
    })
    .on('tool_calls.function.arguments.done', ({ name, arguments: given }) => calls.push(`${name} ${given}`));
  expect(await runner.finalContent()).toBe(known);
  expect(calls).toEqual(['weather {"city":"Delphi"}', 'weather {"city":"Thebes"}', 'people {"city":"Delphi"}']);
  expect(runner.messages[1]).toMatchObject({ content: 'I will look. ', tool_calls: [{}, {}] });
  expect([watched.sessions.length, new Set(watched.sessions).size]).toEqual([3, 1]);
  expect(await runner.totalUsage()).toMatchObject({ prompt_tokens: 30, completion_tokens: 15 });
});

test('a tool that throws ends the run of the client; who goes on with what it has comes to the same session', async () => {
  const { client, watched } = connect();
  const tools = toolsOf((city) => {
    if (city === 'Thebes') throw new RangeError('no such sky');
    return `sun in ${city}`;
  });
  const runner = client.chat.completions.runTools({ model: 'lead', messages: [go], tools });
  await expect(runner.finalContent()).rejects.toThrow('no such sky');
  const [, said] = runner.messages;
  if (said?.role !== 'assistant') throw new TypeError('nobody has said anything');
  const results = (said.tool_calls ?? []).map(({ id }) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: 'no such sky',
  }));
  const completion = await client.chat.completions.create({ model: 'lead', messages: [go, said, ...results], tools });
  expect(completion.choices[0]?.message.tool_calls?.[0]).toMatchObject({ function: { name: 'people' } });
  expect(new Set(watched.sessions).size).toBe(1);
});

test('arguments that the client cannot read are told to the agent, and it goes on', async () => {
  const { client, watched } = connect();
  const Strict = z.object({ city: z.enum(['Delphi']) });
  const [, people] = toolsOf(() => '');
  const weather = zodFunction({ name: 'weather', parameters: Strict, function: ({ city }) => `sun in ${city}` });
  const tools = people ? [weather, people] : [];
  const runner = client.chat.completions.runTools({ model: 'lead', messages: [go], tools });
  expect(await runner.finalContent()).toMatch(/sun in Delphi \| .*Invalid.* \| The road is free \| \{"people":767\}/s);
  expect(new Set(watched.sessions).size).toBe(1);
});

test('a tool that the client must not be asked for is not offered', async () => {
  const { client } = connect();
  const tools = toolsOf(() => 'sun');
  const ask = (tool_choice: OpenAI.ChatCompletionToolChoiceOption) =>
    client.chat.completions.create({ model: 'lead', messages: [go], tools, tool_choice });
  expect((await ask('none')).choices[0]?.finish_reason).toBe('stop');
  const named = await ask({ type: 'function', function: { name: 'people' } });
  expect(named.choices[0]?.message.tool_calls).toMatchObject([{ function: { name: 'people' } }]);
});
