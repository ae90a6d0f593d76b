// The promise: the official client of OpenAI chats with agents as it does with models, at once and in pieces.

import OpenAI from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cast, ownKnowledge } from './cast.ts';
import { serve } from './served.ts';

const house = await serve(cast());

function connect() {
  const watched = house.watch();
  return { watched, client: new OpenAI({ apiKey: 'any', baseURL: `${house.url}/v1`, fetch: watched.fetch }) };
}

const go = [{ role: 'user' as const, content: 'Go.' }];
const City = z.object({ city: z.string(), people: z.number().int() });

/** What the API has no field for; the client leaves it where it is. */
function aboutOf(reply: object): { readonly session_id: string; readonly status: string; readonly limit?: string } {
  return (reply as { ai_agent: { session_id: string; status: string } }).ai_agent;
}

test('agents are the models that there are', async () => {
  const { client } = connect();
  const ids: string[] = [];
  for await (const { id } of client.models.list()) ids.push(id);
  expect(ids).toEqual(cast().map(({ name }) => name));
  expect(await client.models.retrieve('teller')).toMatchObject({ id: 'teller', object: 'model', owned_by: 'ai-agent' });
});

test('an answer, with what it has used and the session it is of', async () => {
  const { client, watched } = connect();
  const completion = await client.chat.completions.create({ model: 'teller', messages: go });
  expect(completion.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: 'Message 1: Go.' } });
  expect(completion.usage).toMatchObject({ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 });
  expect(completion.usage?.prompt_tokens_details?.cached_tokens).toBe(64);
  expect([aboutOf(completion).session_id, completion._request_id]).toEqual([watched.sessions[0], watched.sessions[0]]);
});

test('a conversation is heard as it was held, with pictures in it', async () => {
  const { client } = connect();
  const completion = await client.chat.completions.create({
    model: 'teller',
    messages: [
      { role: 'developer', content: 'Be short.' },
      { role: 'user', content: 'One.' },
      { role: 'assistant', content: 'Two.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Three' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } },
        ],
      },
    ],
  });
  expect(completion.choices[0]?.message.content).toBe('Message 3: Three [image/png]');
});

test('the helper for streams puts it together: pieces, the whole, and what was used', async () => {
  const { client } = connect();
  const pieces: string[] = [];
  const ends: string[] = [];
  const stream = client.chat.completions
    .stream({ model: 'teller', messages: go, stream_options: { include_usage: true } })
    .on('content', (piece) => pieces.push(piece))
    .on('content.done', ({ content }) => ends.push(content));
  expect(await stream.finalContent()).toBe('Message 1: Go.');
  expect([pieces.length > 1, pieces.join(''), ends]).toEqual([true, 'Message 1: Go.', ['Message 1: Go.']]);
  expect(await stream.finalMessage()).toMatchObject({ role: 'assistant', content: 'Message 1: Go.', refusal: null });
  expect(await stream.totalUsage()).toMatchObject({ prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 });
  expect((await stream.finalChatCompletion()).choices[0]?.finish_reason).toBe('stop');
});

test('the last chunk of a stream tells of the session', async () => {
  const { client, watched } = connect();
  const chunks: object[] = [];
  const stream = await client.chat.completions.create({ model: 'teller', messages: go, stream: true });
  for await (const chunk of stream) chunks.push(chunk);
  expect(aboutOf(chunks.at(-1) ?? {})).toMatchObject({ session_id: watched.sessions[0], status: 'completed' });
});

test('work with tools and agents of its own is one answer, and all of it is counted', async () => {
  const { client } = connect();
  const completion = await client.chat.completions.create({ model: 'lead', messages: go });
  expect(completion.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: ownKnowledge } });
  expect(completion.usage).toMatchObject({ prompt_tokens: 40, completion_tokens: 20 });
  const stream = client.chat.completions.stream({ model: 'lead', messages: go });
  expect(await stream.finalContent()).toBe(ownKnowledge);
});

test('reasoning is beside the answer and never in it', async () => {
  const { client } = connect();
  const completion = await client.chat.completions.create({ model: 'thinker', messages: go });
  expect(completion.choices[0]?.message).toMatchObject({
    content: 'Forty-two.',
    reasoning_content: 'Six times seven, hm.',
  });
  expect(completion.usage?.completion_tokens_details?.reasoning_tokens).toBe(7);
  const thoughts: string[] = [];
  const stream = client.chat.completions.stream({ model: 'thinker', messages: go });
  stream.on('chunk', ({ choices: [choice] }) => {
    const delta = choice?.delta as { readonly reasoning_content?: string } | undefined;
    thoughts.push(delta?.reasoning_content ?? '');
  });
  expect(await stream.finalContent()).toBe('Forty-two.');
  expect(thoughts.join('')).toBe('Six times seven, hm.');
});

test('a reply that was cut says so', async () => {
  const { client } = connect();
  const completion = await client.chat.completions.create({ model: 'windbag', messages: go });
  expect(completion.choices[0]?.finish_reason).toBe('length');
  expect(aboutOf(completion)).toMatchObject({ status: 'partial', limit: 'maxOutputTokens' });
});

test.each(['at once', 'in pieces'])(
  'a question is what the assistant says, and what the user says next is the answer: %s',
  async (how) => {
    const { client, watched } = connect();
    const say = async (messages: OpenAI.ChatCompletionMessageParam[]) => {
      const asked = { model: 'curious', messages };
      if (how === 'at once') return (await client.chat.completions.create(asked)).choices[0]?.message;
      return client.chat.completions.stream(asked).finalMessage();
    };
    const question = await say(go);
    expect(question?.content).toBe('Which year?\n\n- 1999\n- 2024');
    if (!question) return;
    const answered = await say([...go, question, { role: 'user', content: '2024' }]);
    expect(answered?.content).toBe('The year is 2024.');
    expect(watched.sessions[1]).toBe(watched.sessions[0]);
  },
);

test('a schema of the client, and the contract of the agent, are parsed', async () => {
  const { client } = connect();
  const response_format = zodResponseFormat(City, 'city');
  const parsed = await client.chat.completions.parse({ model: 'scribe', messages: go, response_format });
  expect(parsed.choices[0]?.message.parsed).toEqual({ city: 'Thebes', people: 36_477 });
  const own = await client.chat.completions.parse({ model: 'clerk', messages: go, response_format });
  expect(own.choices[0]?.message.parsed).toEqual({ city: 'Delphi', people: 767 });
  const stream = client.chat.completions.stream({ model: 'scribe', messages: go, response_format });
  expect((await stream.finalChatCompletion()).choices[0]?.message.parsed).toEqual({ city: 'Thebes', people: 36_477 });
});
