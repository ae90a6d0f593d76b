// The promise: the official client of Anthropic gets messages of agents as it does of models, at once and in pieces.

import Anthropic, { type ClientOptions } from '@anthropic-ai/sdk';
import { betaZodOutputFormat } from '@anthropic-ai/sdk/helpers/beta/zod';
import { zodOutputFormat } from '@anthropic-ai/sdk/helpers/zod';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cast, ownKnowledge } from './cast.ts';
import { serve } from './served.ts';

const house = await serve(cast());

function connect(more: ClientOptions = {}) {
  const watched = house.watch();
  return { watched, client: new Anthropic({ apiKey: 'any', baseURL: house.url, fetch: watched.fetch, ...more }) };
}

const City = z.object({ city: z.string(), people: z.number().int() });

function askOf(model: string, ...more: Anthropic.MessageParam[]) {
  return { model, max_tokens: 1_000, messages: [{ role: 'user' as const, content: 'Go.' }, ...more] };
}

/** What the API has no field for; the client leaves it where it is. */
function aboutOf(reply: object): { readonly session_id: string; readonly status: string; readonly limit?: string } {
  return (reply as { ai_agent: { session_id: string; status: string } }).ai_agent;
}

test('agents are the models that there are, page after page', async () => {
  const { client, watched } = connect();
  const ids: string[] = [];
  for await (const { id } of client.models.list({ limit: 4 })) ids.push(id);
  expect(ids).toEqual(cast().map(({ name }) => name));
  expect(watched.paths.length).toBe(3);
  const model = await client.models.retrieve('teller');
  expect(model).toMatchObject({ type: 'model', id: 'teller', display_name: 'teller' });
});

test('an answer, with what it has used and the session it is of', async () => {
  const { client, watched } = connect();
  const message = await client.messages.create(askOf('teller'));
  expect(message).toMatchObject({ role: 'assistant', stop_reason: 'end_turn', model: 'teller' });
  expect(message.content).toMatchObject([{ type: 'text', text: 'Message 1: Go.' }]);
  expect(message.usage).toMatchObject({ input_tokens: 36, cache_read_input_tokens: 64, output_tokens: 20 });
  expect([aboutOf(message).session_id, message._request_id]).toEqual([watched.sessions[0], watched.sessions[0]]);
});

test('a conversation is heard as it was held, with pictures in it', async () => {
  const { client } = connect();
  const message = await client.messages.create({
    ...askOf('teller'),
    system: [{ type: 'text', text: 'Be short.', cache_control: { type: 'ephemeral' } }],
    messages: [
      { role: 'user', content: 'One.' },
      { role: 'assistant', content: [{ type: 'text', text: 'Two.' }] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Three' },
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
        ],
      },
    ],
  });
  expect(message.content).toMatchObject([{ text: 'Message 3: Three [image/png]' }]);
});

test('the helper for streams puts it together, event after event', async () => {
  const { client, watched } = connect();
  const pieces: string[] = [];
  const types: string[] = [];
  const stream = client.messages
    .stream(askOf('teller'))
    .on('text', (piece) => pieces.push(piece))
    .on('streamEvent', ({ type }) => types.push(type));
  expect(await stream.finalText()).toBe('Message 1: Go.');
  const message = await stream.finalMessage();
  expect([message.stop_reason, message.usage.output_tokens, stream.request_id]).toEqual([
    ...['end_turn', 20],
    watched.sessions[0],
  ]);
  expect(message.usage).toMatchObject({ input_tokens: 36, cache_read_input_tokens: 64 });
  expect([pieces.length > 1, pieces.join('')]).toEqual([true, 'Message 1: Go.']);
  expect([types[0], types.at(-2), types.at(-1)]).toEqual(['message_start', 'message_delta', 'message_stop']);
});

test('the events themselves: the last but one tells of the session', async () => {
  const { client, watched } = connect();
  const told: object[] = [];
  for await (const event of await client.messages.create({ ...askOf('teller'), stream: true }))
    if (event.type === 'message_delta') told.push(aboutOf(event));
  expect(told).toMatchObject([{ session_id: watched.sessions[0], status: 'completed' }]);
});

test('work with tools and agents of its own is one answer, and all of it is counted', async () => {
  const { client } = connect();
  const message = await client.messages.create(askOf('lead'));
  expect(message.content).toMatchObject([{ text: ownKnowledge }]);
  expect(message.usage).toMatchObject({ input_tokens: 40, output_tokens: 20 });
  expect(await client.messages.stream(askOf('lead')).finalText()).toBe(ownKnowledge);
});

