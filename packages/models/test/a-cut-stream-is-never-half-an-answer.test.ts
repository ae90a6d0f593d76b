// A reply that broke off is a rejection of the class network, however it broke and however it was asked for.

import type { ServerResponse } from 'node:http';
import { fromLanguageModel } from '@ai-agent/models';
import { scriptedHttpModel } from '@ai-agent/models/testing';
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { expect, onTestFinished, test } from 'vitest';
import { contextOf, failureOf, modelAt, requestOf, ways } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: '1', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const begin = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' });

test.each(ways)('a socket that closes in the middle: %s', async (_, context) => {
  const model = await scriptedHttpModel([{ text: 'one two three', cutAfter: 2 }]);
  onTestFinished(() => model.close());
  const failure = await failureOf(model.call(requestOf(), context()));
  expect(failure).toMatchObject({ code: 'model-network', class: 'network', retryable: true });
});

test('the deltas that did arrive were told before the rejection', async () => {
  const model = await scriptedHttpModel([{ text: 'abc', cutAfter: 2 }]);
  onTestFinished(() => model.close());
  const deltas: string[] = [];
  await failureOf(model.call(requestOf(), contextOf({ onDelta: ({ text }) => deltas.push(text) })));
  expect(deltas).toEqual(['a', 'b']);
});

test('a clean end of the body before the reply said that it is finished', async () => {
  const { baseUrl } = await serve((_, response) => {
    begin(response);
    response.end(chunk({ content: 'Half an' }));
  });
  const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), contextOf({ onDelta: () => {} })));
  expect(failure.code).toBe('model-network');
});

test.each([
  ['insufficient_system_resource', 'model-network'],
  ['network_error', 'model-network'],
  ['abort', 'model-network'],
  ['cancelled', 'model-network'],
  ['error', 'model-unavailable'],
  ['model_length', 'length'],
  ['max_tokens', 'length'],
  ['sensitive', 'content-filter'],
  ['end_turn', 'other'],
])('the finish reason %s is %s', async (reason, expected) => {
  const choice = { index: 0, message: { role: 'assistant', content: 'Half' }, finish_reason: reason };
  const { baseUrl } = await serve((_, response, body) => {
    if (!JSON.parse(body).stream) return void response.end(JSON.stringify({ choices: [choice] }));
    begin(response).end(`${chunk({ content: 'Half' })}${chunk({}, reason)}data: [DONE]\n\n`);
  });
  const model = await modelAt(baseUrl);
  for (const [, context] of ways) {
    const said = model.call(requestOf(), context()).then(
      ({ finishReason }) => finishReason,
      ({ code }) => code,
    );
    expect(await said).toBe(expected);
  }
});

test('an empty finish reason does not finish anything', async () => {
  const { baseUrl } = await serve((_, response) => {
    begin(response).end(`${chunk({ content: 'Half ' }, '')}${chunk({ content: 'an' }, '')}data: [DONE]\n\n`);
  });
  const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), contextOf({ onDelta: () => {} })));
  expect(failure.code).toBe('model-network');
});

test('[DONE] without a finish reason is no end either', async () => {
  const { baseUrl } = await serve((_, response) => {
    begin(response);
    response.end(`${chunk({ content: 'Half an' })}data: [DONE]\n\n`);
  });
  const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), contextOf({ onDelta: () => {} })));
  expect(failure.code).toBe('model-network');
});

test('a body shorter than its length says', async () => {
  const { baseUrl } = await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
    response.write('{"choices":[]', () => response.destroy());
  });
  const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), contextOf()));
  expect(failure.code).toBe('model-network');
});

test('an error that the provider writes into its stream', async () => {
  const { baseUrl } = await serve((_, response) => {
    begin(response);
    const error = { message: 'The server is overloaded', type: 'overloaded_error' };
    response.end(`${chunk({ content: 'Half' })}data: ${JSON.stringify({ error })}\n\n${chunk({}, 'stop')}`);
  });
  const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), contextOf({ onDelta: () => {} })));
  expect(failure).toMatchObject({ code: 'model-unavailable', class: 'model', retryable: true });
  expect(failure.message).toContain('The server is overloaded');
});

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

test.each([
  ['interrupted', 'model-network'],
  ['error', 'model-unavailable'],
] as const)('a finish reason %s is a rejection', async (unified, code) => {
  const text: LanguageModelV4StreamPart[] = [
    { type: 'text-start', id: '1' },
    { type: 'text-delta', id: '1', delta: 'Half' },
    { type: 'text-end', id: '1' },
  ];
  const finishReason = { unified, raw: undefined };
  const model = fromLanguageModel(
    languageModel([...text, { type: 'finish', finishReason, usage }], {
      content: [{ type: 'text', text: 'Half' }],
      finishReason,
      usage,
      warnings: [],
    }),
  );
  for (const [, context] of ways) expect((await failureOf(model.call(requestOf(), context()))).code).toBe(code);
});

test('a stream without any finish part is a rejection', async () => {
  const model = fromLanguageModel(languageModel([{ type: 'text-delta', id: '1', delta: 'Half' }]));
  const failure = await failureOf(model.call(requestOf(), contextOf({ onDelta: () => {} })));
  expect(failure.code).toBe('model-network');
});

function languageModel(
  parts: readonly LanguageModelV4StreamPart[],
  result?: Awaited<ReturnType<LanguageModelV4['doGenerate']>>,
): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'hand',
    modelId: 'made',
    supportedUrls: {},
    doGenerate: async () => result ?? expect.fail('not asked for'),
    doStream: async () => ({ stream: ReadableStream.from(parts) }),
  };
}
