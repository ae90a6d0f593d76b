// The promise: every provider of the AI SDK that speaks one of our APIs takes agents for models: text, steps with tools, objects, reasoning, usage.

import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, isStepCount, type LanguageModel, Output, streamText, tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { cast, ownKnowledge, sleeper } from './cast.ts';
import { type Served, serve, type Watched } from './served.ts';

// They know no model of these names, and say so each time.
globalThis.AI_SDK_LOG_WARNINGS = false;

const kinds = ['chat', 'responses', 'compatible', 'anthropic'] as const;
const sleepers = new Map(kinds.map((kind) => [kind, sleeper(`sleeper-${kind}`)]));
const house = await serve([...cast(), ...[...sleepers.values()].map(({ agent }) => agent)]);

const providers: Readonly<Record<(typeof kinds)[number], (served: Served, watched: Watched) => ToModel>> = {
  chat: ({ url }, { fetch }) => createOpenAI({ apiKey: 'any', baseURL: `${url}/v1`, fetch }).chat,
  responses: ({ url }, { fetch }) => createOpenAI({ apiKey: 'any', baseURL: `${url}/v1`, fetch }).responses,
  compatible: ({ url }, { fetch }) =>
    createOpenAICompatible({
      name: 'house',
      apiKey: 'any',
      baseURL: `${url}/v1`,
      fetch,
      includeUsage: true,
      supportsStructuredOutputs: true,
    }),
  anthropic: ({ url }, { fetch }) => createAnthropic({ apiKey: 'any', baseURL: `${url}/v1`, fetch }),
};

type ToModel = (name: string) => LanguageModel;

const City = z.object({ city: z.string(), people: z.number().int() });
const Place = z.object({ city: z.string() });

const tools = {
  weather: tool({
    description: 'what it is like',
    inputSchema: Place,
    execute: ({ city }) => {
      if (city === 'Thebes') throw new RangeError('no such sky');
      return `sun in ${city}`;
    },
  }),
  people: tool({ description: 'how many', inputSchema: Place, execute: () => '767' }),
};

// How an error is told differs from provider to provider.
const known = /^I know: forty-two \| sun in Delphi \| .*no such sky.* \| The road is free \| 767\.$/;

