// What Anthropic says went wrong, as an answer or in the middle of a stream, is an error of the right class in its own words.

import type { ErrorCode } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, failureOf, requestOf, ways } from './support/calling.ts';
import { anthropic, event } from './support/wires/anthropic.ts';
import { type Answer, serveWire } from './support/wires/serve-wire.ts';

const listening = () => contextOf({ onDelta: () => {} });
const events = anthropic.stream({ text: 'Hello there.' });

describe.each(ways)('%s', (_, context) => {
  test.each<[number, string, string, ErrorCode]>([
    [400, 'invalid_request_error', 'messages: at least one message is required', 'model-request-refused'],
    [400, 'invalid_request_error', 'prompt is too long: 210000 tokens > 200000 maximum', 'model-request-refused'],
    [400, 'invalid_request_error', 'Your credit balance is too low to access the Anthropic API.', 'model-quota'],
    [401, 'authentication_error', 'invalid x-api-key', 'model-auth'],
    [402, 'billing_error', 'Your payment failed.', 'model-quota'],
    [403, 'permission_error', 'Your key may not use this.', 'model-auth'],
    [404, 'not_found_error', 'model: claude-none', 'model-request-refused'],
    [413, 'request_too_large', 'Request exceeds the maximum size', 'model-request-refused'],
    [429, 'rate_limit_error', 'This request would exceed your rate limit.', 'model-rate-limit'],
    [500, 'api_error', 'Internal server error', 'model-unavailable'],
    [504, 'timeout_error', 'It took too long.', 'model-timeout'],
    [529, 'overloaded_error', 'Overloaded', 'model-unavailable'],
  ])('%s %s: %s is %s', async (status, type, message, code) => {
    const body = JSON.stringify({ type: 'error', error: { type, message }, request_id: 'req_1' });
    const { model } = await serveWire(anthropic, [
      (response) => response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' }).end(body),
    ]);
    const failure = await failureOf(model.call(requestOf(), context()));
    expect(failure).toMatchObject({ code, status, retryAfterMs: 7000 });
    expect(failure.message).toContain(message);
  });

  test.each<[string, string | null, string]>([
    ['refusal', 'refusal', 'content-filter'],
    ['too many tokens', 'max_tokens', 'length'],
    ['a full window', 'model_context_window_exceeded', 'length'],
    ['a stop sequence', 'stop_sequence', 'stop'],
    ['a limit, as others call it', 'length', 'length'],
    ['a filter, as others call it', 'content_filter', 'content-filter'],
  ])('an end because of %s', async (__, reason, finishReason) => {
    const { model } = await serveWire(anthropic, [endingWith(reason)]);
    expect((await model.call(requestOf(), context())).finishReason).toBe(finishReason);
  });

  test('an end for a reason nobody knows may be anything but a whole answer', async () => {
    const { model } = await serveWire(anthropic, [endingWith('a_new_reason')]);
    const failure = await failureOf(model.call(requestOf(), context()));
    expect(failure).toMatchObject({ code: 'model-reply-invalid', retryable: true });
    expect(failure.message).toContain('a_new_reason');
  });

  test.each([202, 204, 205])('status %s with nothing in it is no answer', async (status) => {
    const { model } = await serveWire(anthropic, [(response) => response.writeHead(status).end()]);
    expect((await failureOf(model.call(requestOf(), context()))).code).toMatch(/^model-(reply-invalid|network)$/);
  });

  test('a pause is no answer, nor is an end without a reason', async () => {
    const paused = await serveWire(anthropic, [endingWith('pause_turn')]);
    const failure = await failureOf(paused.model.call(requestOf(), context()));
    expect(failure.code).toBe('model-reply-invalid');
    expect(failure.message).toContain('pause_turn');
    const { model } = await serveWire(anthropic, [endingWith(null)]);
    expect((await failureOf(model.call(requestOf(), context()))).code).toBe('model-network');
  });
});

describe('an error in a stream', () => {
  test.each<[string, ErrorCode]>([
    ['overloaded_error', 'model-unavailable'],
    ['api_error', 'model-unavailable'],
    ['rate_limit_error', 'model-rate-limit'],
    ['invalid_request_error', 'model-request-refused'],
    ['authentication_error', 'model-auth'],
    ['billing_error', 'model-quota'],
    ['a_new_error', 'model-unavailable'],
  ])('%s is %s, as the first event, after a ping, or in the middle', async (type, code) => {
    const error = event({ type: 'error', error: { type, message: 'Not today.' } });
    const ping = event({ type: 'ping' });
    for (const before of [[], [ping], events.slice(0, 1), events.slice(0, 5)]) {
      const failure = await failureOf(streamed([...before, error]));
      expect(failure.code).toBe(code);
      expect(failure.message).toContain('Not today.');
    }
  });

  test.each([
    ['without a type', { error: { message: 'Not today.' } }],
    ['that is only words', { type: 'error', error: 'Not today.' }],
    ['without a message', { type: 'error', error: { type: 'overloaded_error' } }],
  ])('%s is one all the same', async (_, fields) => {
    for (const before of [[], events.slice(0, 5)]) {
      const failure = await failureOf(streamed([...before, `data: ${JSON.stringify(fields)}\n\n`]));
      expect(failure.code).toBe('model-unavailable');
    }
  });
});

