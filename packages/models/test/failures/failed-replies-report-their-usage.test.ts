// A reply with HTTP 200 that is a failure reports the usage that it contains, before its failure is thrown.

import type { ServerResponse } from 'node:http';
import type { Usage } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, failureOf, requestOf } from '../support/calling.ts';
import { anthropic, event } from '../support/wires/anthropic.ts';
import { chat } from '../support/wires/chat.ts';
import { google } from '../support/wires/google.ts';
import { openaiChat } from '../support/wires/openai-chat.ts';
import { openaiResponses, toEvent } from '../support/wires/openai-responses.ts';
import { openrouter } from '../support/wires/openrouter.ts';
import { serveWire } from '../support/wires/serve-wire.ts';
import type { Wire } from '../support/wires/wire.ts';

const message = { role: 'assistant', content: 'Hel' };
const counted = { prompt_tokens: 1_500, completion_tokens: 700 };
const completion = (choices: readonly object[], more: object = {}) => ({ id: 'c', choices, usage: counted, ...more });
const ending = (finish_reason: string) => completion([{ index: 0, message, finish_reason }]);
const error = { code: 502, message: 'The provider is down' };

const answered = { id: 'r', object: 'response', created_at: 1, model: 'gpt-5.4', output: [] };
const failed = { ...answered, status: 'failed', usage: { input_tokens: 1_500, output_tokens: 700 } };
const serverError = { code: 'server_error', message: 'It failed' };

const said = { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [{ type: 'text', text: 'Hel' }] };
const usage = { input_tokens: 1_500, output_tokens: 700 };
const usageMetadata = { promptTokenCount: 1_500, candidatesTokenCount: 700 };

describe('a whole reply', () => {
  test.each<[string, Wire, object]>([
    ['that ended with an error', chat, ending('error')],
    ['that was interrupted', chat, ending('network_error')],
    ['with an error in its choice', chat, completion([{ index: 0, message, error }])],
    ['without choices', chat, completion([])],
    ['with an error beside its choice', chat, { ...ending('stop'), error }],
    ['with an error that is a text', chat, { ...ending('stop'), error: 'It failed' }],
    ['with tool calls that cannot be read', chat, completion([{ index: 0, message: { ...message, tool_calls: [7] } }])],
    ['with an error in its choice', openrouter, completion([{ index: 0, message, error }])],
    ['without choices', openaiChat, completion([])],
    ['with an error beside its choice', openaiChat, { ...ending('stop'), error: { ...error, code: 'bad_gateway' } }],
    ['that failed', openaiResponses, { ...failed, error: serverError }],
    ['that failed without a reason', openaiResponses, { ...failed, error: null }],
    ['of chat completions', openaiResponses, ending('stop')],
    ['that paused', anthropic, { ...said, stop_reason: 'pause_turn', usage }],
    ['without content', anthropic, { ...said, content: undefined, stop_reason: 'end_turn', usage }],
    [
      'with a malformed call',
      google,
      { candidates: [{ content: {}, finishReason: 'MALFORMED_FUNCTION_CALL' }], usageMetadata },
    ],
    ['without content and reason', google, { candidates: [{ content: { parts: [] } }], usageMetadata }],
    ['that cannot be read', google, { candidates: 'none', usageMetadata }],
  ])('%s', async (_, wire, body) => {
    const answer = (response: ServerResponse) => response.end(JSON.stringify(body));
    expect(await usageOfFailure(wire, answer)).toMatchObject({ inputTokens: 1_500, outputTokens: 700 });
  });

  test('the details of its usage are reported too', async () => {
    const details = { cached_tokens: 900 };
    const body = completion([], { usage: { ...counted, prompt_tokens_details: details } });
    const reported = await usageOfFailure(chat, (response) => response.end(JSON.stringify(body)));
    expect(reported).toEqual({ inputTokens: 1_500, outputTokens: 700, cacheReadTokens: 900 });
  });
});

describe('the body of an answer', () => {
  test.each<[number, number, Usage]>([
    [502, 700, { inputTokens: 1_500, outputTokens: 700 }],
    // Output of zero beside an error is a placeholder, except where HTTP 4xx says that nothing was used.
    [502, 0, { inputTokens: 1_500 }],
    [429, 0, { inputTokens: 1_500, outputTokens: 0 }],
  ])('with HTTP %i and %i output tokens', async (status, output, expected) => {
    const body = JSON.stringify({ error, usage: { ...counted, completion_tokens: output } });
    const reported = await usageOfFailure(chat, (response) => response.writeHead(status).end(body));
    expect(reported).toEqual(expected);
  });
});

describe('a streamed reply', () => {
  const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`;
  const chunk = (content: string, more: object = {}) =>
    data({ id: 'c', choices: [{ index: 0, delta: { content } }], ...more });
  const responses = openaiResponses.stream({ text: 'Hello' });
  const failure = toEvent({ type: 'response.failed', response: { ...failed, error: serverError } });
  const start = event({ type: 'message_start', message: { ...said, content: [], usage } });
  const stop = { type: 'message_delta', delta: { stop_reason: 'pause_turn' }, usage: { output_tokens: 700 } };

  test.each<[string, Wire, readonly string[]]>([
    [
      'with an error right after its usage',
      chat,
      [...'Hello'].map((letter) => chunk(letter)).concat(chunk('', { usage: counted }), data({ error })),
    ],
    ['with an error in the same chunk as its usage', chat, [chunk('Hel'), data({ error, usage: counted })]],
    ['that ended with an error', chat, [chunk('Hel'), data(ending('error')), 'data: [DONE]\n\n']],
    ['that comes whole and without choices', chat, [JSON.stringify(completion([]))]],
    ['that failed after some text', openaiResponses, [...responses.slice(0, 5), failure]],
    ['that failed before any text', openaiResponses, [...responses.slice(0, 2), failure]],
    ['that paused', anthropic, [start, event(stop), event({ type: 'message_stop' })]],
  ])('%s', async (_, wire, events) => {
    const answer = (response: ServerResponse) => {
      response.writeHead(200, { 'content-type': wire.streamType });
      response.end(events.join(''));
    };
    expect(await usageOfFailure(wire, answer, true)).toMatchObject({ inputTokens: 1_500, outputTokens: 700 });
  });
});

/** All that a failed call reported. */
async function usageOfFailure(wire: Wire, answer: (response: ServerResponse) => void, isStreamed = false) {
  const { model } = await serveWire(wire, [answer]);
  let reported: Usage = {};
  const onUsage = (more: Usage) => {
    reported = { ...reported, ...more };
  };
  await failureOf(model.call(requestOf(), contextOf({ onUsage, ...(isStreamed ? { onDelta: () => {} } : {}) })));
  return reported;
}
