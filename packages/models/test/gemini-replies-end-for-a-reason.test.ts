// Why a reply of Gemini ended is known: said in full, cut, refused, spoilt or failed; never an empty success.

import { AgentError, type ModelReply, textOf } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, failureOf, requestOf, ways } from './support/calling.ts';
import { google } from './support/wires/google.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const apiError = (code: number, status: string, message = 'It did not work.') => ({
  error: {
    code,
    message,
    status,
    details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' }],
  },
});

describe.each(ways)('%s', (_, context) => {
  const ask = async (sent: object): Promise<ModelReply> => {
    const { model } = await serveWire(google, [
      (response, { isStreamed }) => {
        response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
        const text = JSON.stringify(sent);
        response.end(isStreamed ? `data: ${text}\r\n\r\n` : text);
      },
    ]);
    return model.call(requestOf(), context());
  };
  const ending = (finishReason: string, parts: readonly object[] = [{ text: 'Well' }]) =>
    ask({ candidates: [{ content: { role: 'model', parts }, finishReason }] });

  test.each([
    ['STOP', 'stop'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content-filter'],
    ['RECITATION', 'content-filter'],
    ['BLOCKLIST', 'content-filter'],
    ['PROHIBITED_CONTENT', 'content-filter'],
    ['SPII', 'content-filter'],
    ['IMAGE_SAFETY', 'content-filter'],
    ['IMAGE_PROHIBITED_CONTENT', 'content-filter'],
    ['LANGUAGE', 'content-filter'],
  ])('%s is %s', async (finishReason, expected) => {
    const reply = await ending(finishReason);
    expect(reply.finishReason).toBe(expected);
    expect(textOf(reply.message)).toBe('Well');
  });

  test('a text that looks like an answer is left as it is', async () => {
    const text = JSON.stringify({ promptTokensDetails: [{ modality: 'TEXT' }], error: 'ü\n{"error":{}}' });
    expect(textOf((await ending('STOP', [{ text }])).message)).toBe(text);
  });

  test('a stop with calls is for the calls', async () => {
    expect((await ending('STOP', [{ functionCall: { name: 'look' } }])).finishReason).toBe('tool-calls');
  });

  test.each(['OTHER', 'FINISH_REASON_UNSPECIFIED', 'A_NEW_REASON'])(
    '%s may be anything but a whole answer, and may be tried again',
    async (finishReason) => {
      const failure = await failureOf(ending(finishReason));
      expect(failure).toMatchObject({ code: 'model-reply-invalid', retryable: true });
      expect(failure.message).toContain(finishReason);
    },
  );

  test.each(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS', 'MALFORMED_RESPONSE'])(
    '%s is no reply, and may be tried again',
    async (finishReason) => {
      const failure = await failureOf(ending(finishReason, []));
      expect(failure).toMatchObject({ code: 'model-reply-invalid', retryable: true });
      expect(failure.message).toContain(finishReason);
    },
  );

  test('a prompt that is blocked is a refusal', async () => {
    const reply = await ask({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 4 } });
    expect(reply).toMatchObject({ finishReason: 'content-filter', message: { content: [] } });
    expect(reply.usage).toEqual({ inputTokens: 4 });
  });

  test('nothing at all is no reply', async () => {
    const failure = await failureOf(ask({}));
    expect(['model-reply-invalid', 'model-network']).toContain(failure.code);
    expect(failure.retryable).toBe(true);
  });

  test.each([
    [apiError(503, 'UNAVAILABLE'), 'model-unavailable'],
    [apiError(500, 'INTERNAL'), 'model-unavailable'],
    [apiError(429, 'RESOURCE_EXHAUSTED'), 'model-rate-limit'],
    [apiError(400, 'INVALID_ARGUMENT'), 'model-request-refused'],
    [{ error: { message: 'It did not work.', status: 'RESOURCE_EXHAUSTED' } }, 'model-rate-limit'],
    [{ error: { code: 503, message: 'It did not work.' } }, 'model-unavailable'],
  ])('an error that is sent as an answer: %j', async (sent, code) => {
    const failure = await failureOf(ask(sent));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain('It did not work.');
  });

  test('thoughts are output, and what is not said stays unknown', async () => {
    const usage = async (usageMetadata: object | undefined) =>
      (
        await ask({
          candidates: [{ content: { parts: [{ text: 'Well' }] }, finishReason: 'STOP' }],
          ...(usageMetadata ? { usageMetadata } : {}),
        })
      ).usage;
    const said = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 150, thoughtsTokenCount: 30 };
    expect(await usage({ ...said, cachedContentTokenCount: 60, toolUsePromptTokenCount: 5 })).toEqual({
      inputTokens: 105,
      outputTokens: 50,
      cacheReadTokens: 60,
      reasoningTokens: 30,
    });
    expect(await usage({ promptTokenCount: 9, totalTokenCount: 39, thoughtsTokenCount: 30 })).toEqual({
      inputTokens: 9,
      outputTokens: 30,
      reasoningTokens: 30,
    });
    // A count of zero is left out, here as everywhere.
    const details = [{ modality: 'TEXT' }, { modality: 'IMAGE', tokenCount: 9 }];
    expect(await usage({ promptTokenCount: 9, promptTokensDetails: details, cacheTokensDetails: details })).toEqual({
      inputTokens: 9,
    });
    expect(await usage({ trafficType: 'ON_DEMAND' })).toEqual({});
    expect(await usage(undefined)).toEqual({});
  });

  test.each([
    [400, 'API key not valid. Please pass a valid API key.', 'model-auth'],
    [400, 'Wrong.', 'model-request-refused'],
    [403, 'No.', 'model-auth'],
    [404, 'No such model.', 'model-request-refused'],
    [429, 'Slow down.', 'model-rate-limit'],
    [500, 'Oh.', 'model-unavailable'],
    [503, 'Overloaded.', 'model-unavailable'],
    [504, 'Too slow.', 'model-timeout'],
  ])('%i %s', async (status, message, code) => {
    for (const body of [google.error(status, message), `[${google.error(status, message)}]`]) {
      const { model } = await serveWire(google, [(response) => response.writeHead(status).end(body)]);
      const failure = await failureOf(model.call(requestOf(), context()));
      expect(failure).toMatchObject({ code, status });
      expect(failure.message).toContain(message);
    }
  });
});