describe('events that nobody knows', () => {
  const odd = [
    event({ type: 'a_new_event', fields: { of: 'its own' } }),
    event({ type: 'content_block_delta', index: 0, delta: { type: 'a_new_delta', value: 1 } }),
    event({ type: 'content_block_start', index: 9, content_block: { type: 'a_new_block' } }),
    event({ type: 'content_block_delta', index: 9, delta: { type: 'text_delta', text: 'not ours' } }),
    event({ type: 'content_block_stop', index: 9 }),
    event({ type: 'ping' }),
    ': a comment\n\n',
    'data: 7\n\n',
  ];

  test('change nothing, wherever they come', async () => {
    const everywhere = [...odd, ...events.flatMap((one) => [one, ...odd])];
    const heard: string[] = [];
    const { model } = await serveWire(anthropic, [streamOf(everywhere)]);
    const reply = await model.call(requestOf(), contextOf({ onDelta: ({ text }) => heard.push(text) }));
    expect(reply.message.content).toEqual([{ type: 'text', text: 'Hello there.' }]);
    expect(heard.join('')).toBe('Hello there.');
  });

  test('nor do blocks in a whole answer, nor a thought that is not signed', async () => {
    const whole = JSON.parse(anthropic.whole({ text: 'Hello there.' }));
    const content = [
      { type: 'a_new_block', text: 'not ours' },
      { type: 'thinking', thinking: 'Hm.' },
      ...whole.content,
    ];
    const { model } = await serveWire(anthropic, [(response) => response.end(JSON.stringify({ ...whole, content }))]);
    const reply = await model.call(requestOf(), contextOf());
    expect(reply.message.content).toMatchObject([
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'Hello there.' },
    ]);
  });

  test('a ping is no sign of progress', async () => {
    const counts = await Promise.all(
      [0, 5].map(async (pings) => {
        let signs = 0;
        const { model } = await serveWire(anthropic, [
          streamOf([...events.slice(0, 3), ...Array(pings).fill(event({ type: 'ping' })), ...events.slice(3)]),
        ]);
        await model.call(requestOf(), contextOf({ onDelta: () => {}, onAlive: () => signs++ }));
        return signs;
      }),
    );
    expect(counts[1]).toBe(counts[0]);
  });

  test('what is no event is no reply', async () => {
    for (const before of [[], events.slice(0, 4)]) {
      const failure = await failureOf(streamed([...before, 'data: {"type": oops}\n\n']));
      expect(failure.code).toBe('model-reply-invalid');
    }
    const damaged = event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 7 } });
    expect((await failureOf(streamed([...events.slice(0, 4), damaged]))).code).toBe('model-reply-invalid');
  });
});

test('who no longer wants the answer hangs up', async () => {
  const abort = new AbortController();
  const hungUp = Promise.withResolvers<void>();
  const { model } = await serveWire(anthropic, [
    (response) => {
      response.on('close', hungUp.resolve);
      response.writeHead(200, { 'content-type': anthropic.streamType });
      for (const one of events.slice(0, 5)) response.write(one);
    },
  ]);
  const call = model.call(requestOf(), { signal: abort.signal, onDelta: () => abort.abort() });
  expect((await failureOf(call)).code).toBe('cancelled');
  await hungUp.promise;
});

test('cut anywhere, a stream is no answer', async () => {
  const whole = anthropic.stream({
    reasoning: { text: 'Hm.' },
    text: 'Hello.',
    calls: [{ id: 'a', name: 'b', input: {} }],
  });
  for (let end = 0; end <= anthropic.incompleteUntil(whole); end++)
    for (const how of ['ended', 'cut'] as const)
      expect((await failureOf(streamed(whole.slice(0, end), how))).code).toBe('model-network');
});

/** A stream asked for, with a listener. */
async function streamed(pieces: readonly string[], how: 'ended' | 'cut' = 'ended'): Promise<unknown> {
  const { model } = await serveWire(anthropic, [streamOf(pieces, how)]);
  return model.call(requestOf(), listening());
}

function streamOf(pieces: readonly string[], how: 'ended' | 'cut' = 'ended'): Answer {
  return (response) => {
    response.writeHead(200, { 'content-type': anthropic.streamType });
    for (const piece of pieces) response.write(piece);
    if (how === 'cut') response.write('\n', () => response.destroy());
    else response.end();
  };
}

function endingWith(reason: string | null): Answer {
  const put = (text: string) => text.replace('"stop_reason":"end_turn"', `"stop_reason":${JSON.stringify(reason)}`);
  return (response, { isStreamed }) => {
    response.writeHead(200, { 'content-type': isStreamed ? anthropic.streamType : 'application/json' });
    response.end(put(isStreamed ? events.join('') : anthropic.whole({ text: 'Hello there.' })));
  };
}
