// The promise: however a reply of OpenAI ends, well, short, refused or failed, that is what is told; and what was not said is unknown.

import type { ServerResponse } from 'node:http';
import type { ModelReply } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, failureOf, requestOf, ways } from './support/calling.ts';
import { openaiChat } from './support/wires/openai-chat.ts';
import { messageItem, openaiError, openaiResponses, toEvent } from './support/wires/openai-responses.ts';
import { serveWire } from './support/wires/serve-wire.ts';
import type { Wire } from './support/wires/wire.ts';

const wires = [openaiResponses, openaiChat];
const both = wires.flatMap((wire) => ways.map(([way, context]) => ({ wire, label: wire.label, way, context })));
const json = { 'content-type': 'application/json' };
const events = { 'content-type': 'text/event-stream' };

const streamed = () => contextOf({ onDelta: () => {} });

/** The reply to a stream, or to a whole answer, written by the test. */
async function reading(wire: Wire, body: string, how: 'whole' | 'streamed' = 'streamed') {
  const answer = (response: ServerResponse) => void response.writeHead(200, how === 'whole' ? json : events).end(body);
  const { model } = await serveWire(wire, [answer]);
  return model.call(requestOf(), how === 'whole' ? contextOf() : streamed());
}

describe.each(both)('$label, $way', ({ wire, context }) => {
  test.each([
    [{ text: 'Hello' }, 'stop'],
    [{ calls: [{ id: 'call_1', name: 'a', input: {} }] }, 'tool-calls'],
    [{ text: 'Hel', finish: 'length' }, 'length'],
    [{ text: 'Hel', finish: 'content-filter' }, 'content-filter'],
  ] as const)('%j ended with %s', async (reply, finishReason) => {
    const { model } = await serveWire(wire, [reply]);
    expect(await model.call(requestOf(), context())).toMatchObject({ finishReason });
  });

  test('calls in parallel are all there, in their order', async () => {
    const calls = ['a', 'b', 'c'].map((id) => ({ id: `call_${id}`, name: 'weather', input: { city: id } }));
    const { model } = await serveWire(wire, [{ text: 'Wait.', calls }]);
    const { message } = await model.call(requestOf(), context());
    expect(message.content.slice(1)).toMatchObject(
      calls.map(({ id, name, input }) => ({ type: 'tool-call', id, name, input: JSON.stringify(input) })),
    );
  });

  test('what was counted is told, what was not is unknown', async () => {
    const said = { input: 30, output: 20, cacheRead: 10, reasoning: 5 };
    const { model } = await serveWire(wire, [{ text: 'Hello', usage: said }, { text: 'Hello' }]);
    expect((await model.call(requestOf(), context())).usage).toEqual({
      inputTokens: 30,
      outputTokens: 20,
      cacheReadTokens: 10,
      reasoningTokens: 5,
    });
    expect((await model.call(requestOf(), context())).usage).toEqual({ inputTokens: 10, outputTokens: 5 });
  });

  test('who really answered is told', async () => {
    const { model } = await serveWire(wire, [{ text: 'Hello' }]);
    expect((await model.call(requestOf(), context())).servedBy).toMatch(/^(gpt-5.4-2026-03-05|a-model)$/);
  });
});

test('what was written to a cache is told where it is said', async () => {
  for (const [, context] of ways) {
    const usage = { input: 30, output: 20, cacheRead: 0, cacheWrite: 10 };
    const { model } = await serveWire(openaiResponses, [{ text: 'Hello', usage }]);
    expect((await model.call(requestOf(), context())).usage).toMatchObject({
      cacheReadTokens: 0,
      cacheWriteTokens: 10,
    });
  }
});

describe('a refusal is told as one, in its words', () => {
  const refusal = 'I cannot help with that.';
  const expectRefusal = ({ finishReason, message }: ModelReply) => {
    expect(finishReason).toBe('content-filter');
    expect(message.content).toMatchObject([{ type: 'text', text: refusal }]);
  };

  const item = messageItem([{ type: 'refusal', refusal }]);
  const response = { ...JSON.parse(openaiResponses.whole({})), output: [item] };

  test('responses, whole', async () => {
    expectRefusal(await reading(openaiResponses, JSON.stringify(response), 'whole'));
  });

  test('responses, streamed', async () => {
    const at = { output_index: 0, item_id: 'msg_1', content_index: 0 };
    const stream = [
      { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } },
      { type: 'response.refusal.delta', ...at, delta: refusal.slice(0, 5) },
      { type: 'response.refusal.delta', ...at, delta: refusal.slice(5) },
      { type: 'response.refusal.done', ...at, refusal },
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response },
    ];
    expectRefusal(await reading(openaiResponses, stream.map(toEvent).join('')));
  });

  const choice = (key: string) => ({
    choices: [{ index: 0, [key]: { role: 'assistant', content: null, refusal }, finish_reason: 'stop' }],
  });

  test('chat, whole', async () => {
    expectRefusal(await reading(openaiChat, JSON.stringify(choice('message')), 'whole'));
  });

  test('chat, streamed', async () => {
    expectRefusal(await reading(openaiChat, `data: ${JSON.stringify(choice('delta'))}\n\ndata: [DONE]\n\n`));
  });
});