describe('in the middle of a stream', () => {
  const [begun = ''] = google.stream({ text: 'Well then' });
  const ask = async (rest: readonly string[]) => {
    const { model } = await serveWire(google, [
      async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        for (const piece of [begun, ...rest]) await new Promise((resolve) => response.write(piece, resolve));
        response.end();
      },
    ]);
    return failureOf(model.call(requestOf(), contextOf({ onDelta: () => {} })));
  };
  const bare = JSON.stringify([apiError(429, 'RESOURCE_EXHAUSTED')], null, 2);

  test.each([
    ['with framing', [google.streamError('Overloaded.')], 'model-unavailable'],
    ['in a list', [`data: ${JSON.stringify([apiError(503, 'UNAVAILABLE')])}\r\n\r\n`], 'model-unavailable'],
    ['without any', [bare], 'model-rate-limit'],
    ['without any, in pieces', [bare.slice(0, 1), bare.slice(1, 40), bare.slice(40)], 'model-rate-limit'],
    ['right behind an event', [begun + bare], 'model-rate-limit'],
  ] as const)('an error %s is read', async (_, rest, code) => {
    const failure = await ask(rest);
    expect(failure.code).toBe(code);
    expect(failure).toBeInstanceOf(AgentError);
  });

  test('something else that is no event is passed over', async () => {
    expect((await ask(['{"half'])).code).toBe('model-network');
  });

  test('a page in place of a stream is no stream', async () => {
    const { model } = await serveWire(google, [
      (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in</p>'),
    ]);
    const failure = await failureOf(model.call(requestOf(), contextOf({ onDelta: () => {} })));
    expect(failure.code).toBe('model-reply-invalid');
  });
});
