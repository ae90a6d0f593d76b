// The promise: what Ollama answers is the same reply whole, streamed and in any pieces; what is not complete is no reply.

import type { ServerResponse } from 'node:http';
import { callsOf, type Message, type ModelDelta, userMessage } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, failureOf, requestOf, ways } from './support/calling.ts';
import { ollama } from './support/wires/ollama.ts';
import { type Answer, serveWire } from './support/wires/serve-wire.ts';
import type { WireReply } from './support/wires/wire.ts';

const streaming = () => contextOf({ onDelta: () => {} });

async function ask(answer: Answer, context = contextOf(), messages: readonly Message[] = [userMessage('So?')]) {
  const { model } = await serveWire(ollama, [answer]);
  return model.call(requestOf({ messages }), context);
}

async function failureWith(answer: Answer, context = contextOf()) {
  return failureOf(ask(answer, context));
}

const full: WireReply = {
  reasoning: { text: 'Hm. ☃' },
  text: 'Let me see. ☃',
  calls: [
    { id: 'call_x', name: 'look', input: { at: '☃' } },
    { id: 'call_y', name: 'look', input: {} },
  ],
  usage: { input: 26, output: 298 },
};

const expected = {
  message: {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm. ☃', bound: { 'mine/qwen3:8b': {} } },
      { type: 'text', text: 'Let me see. ☃' },
      { type: 'tool-call', id: 'call_x', name: 'look', input: '{"at":"☃"}' },
      { type: 'tool-call', id: 'call_y', name: 'look', input: '{}' },
    ],
  },
  finishReason: 'tool-calls',
  usage: { inputTokens: 26, outputTokens: 298 },
  servedBy: 'qwen3:8b',
};

test('whole', async () => {
  expect(await ask(full)).toEqual(expected);
});

test('streamed, word by word', async () => {
  const heard: ModelDelta[] = [];
  expect(await ask(full, contextOf({ onDelta: (delta) => heard.push(delta) }))).toEqual(expected);
  expect(heard).toEqual([
    { type: 'reasoning', text: 'Hm. ☃' },
    { type: 'text', text: 'Let me ' },
    { type: 'text', text: 'see. ☃' },
  ]);
});

