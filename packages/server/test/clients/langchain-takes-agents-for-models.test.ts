// The promise: the chat models of LangChain that speak our APIs take agents for models: invoke, stream, rounds with tools, structured output.

import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import {
  AIMessage,
  type AIMessageChunk,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  type ToolMessage,
} from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cast, knowledge, ownKnowledge, sleeper } from './cast.ts';
import { serve, type Watched } from './served.ts';

const kinds = ['chat', 'responses', 'anthropic'] as const;
const sleepers = new Map(kinds.map((kind) => [kind, sleeper(`sleeper-${kind}`)]));
const house = await serve([...cast(), ...[...sleepers.values()].map(({ agent }) => agent)]);

const common = { apiKey: 'any', maxRetries: 0 };
const ofOpenai = ({ fetch }: Watched) => ({ ...common, configuration: { baseURL: `${house.url}/v1`, fetch } });

/** Each as its documentation has it. */
const toChat: Readonly<
  Record<(typeof kinds)[number], (model: string, watched: Watched) => ChatOpenAI | ChatAnthropic>
> = {
  chat: (model, watched) => new ChatOpenAI({ model, ...ofOpenai(watched) }),
  responses: (model, watched) => new ChatOpenAI({ model, useResponsesApi: true, ...ofOpenai(watched) }),
  anthropic: (model, { fetch }) =>
    new ChatAnthropic({
      model,
      ...common,
      anthropicApiUrl: house.url,
      clientOptions: { fetch },
      // Thoughts are shown to who asks for them.
      ...(model === 'thinker' ? { thinking: { type: 'adaptive' } } : {}),
    }),
};

const City = z.object({ city: z.string(), people: z.number().int() });
const Place = z.object({ city: z.string() });

const tools = [
  tool(({ city }) => `sun in ${city}`, { name: 'weather', description: 'what it is like', schema: Place }),
  tool(() => '767', { name: 'people', description: 'how many', schema: Place }),
];

function run(call: ToolCall): Promise<ToolMessage> {
  const found = tools.find(({ name }) => name === call.name);
  if (found) return found.invoke({ ...call, type: 'tool_call' });
  throw new TypeError(`nobody has ${call.name}`);
}

describe.each(kinds)('%s', (kind) => {
  function connect() {
    const watched = house.watch();
    return { watched, open: (model: string) => toChat[kind](model, watched) };
  }

  test('invoke: the answer, and what it has used', async () => {
    const { open } = connect();
    const message = await open('teller').invoke([
      new SystemMessage('Be short.'),
      new HumanMessage('One.'),
      new AIMessage('Two.'),
      new HumanMessage('Three.'),
    ]);
    expect(message.text).toBe('Message 3: Three.');
    expect(message.usage_metadata).toMatchObject({
      input_tokens: 100,
      input_token_details: { cache_read: 64 },
      output_tokens: 20,
      total_tokens: 120,
    });
  });

  test('stream: pieces that come to the same', async () => {
    const { open } = connect();
    const pieces: AIMessageChunk[] = [];
    for await (const chunk of await open('teller').stream('Go.')) pieces.push(chunk);
    const whole = pieces.reduce((all, piece) => all.concat(piece));
    expect(whole.text).toBe('Message 1: Go.');
    expect(pieces.filter(({ text }) => text !== '').length).toBeGreaterThan(1);
    // Where input is told in the beginning, this client looks nowhere else for it: then it is an estimate.
    const input = kind === 'anthropic' ? expect.any(Number) : 100;
    expect(whole.usage_metadata).toMatchObject({ input_tokens: input, output_tokens: 20 });
  });

  test('work with tools and agents of its own is one answer', async () => {
    const { open } = connect();
    const message = await open('lead').invoke('Go.');
    expect(message.text).toBe(ownKnowledge);
    expect(message.usage_metadata).toMatchObject({ input_tokens: 40, output_tokens: 20 });
  });

  test('reasoning is beside the text', async () => {
    const { open } = connect();
    const message = await open('thinker').invoke('Go.');
    expect(message.text).toBe('Forty-two.');
    const thoughts = message.contentBlocks.flatMap((block) => (block.type === 'reasoning' ? [block.reasoning] : []));
    // Chat completions of OpenAI itself have none: the field for it is known to others.
    expect(thoughts).toEqual(kind === 'chat' ? [] : ['Six times seven, hm.']);
  });

  test.each(['invoke', 'stream'] as const)('tools that are bound: rounds of one session, by %s', async (how) => {
    const { open, watched } = connect();
    const model = open('lead').bindTools(tools);
    const messages: BaseMessage[] = [new HumanMessage('Go.')];
    const rounds: string[][] = [];
    for (;;) {
      const message = how === 'invoke' ? await model.invoke(messages) : await wholeOf(model.stream(messages));
      messages.push(message);
      const calls = message.tool_calls ?? [];
      rounds.push(calls.map(({ name, args }) => `${name} ${args.city}`));
      if (calls.length === 0) break;
      for (const call of calls) messages.push(await run(call));
    }
    expect(rounds).toEqual([['weather Delphi', 'weather Thebes'], ['people Delphi'], []]);
    expect(messages.at(-1)?.text).toBe(knowledge(['sun in Delphi', 'sun in Thebes'], '767'));
    expect([watched.sessions.length, new Set(watched.sessions).size]).toEqual([3, 1]);
  });

  test('structured output: as it is usual, and by a schema', async () => {
    const { open } = connect();
    const thebes = { city: 'Thebes', people: 36_477 };
    const usual = (open('scribe') as BaseChatModel).withStructuredOutput(City);
    expect(await usual.invoke('Go.')).toEqual(thebes);
    const bySchema = (open('scribe') as BaseChatModel).withStructuredOutput(City, { method: 'jsonSchema' });
    expect(await bySchema.invoke('Go.')).toEqual(thebes);
    const own = (open('clerk') as BaseChatModel).withStructuredOutput(City, { method: 'jsonSchema' });
    expect(await own.invoke('Go.')).toEqual({ city: 'Delphi', people: 767 });
  });

  test('a question is a message, and what the human says next is the answer', async () => {
    const { open, watched } = connect();
    const model = open('curious');
    const go = new HumanMessage('Go.');
    const question = await model.invoke([go]);
    expect(question.text).toBe('Which year?\n\n- 1999\n- 2024');
    const answered = await wholeOf(model.stream([go, question, new HumanMessage('2024')]));
    expect(answered.text).toBe('The year is 2024.');
    expect(watched.sessions[1]).toBe(watched.sessions[0]);
  });

  test('a model that is not there is an error with its status', async () => {
    const { open, watched } = connect();
    await expect(open('nobody').invoke('Go.')).rejects.toMatchObject({ status: 404 });
    await expect(open('broke').invoke('Go.')).rejects.toThrow(/model-auth/);
    expect(watched.statuses.length).toBe(2);
  });

  test('who leaves ends the run', async () => {
    const { open } = connect();
    const leave = new AbortController();
    const asleep = sleepers.get(kind);
    const gone = open(`sleeper-${kind}`).invoke('Go.', { signal: leave.signal });
    const failed = expect(gone).rejects.toThrow(/abort/i);
    await asleep?.begun;
    leave.abort();
    await failed;
    await asleep?.ended;
  });
});

async function wholeOf(stream: Promise<AsyncIterable<AIMessageChunk>>): Promise<AIMessageChunk> {
  let whole: AIMessageChunk | undefined;
  for await (const chunk of await stream) whole = whole ? whole.concat(chunk) : chunk;
  if (whole) return whole;
  throw new TypeError('nothing came');
}
