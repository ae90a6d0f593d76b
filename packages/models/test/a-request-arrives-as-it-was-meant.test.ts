// Everything we say in a request is on the wire, and what only one provider understands goes back to that one alone.

import type { Message, ModelRequest } from '@ai-agent/core';
import { fromLanguageModel } from '@ai-agent/models';
import { scriptedHttpModel } from '@ai-agent/models/testing';
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Content } from '@ai-sdk/provider';
import { describe, expect, onTestFinished, test } from 'vitest';
import { contextOf, modelAt, requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

const conversation: readonly Message[] = [
  { role: 'user', content: [{ type: 'text', text: 'What is 1 + 1? ☃' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'I could add.' },
      { type: 'text', text: 'Let me see.' },
      { type: 'tool-call', id: 'c1', name: 'add', input: '{"a":1,"b":1}' },
      { type: 'tool-call', id: 'c2', name: 'add', input: '{"a":2,"b":2}' },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', id: 'c1', name: 'add', text: '2', isError: false },
      { type: 'tool-result', id: 'c2', name: 'add', text: '4', isError: false },
    ],
  },
  { role: 'user', content: [{ type: 'text', text: 'And?' }] },
];
const full: ModelRequest = {
  system: 'You add.',
  messages: conversation,
  tools: [{ name: 'add', description: 'Adds', inputSchema: { type: 'object', properties: { a: { type: 'number' } } } }],
  output: { format: 'text' },
  settings: {
    maxOutputTokens: 99,
    temperature: 0.3,
    topP: 0.9,
    topK: 40,
    repeatPenalty: 1.1,
    seed: 7,
    stopSequences: ['END'],
  },
};

test.each(ways)('conversation, tools and settings: %s', async (_, context) => {
  const model = await scriptedHttpModel(['2']);
  onTestFinished(() => model.close());
  await model.call(full, context());
  expect(model.requests).toEqual([full]);
});

test.each([
  ['{"a":', '{}'],
  ['[1]', '{}'],
  ['', '{}'],
  ['{"a":1}', '{"a":1}'],
])('the input %j of an earlier call is sent as %j', async (input, sent) => {
  const model = await scriptedHttpModel(['fine']);
  onTestFinished(() => model.close());
  const call = { role: 'assistant', content: [{ type: 'tool-call', id: 'c1', name: 'add', input }] } as const;
  await model.call(requestOf({ messages: [...requestOf().messages, call] }), contextOf());
  expect(model.requests[0]?.messages[1]).toMatchObject({ content: [{ input: sent }] });
});

describe('a JSON contract', () => {
  const schema = { type: 'object', properties: { sum: { type: 'number' } } };
  const output = { format: 'json', schema } as const;
  const bodies: Record<string, unknown>[] = [];
  const ask = async (supportsStructuredOutputs: boolean, request: ModelRequest) => {
    const { baseUrl } = await serve((_, response, body) => {
      bodies.push(JSON.parse(body));
      const message = { role: 'assistant', content: '{}' };
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    });
    await (await modelAt(baseUrl, { supportsStructuredOutputs })).call(request, contextOf());
    return bodies.at(-1)?.response_format;
  };

  test('goes with its schema to a provider that can be held to it, and not strictly', async () => {
    expect(await ask(true, requestOf({ output, tools: full.tools }))).toEqual({
      type: 'json_schema',
      json_schema: { name: 'response', schema, strict: false },
    });
  });

  test('is JSON mode for others, unless tools are offered', async () => {
    expect(await ask(false, requestOf({ output }))).toEqual({ type: 'json_object' });
    expect(await ask(false, requestOf({ output, tools: full.tools }))).toBeUndefined();
  });

  test('is not there for text', async () => {
    expect(await ask(true, requestOf())).toBeUndefined();
  });
});

test('what a provider binds to its parts goes back to it, and to nobody else', async () => {
  const metadata = { acme: { signature: 'sig' } };
  const asked: LanguageModelV4CallOptions[] = [];
  const first = fromLanguageModel(
    languageModel(asked, [
      { type: 'reasoning', text: 'Hm.', providerMetadata: metadata },
      { type: 'text', text: 'Look.', providerMetadata: metadata },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: '{}', providerMetadata: metadata },
    ]),
    { provider: 'first' },
  );
  const second = fromLanguageModel(languageModel(asked, []), { provider: 'second' });
  const { message } = await first.call(requestOf(), contextOf());
  expect(message.content.every((part) => part.bound?.['first/made'])).toBe(true);

  const request = requestOf({ messages: [...requestOf().messages, message] });
  const saidIn = (call: LanguageModelV4CallOptions | undefined) =>
    call?.prompt.find(({ role }) => role === 'assistant')?.content;
  await first.call(request, contextOf());
  expect(saidIn(asked.at(-1))).toEqual([
    { type: 'reasoning', text: 'Hm.', providerOptions: metadata },
    { type: 'text', text: 'Look.', providerOptions: metadata },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: {}, providerOptions: metadata },
  ]);
  await second.call(request, contextOf());
  expect(saidIn(asked.at(-1))).toEqual([
    { type: 'text', text: 'Look.' },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'add', input: {} },
  ]);
});

test('a message of nothing but another provider’s reasoning is left out', async () => {
  const asked: LanguageModelV4CallOptions[] = [];
  const message = { role: 'assistant', content: [{ type: 'reasoning', text: 'Hm.', bound: { other: {} } }] } as const;
  await fromLanguageModel(languageModel(asked, [])).call(requestOf({ system: '', messages: [message] }), contextOf());
  expect(asked[0]?.prompt).toEqual([]);
});

test('errors of tools are marked, and files are sent as data or address', async () => {
  const asked: LanguageModelV4CallOptions[] = [];
  const file = { type: 'file', mediaType: 'image/png' } as const;
  const messages: Message[] = [
    {
      role: 'user',
      content: [
        { ...file, data: 'AAAA' },
        { ...file, data: 'data:image/png;base64,BBBB' },
        { ...file, data: 'https://host.test/a.png' },
      ],
    },
    { role: 'assistant', content: [{ type: 'tool-call', id: 'c1', name: 'add', input: '{}' }] },
    { role: 'tool', content: [{ type: 'tool-result', id: 'c1', name: 'add', text: 'No.', isError: true }] },
  ];
  await fromLanguageModel(languageModel(asked, [])).call(requestOf({ system: '', messages }), contextOf());
  expect(asked[0]?.prompt).toMatchObject([
    {
      content: [
        { data: { type: 'data', data: 'AAAA' } },
        { data: { type: 'data', data: 'BBBB' } },
        { data: { type: 'url', url: new URL('https://host.test/a.png') } },
      ],
    },
    { role: 'assistant' },
    { content: [{ output: { type: 'error-text', value: 'No.' } }] },
  ]);
});

function languageModel(asked: LanguageModelV4CallOptions[], content: LanguageModelV4Content[]): LanguageModelV4 {
  const unknown = { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined };
  return {
    specificationVersion: 'v4',
    provider: 'hand',
    modelId: 'made',
    supportedUrls: {},
    doGenerate: async (options) => {
      asked.push(options);
      const usage = { inputTokens: unknown, outputTokens: { total: undefined, text: undefined, reasoning: undefined } };
      return { content, finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] };
    },
    doStream: () => expect.fail('nobody listens'),
  };
}