test('what was thought is a block of its own, comes first, and may be sent back', async () => {
  const { client } = connect();
  const thinking = { type: 'enabled', budget_tokens: 1_024 } as const;
  const message = await client.messages.create({ ...askOf('thinker'), thinking });
  const thoughts: string[] = [];
  const stream = client.messages.stream({ ...askOf('thinker'), thinking });
  stream.on('thinking', (piece) => thoughts.push(piece));
  for (const { content, usage } of [message, await stream.finalMessage()]) {
    expect(content).toMatchObject([
      { type: 'thinking', thinking: 'Six times seven, hm.', signature: expect.stringMatching(/./) },
      { type: 'text', text: 'Forty-two.' },
    ]);
    expect(usage.output_tokens_details?.thinking_tokens).toBe(7);
  }
  expect(thoughts.join('')).toBe('Six times seven, hm.');
  const next = askOf('teller', { role: 'assistant', content: message.content }, { role: 'user', content: 'Why?' });
  expect((await client.messages.create(next)).content).toMatchObject([{ text: 'Message 3: Why?' }]);
  const silent = await client.messages.create({ ...askOf('thinker'), thinking: { type: 'disabled' } });
  expect(silent.content.map(({ type }) => type)).toEqual(['text']);
});

test('a reply that was cut says so', async () => {
  const { client } = connect();
  const message = await client.messages.create(askOf('windbag'));
  expect(message.stop_reason).toBe('max_tokens');
  expect(aboutOf(message)).toMatchObject({ status: 'partial', limit: 'maxOutputTokens' });
});

test.each(['at once', 'in pieces'])(
  'a question is what the assistant says, and what the user says next is the answer: %s',
  async (how) => {
    const { client, watched } = connect();
    const say = (asked: ReturnType<typeof askOf>) =>
      how === 'at once' ? client.messages.create(asked) : client.messages.stream(asked).finalMessage();
    const { content } = await say(askOf('curious'));
    expect(content).toMatchObject([{ text: 'Which year?\n\n- 1999\n- 2024' }]);
    const answer = { role: 'user', content: '2024' } as const;
    const answered = await say(askOf('curious', { role: 'assistant', content }, answer));
    expect(answered.content).toMatchObject([{ text: 'The year is 2024.' }]);
    expect(watched.sessions[1]).toBe(watched.sessions[0]);
  },
);

test('a schema of the client, and the contract of the agent, are parsed', async () => {
  const { client } = connect();
  const output_config = { format: zodOutputFormat(City) };
  const parsed = await client.messages.parse({ ...askOf('scribe'), output_config });
  expect(parsed.parsed_output).toEqual({ city: 'Thebes', people: 36_477 });
  const own = await client.messages.parse({ ...askOf('clerk'), output_config });
  expect(own.parsed_output).toEqual({ city: 'Delphi', people: 767 });
  const streamed = await client.messages.stream({ ...askOf('scribe'), output_config }).finalMessage();
  expect(streamed.parsed_output).toEqual({ city: 'Thebes', people: 36_477 });
});

test('the same with what is not settled yet', async () => {
  const { client, watched } = connect({ defaultQuery: { beta: 'true' } });
  const betas = ['context-management-2025-06-27', 'interleaved-thinking-2025-05-14'];
  const more = { betas, context_management: { edits: [{ type: 'clear_tool_uses_20250919' as const }] } };
  const message = await client.beta.messages.create({ ...askOf('teller'), ...more });
  expect(message.content).toMatchObject([{ text: 'Message 1: Go.' }]);
  const stream = client.beta.messages.stream({ ...askOf('thinker'), ...more, thinking: { type: 'adaptive' } });
  expect(await stream.finalText()).toBe('Forty-two.');
  const output_config = { format: betaZodOutputFormat(City) };
  const parsed = await client.beta.messages.parse({ ...askOf('scribe'), output_config });
  expect(parsed.parsed_output).toEqual({ city: 'Thebes', people: 36_477 });
  expect(new Set(watched.paths)).toEqual(new Set(['/v1/messages?beta=true']));
  const ids: string[] = [];
  for await (const { id } of client.beta.models.list()) ids.push(id);
  expect(ids).toContain('teller');
});

test('tokens are counted without a run', async () => {
  const { client, watched } = connect();
  const { model, messages } = askOf('teller');
  const few = await client.messages.countTokens({ model, messages });
  const many = await client.beta.messages.countTokens({ model, messages, system: 'Be short. '.repeat(100) });
  expect([few.input_tokens > 0, many.input_tokens > few.input_tokens + 100]).toEqual([true, true]);
  expect(watched.sessions).toEqual([null, null]);
});