const failures = [
  ['rate_limit_exceeded', 'model-rate-limit'],
  ['insufficient_quota', 'model-quota'],
  ['server_error', 'model-unavailable'],
  ['context_length_exceeded', 'model-request-refused'],
  ['invalid_prompt', 'model-request-refused'],
  ['image_too_large', 'model-request-refused'],
  ['image_content_policy_violation', 'model-refusal'],
  ['something_new', 'model-unavailable'],
  [null, 'model-unavailable'],
] as const;

describe.each(failures)('a failure %s inside an answer', (code, expected) => {
  const message = 'It did not work out.';
  const expectFailure = async (reply: Promise<unknown>) => {
    const failure = await failureOf(reply);
    expect([failure.code, failure.message]).toEqual([expected, `mine/gpt-5.4: ${message}`]);
  };
  const begun = openaiResponses.stream({ text: 'Hello' });
  const failed = { ...JSON.parse(openaiResponses.whole({})), status: 'failed', error: { code, message }, output: [] };
  const error = { code, message, param: null };

  test.each([
    ['a failed response', { type: 'response.failed', sequence_number: 9, response: failed }],
    ['one without its number', { type: 'response.failed', response: failed }],
    ['an error', { type: 'error', sequence_number: 9, error: { type: code ?? 'an_error', ...error } }],
    ['an error, as it is documented', { type: 'error', sequence_number: 9, ...error }],
    ['one without its number', { type: 'error', ...error }],
  ])('%s, before and after something was said', async (_, event) => {
    for (const events of [0, 2, 6])
      await expectFailure(reading(openaiResponses, [...begun.slice(0, events), toEvent(event)].join('')));
  });

  test('a whole response that failed', async () => {
    for (const fields of [{}, { error: { ...error, type: code ?? 'an_error' } }])
      await expectFailure(reading(openaiResponses, JSON.stringify({ ...failed, ...fields }), 'whole'));
  });

  test('in chat completions', async () => {
    const body = JSON.stringify({ error: { type: code, ...error } });
    const stream = openaiChat.stream({ text: 'Hello' });
    for (const events of [0, 1, 3])
      await expectFailure(reading(openaiChat, [...stream.slice(0, events), `data: ${body}\n\n`].join('')));
    await expectFailure(reading(openaiChat, body, 'whole'));
  });
});

test('a failure without a word is one too', async () => {
  const failed = { ...JSON.parse(openaiResponses.whole({})), status: 'failed', output: [] };
  const event = toEvent({ type: 'response.failed', sequence_number: 9, response: failed });
  for (const reply of [
    reading(openaiResponses, event),
    reading(openaiResponses, toEvent({ type: 'response.failed' })),
    reading(openaiResponses, JSON.stringify(failed), 'whole'),
  ])
    expect(await failureOf(reply)).toMatchObject({ code: 'model-unavailable', retryable: true });
});

describe('what nobody knows yet is harmless', () => {
  const odd = { id: 'x_1', type: 'something_new', of: [{ a: 1 }] };

  test('streamed', async () => {
    const stream = openaiResponses.stream({ text: 'Hello' });
    const news = [
      { type: 'response.something.new', error: { message: 'Not ours.' } },
      { type: 'keepalive', sequence_number: 3 },
      { type: 'response.output_item.added', output_index: 7, item: odd },
      { type: 'response.output_item.done', output_index: 7, item: odd },
    ].map(toEvent);
    const reply = await reading(openaiResponses, [...stream.slice(0, 3), ...news, ...stream.slice(3)].join(''));
    expect(reply.message.content).toMatchObject([{ type: 'text', text: 'Hello' }]);
  });

  test('whole', async () => {
    const whole = JSON.parse(openaiResponses.whole({ text: 'Hello', usage: { input: 3, output: 4 } }));
    const body = JSON.stringify({ ...whole, output: [odd, ...whole.output], new_field: true });
    const reply = await reading(openaiResponses, body, 'whole');
    expect(reply.message.content).toMatchObject([{ type: 'text', text: 'Hello' }]);
    expect(reply.usage).toEqual({ inputTokens: 3, outputTokens: 4 });
  });
});

test('a server that only speaks chat completions is told from one that fails, and what to do is said', async () => {
  for (const reply of [
    reading(openaiResponses, openaiChat.whole({ text: 'Hello' }), 'whole'),
    reading(openaiResponses, openaiChat.stream({ text: 'Hello' }).join('')),
  ]) {
    const failure = await failureOf(reply);
    expect(failure).toMatchObject({ code: 'model-reply-invalid' });
    expect(failure.message).toContain('It answers with chat completions');
    expect(failure.remedy).toContain('openaiMode');
  }
});

test.each(['{}', '[]', 'null', '"Hello"', '{"output":7}', '<html>', ''])('%s is no reply', async (body) => {
  for (const wire of wires) expect((await failureOf(reading(wire, body, 'whole'))).code).toBe('model-reply-invalid');
});