describe.each(kinds)('%s', (kind) => {
  function connect() {
    const watched = house.watch();
    return { watched, model: providers[kind](house, watched) };
  }

  test('text, at once and in pieces', async () => {
    const { model } = connect();
    const used = { inputTokens: 100, outputTokens: 20, totalTokens: 120 };
    const { text, finishReason, usage, response } = await generateText({ model: model('teller'), prompt: 'Go.' });
    expect([text, finishReason, response.modelId]).toEqual(['Message 1: Go.', 'stop', 'teller']);
    expect(usage).toMatchObject({ ...used, inputTokenDetails: { cacheReadTokens: 64 } });
    const streamed = streamText({ model: model('teller'), prompt: 'Go.' });
    const pieces: string[] = [];
    for await (const piece of streamed.textStream) pieces.push(piece);
    expect([pieces.length > 1, pieces.join('')]).toEqual([true, 'Message 1: Go.']);
    expect([await streamed.finishReason, await streamed.usage]).toMatchObject(['stop', used]);
  });

  test('a conversation is heard as it was held', async () => {
    const { model } = connect();
    const { text } = await generateText({
      model: model('teller'),
      instructions: 'Be short.',
      messages: [
        { role: 'user', content: 'One.' },
        { role: 'assistant', content: 'Two.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Three' },
            { type: 'file', data: 'iVBORw0KGgo=', mediaType: 'image/png' },
          ],
        },
      ],
    });
    expect(text).toBe('Message 3: Three [image/png]');
  });

  test('work with tools and agents of its own is one answer', async () => {
    const { model } = connect();
    const { text, usage } = await generateText({ model: model('lead'), prompt: 'Go.' });
    expect([text, usage.inputTokens, usage.outputTokens]).toEqual([ownKnowledge, 40, 20]);
  });

  test('reasoning is beside the text', async () => {
    const { model } = connect();
    // In Anthropic's API thoughts are shown to who asks for them.
    const providerOptions = { anthropic: { thinking: { type: 'adaptive' } } };
    const asked = { model: model('thinker'), prompt: 'Go.', providerOptions };
    const { text, reasoningText, usage } = await generateText(asked);
    expect([text, reasoningText]).toEqual(['Forty-two.', kind === 'chat' ? undefined : 'Six times seven, hm.']);
    expect(usage.outputTokenDetails.reasoningTokens).toBe(7);
    const streamed = streamText(asked);
    expect([await streamed.text, await streamed.reasoningText]).toEqual([text, reasoningText]);
  });

  test('steps with tools are one session, at once', async () => {
    const { model, watched } = connect();
    const asked = { model: model('lead'), prompt: 'Go.', tools, stopWhen: isStepCount(5) };
    const { text, steps, finishReason } = await generateText(asked);
    expect(text).toMatch(known);
    expect(finishReason).toBe('stop');
    expect(steps.map(({ toolCalls }) => toolCalls.map(({ toolName }) => toolName))).toEqual([
      ['weather', 'weather'],
      ['people'],
      [],
    ]);
    expect(steps.map((step) => step.finishReason)).toEqual(['tool-calls', 'tool-calls', 'stop']);
    expect([watched.sessions.length, new Set(watched.sessions).size]).toEqual([3, 1]);
  });

  test('steps with tools are one session, in pieces', async () => {
    const { model, watched } = connect();
    const streamed = streamText({ model: model('lead'), prompt: 'Go.', tools, stopWhen: isStepCount(5) });
    expect(await streamed.text).toMatch(known);
    const [first] = await streamed.steps;
    expect(first?.text).toBe('I will look. ');
    expect([watched.sessions.length, new Set(watched.sessions).size]).toEqual([3, 1]);
  });

  test('objects by a schema of the client, and by the contract of the agent', async () => {
    const { model } = connect();
    const thebes = { city: 'Thebes', people: 36_477 };
    const output = Output.object({ schema: City });
    expect((await generateText({ model: model('scribe'), prompt: 'Go.', output })).output).toEqual(thebes);
    expect(await streamText({ model: model('scribe'), prompt: 'Go.', output }).output).toEqual(thebes);
    const own = await generateText({ model: model('clerk'), prompt: 'Go.', output });
    expect(own.output).toEqual({ city: 'Delphi', people: 767 });
  });

  test('a question is text, and what the user says next is the answer', async () => {
    const { model, watched } = connect();
    const go = { role: 'user' as const, content: 'Go.' };
    const asked = await generateText({ model: model('curious'), messages: [go] });
    expect(asked.text).toBe('Which year?\n\n- 1999\n- 2024');
    const messages = [go, ...asked.response.messages, { role: 'user' as const, content: '2024' }];
    const answered = streamText({ model: model('curious'), messages });
    expect(await answered.text).toBe('The year is 2024.');
    expect(watched.sessions[1]).toBe(watched.sessions[0]);
  });

  test('a reply that was cut says so', async () => {
    const { model } = connect();
    const { finishReason } = await generateText({ model: model('windbag'), prompt: 'Go.' });
    expect(finishReason).toBe('length');
  });

  test('an error says whether to try again, and nothing is tried again in vain', async () => {
    const { model, watched } = connect();
    const failureOf = (name: string) =>
      generateText({ model: model(name), prompt: 'Go.', maxRetries: 0 }).catch((error: unknown) => error);
    const unknown = await failureOf('nobody');
    if (!APICallError.isInstance(unknown)) throw new TypeError('no error of the API');
    expect([unknown.statusCode, unknown.isRetryable]).toEqual([404, false]);
    expect(unknown.message).toContain('nobody');
    const broke = await failureOf('broke');
    expect(APICallError.isInstance(broke)).toBe(true);
    expect(watched.statuses.length).toBe(2);
    const streamed: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => void streamed.push(error);
    await streamText({ model: model('faint'), prompt: 'Go.', maxRetries: 0, onError }).consumeStream();
    expect(JSON.stringify(streamed)).toMatch(/server_error|api_error/);
  });

  test('who leaves ends the run', async () => {
    const { model } = connect();
    const asleep = sleepers.get(kind);
    const leave = new AbortController();
    const stream = streamText({ model: model(`sleeper-${kind}`), prompt: 'Go.', abortSignal: leave.signal });
    const read = stream.consumeStream();
    await asleep?.begun;
    leave.abort();
    await asleep?.ended;
    await read;
  });
});

test.each(['chat', 'responses', 'compatible'] as const)(
  '%s: a stream that fails for good is asked for once',
  async (kind) => {
    const watched = house.watch();
    const errors: unknown[] = [];
    const onError = ({ error }: { error: unknown }) => void errors.push(error);
    await streamText({ model: providers[kind](house, watched)('broke'), prompt: 'Go.', onError }).consumeStream();
    expect([errors.length, watched.statuses]).toEqual([1, [200]]);
  },
);