test.each([1, 2, 7, 100])('in pieces of %i bytes', async (size) => {
  const bytes = Buffer.from(ollama.stream(full).join(''));
  const inPieces: Answer = async (response) => {
    for (let at = 0; at < bytes.length; at += size) {
      response.write(bytes.subarray(at, at + size));
      if (at % 40 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  };
  expect(await ask(inPieces, streaming())).toEqual(expected);
});

test.each([
  ['without an end of the last line', (text: string) => text.trimEnd()],
  ['with other ends of lines', (text: string) => text.replaceAll('\n', '\r\n\r\n')],
  ['with more after the end', (text: string) => `${text}{"model":"x","message":{"content":"more"},"done":false}\n`],
])('a stream %s', async (_, change) => {
  expect(await ask((response) => response.end(change(ollama.stream(full).join(''))), streaming())).toEqual(expected);
});

test('a stream that stays open after the end is not waited for', async () => {
  expect(await ask((response) => void response.write(ollama.stream(full).join('')), streaming())).toEqual(expected);
});

describe('the end', () => {
  const end = async (fields: object) => {
    const body = JSON.stringify({ message: { content: 'So.' }, done: true, ...fields });
    const [whole, streamed] = [
      await ask((response) => response.end(body)),
      await ask((r) => r.end(`${body}\n`), streaming()),
    ];
    expect(streamed).toEqual(whole);
    return whole;
  };
  const call = { function: { name: 'look', arguments: {} } };

  test.each<[object, string]>([
    [{ done_reason: 'stop' }, 'stop'],
    [{}, 'stop'],
    [{ done_reason: 'length' }, 'length'],
    [{ done_reason: 'load' }, 'other'],
    [{ done_reason: 'stop', message: { content: '', tool_calls: [call] } }, 'tool-calls'],
    [{ done_reason: 'length', message: { content: '', tool_calls: [call] } }, 'length'],
  ])('of %j is %s', async (fields, reason) => {
    expect((await end(fields)).finishReason).toBe(reason);
  });

  test('figures that are not said stay unknown', async () => {
    expect((await end({})).usage).toEqual({});
    expect((await end({ prompt_eval_count: null, eval_count: 5 })).usage).toEqual({ outputTokens: 5 });
    expect((await end({ prompt_eval_count: 0, eval_count: 0 })).usage).toEqual({ inputTokens: 0, outputTokens: 0 });
  });

  test('nothing at all is an empty reply', async () => {
    expect((await end({ message: undefined })).message.content).toEqual([]);
  });
});

describe('ids of calls', () => {
  const answer =
    (...calls: object[]): Answer =>
    (response, { isStreamed }) => {
      const body = { message: { content: '', tool_calls: calls }, done: true };
      response.end(JSON.stringify(body) + (isStreamed ? '\n' : ''));
    };
  const call = (id?: string, input: unknown = { at: 1 }) => ({
    ...(id === undefined ? {} : { id }),
    function: { name: 'look', arguments: input },
  });
  const earlier: Message[] = [
    {
      role: 'assistant',
      content: ['call_1', 'call_3'].map((id) => ({ type: 'tool-call', id, name: 'look', input: '{}' })),
    },
    {
      role: 'tool',
      content: ['call_1', 'call_3'].map((id) => ({ type: 'tool-result', id, name: 'look', text: '', isError: false })),
    },
  ];

  test.each(ways)('are new to the conversation: %s', async (_, context) => {
    const reply = await ask(answer(call(), call(''), call('call_1'), call('mine'), call('mine')), context(), earlier);
    expect(callsOf(reply.message).map(({ id }) => id)).toEqual(['call_2', 'call_4', 'call_5', 'mine', 'call_6']);
  });

  test.each<[unknown, string]>([
    [{ at: 1 }, '{"at":1}'],
    ['{"at":', '{"at":'],
    [null, '{}'],
    [undefined, '{}'],
  ])('arguments %j are %s', async (input, text) => {
    const reply = await ask(answer({ function: { name: 'look', arguments: input } }));
    expect(callsOf(reply.message).map((part) => part.input)).toEqual([text]);
  });

  test.each([{}, { function: {} }, { function: { name: 7 } }, 'look'])('a call such as %j is none', async (broken) => {
    for (const [, context] of ways)
      expect((await failureWith(answer(broken as object), context())).code).toBe('model-reply-invalid');
  });
});

describe('what is not complete', () => {
  const events = ollama.stream(full);

  test.each(events.map((_, count) => [count]))('cut after %i lines', async (count) => {
    const kept = events.slice(0, count).join('');
    const half = events[count]?.slice(0, 20) ?? '';
    for (const text of [kept, kept + half])
      expect((await failureWith((response) => response.end(text), streaming())).code).toBe('model-network');
    const reset = (response: ServerResponse) => void response.write(`${kept} `, () => response.destroy());
    expect((await failureWith(reset, streaming())).code).toBe('model-network');
  });

  test('a whole reply that says it is not done', async () => {
    const body = JSON.stringify({ message: { content: 'So' }, done: false });
    expect((await failureWith((response) => response.end(body))).code).toBe('model-network');
  });
});

describe('errors', () => {
  test('in the middle of a stream', async () => {
    const error = ollama.streamError('an error was encountered while running the model: unexpected EOF');
    for (const before of [[], ollama.stream(full).slice(0, 2)])
      expect(await failureWith((response) => response.end(before.join('') + error), streaming())).toMatchObject({
        code: 'model-unavailable',
        message: expect.stringContaining('unexpected EOF'),
      });
  });

  test('in place of a whole reply', async () => {
    expect(await failureWith((response) => response.end('{"error":"out of memory"}'))).toMatchObject({
      code: 'model-unavailable',
      message: expect.stringContaining('out of memory'),
    });
  });

  test.each([
    [400, '"llama3" does not support thinking', 'model-request-refused'],
    [400, 'registry.ollama.ai/library/gemma:2b does not support tools', 'model-request-refused'],
    [401, 'unauthorized', 'model-auth'],
    [404, "model 'nobody' not found", 'model-request-refused'],
    [429, 'too many requests', 'model-rate-limit'],
    [500, 'model runner has unexpectedly stopped', 'model-unavailable'],
    [503, 'server busy, please try again', 'model-unavailable'],
  ])('status %i: %s', async (status, message, code) => {
    for (const [, context] of ways)
      expect(
        await failureWith((response) => response.writeHead(status).end(ollama.error(status, message)), context()),
      ).toMatchObject({ code, status, message: expect.stringContaining(message) });
  });

  test.each([
    '<html><body>Sign in</body></html>',
    'hello',
    '{"choices":[]}',
    '[]',
    '7',
    '{"message":7}',
    '{"message":{"content":7},"done":true}',
  ])('%s is not a reply', async (body) => {
    for (const end of ['', '\n'])
      for (const [, context] of ways)
        expect((await failureWith((response) => response.end(body + end), context())).code).toBe('model-reply-invalid');
  });
});