describe('an event that lacks its last bracket', () => {
  const broken = (events: readonly string[], type: string) =>
    events.map((event) => (event.includes(`"type":"${type}"`) ? event.replace(/}\n\n$/, '\n\n') : event)).join('');
  const calls = [{ id: 'call_1', name: 'a', input: {} }];

  test.each([
    [{ text: 'Hello' }, 'stop'],
    [{ text: 'Hello', calls }, 'tool-calls'],
    [{ text: 'Hello', finish: 'length' }, 'length'],
    [{ text: 'Hello', finish: 'content-filter' }, 'content-filter'],
  ] as const)('is read where a reply begins or ends: %j', async (reply, finishReason) => {
    const stream = openaiResponses.stream(reply);
    for (const type of ['response.created', 'response.in_progress', 'response.completed', 'response.incomplete']) {
      const read = await reading(openaiResponses, broken(stream, type));
      expect(read).toMatchObject({ finishReason, usage: { inputTokens: 10, outputTokens: 5 } });
      expect(read.message.content[0]).toMatchObject({ text: 'Hello' });
    }
  });

  test('is none where something is said, nor is one that is broken off', async () => {
    const stream = openaiResponses.stream({ text: 'Hello' });
    const off = [...stream.slice(0, -1), `${stream.at(-1)?.trim().slice(0, 90)}\n\n`].join('');
    for (const body of [broken(stream, 'response.output_text.delta'), off])
      expect((await failureOf(reading(openaiResponses, body))).code).toBe('model-reply-invalid');
  });

  test('does not make a reply complete that is not', async () => {
    const stream = openaiResponses.stream({ text: 'Hello' }).slice(0, -1);
    const failure = await failureOf(reading(openaiResponses, broken(stream, 'response.created')));
    expect(failure.code).toBe('model-network');
  });
});

describe.each(wires)('$label', (wire) => {
  const stream = wire.stream({ text: 'Hello', calls: [{ id: 'call_1', name: 'a', input: { b: 1 } }] });

  test('a stream that ends before it is complete is none, wherever it ends', async () => {
    for (let end = 0; end <= wire.incompleteUntil(stream); end++) {
      const failure = await failureOf(reading(wire, stream.slice(0, end).join('')));
      expect(failure).toMatchObject({ code: 'model-network', retryable: true });
    }
  });

  /** A server that says this much and then nothing; when it is left, that is told. */
  async function stalling(body: string) {
    const left = Promise.withResolvers<void>();
    const answer = (response: ServerResponse) => {
      response.once('close', left.resolve).writeHead(200, events).write(body);
    };
    return { ...(await serveWire(wire, [answer])), left: left.promise };
  }

  test('a stream that failed is left, also if it goes on', async () => {
    for (const count of [0, 1, 4]) {
      const { model, left } = await stalling([...stream.slice(0, count), wire.streamError('No.')].join(''));
      expect((await failureOf(model.call(requestOf(), streamed()))).code).toBe('model-unavailable');
      await left;
    }
  });

  test('so is one that nobody waits for any more', async () => {
    for (const count of [1, 4]) {
      const { model, left, requests } = await stalling(stream.slice(0, count).join(''));
      const controller = new AbortController();
      const reply = failureOf(model.call(requestOf(), { signal: controller.signal, onDelta: () => {} }));
      await expect.poll(() => requests.length).toBe(1);
      controller.abort();
      expect((await reply).code).toBe('cancelled');
      await left;
    }
  });

  test('a page or a whole answer instead of a stream is none either', async () => {
    for (const type of ['text/html', 'application/json']) {
      const { model } = await serveWire(wire, [
        (response) => void response.writeHead(200, { 'content-type': type }).end('<html>Hello</html>'),
      ]);
      expect((await failureOf(model.call(requestOf(), streamed()))).code).toBe('model-reply-invalid');
    }
  });

  test.each([
    [400, 'model-request-refused'],
    [401, 'model-auth'],
    [402, 'model-quota'],
    [403, 'model-auth'],
    [404, 'model-request-refused'],
    [429, 'model-rate-limit'],
    [500, 'model-unavailable'],
    [503, 'model-unavailable'],
  ] as const)('an answer of %s is %s, in the words of the provider', async (status, code) => {
    for (const [, context] of ways) {
      const { model } = await serveWire(wire, [
        (response) =>
          void response.writeHead(status, { ...json, 'retry-after': '7' }).end(openaiError(status, 'In its words.')),
      ]);
      const failure = await failureOf(model.call(requestOf(), context()));
      expect(failure).toMatchObject({ code, status, message: 'mine/gpt-5.4: In its words.', retryAfterMs: 7000 });
    }
  });

  test('a quota that is used up is no matter of waiting', async () => {
    const body = JSON.stringify({ error: { message: 'No.', type: 'insufficient_quota', code: 'insufficient_quota' } });
    const { model } = await serveWire(wire, [(response) => void response.writeHead(429, json).end(body)]);
    const failure = await failureOf(model.call(requestOf(), contextOf()));
    expect(failure).toMatchObject({ code: 'model-quota', retryable: false });
  });
});
