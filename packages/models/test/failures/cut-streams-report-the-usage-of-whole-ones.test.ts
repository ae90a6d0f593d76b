// Usage in a chunk is read in the same way, whether the stream is cut after the chunk or completes.

import type { ServerResponse } from 'node:http';
import type { Usage } from '@ai-agent/core';
import { expect, test } from 'vitest';
import { contextOf, failureOf, requestOf } from '../support/calling.ts';
import { anthropic, event } from '../support/wires/anthropic.ts';
import { chat } from '../support/wires/chat.ts';
import { google } from '../support/wires/google.ts';
import { openaiChat } from '../support/wires/openai-chat.ts';
import { serveWire } from '../support/wires/serve-wire.ts';
import type { Wire } from '../support/wires/wire.ts';

const data = (value: object) => `data: ${JSON.stringify(value)}\r\n\r\n`;

const completion = (usage: object, choice: object = { delta: { content: 'Hel' } }) =>
  data({ id: 'c', choices: [{ index: 0, ...choice }], usage });
const stop = data({ id: 'c', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
const details = {
  prompt_tokens: 1_500,
  completion_tokens: 700,
  prompt_tokens_details: { cached_tokens: 900 },
  completion_tokens_details: { reasoning_tokens: 200 },
};

const parts = (usageMetadata?: object, fields: object = {}) =>
  data({ candidates: [{ content: { role: 'model', parts: [{ text: 'Hel' }] }, ...fields }], usageMetadata });
const ended = parts(undefined, { finishReason: 'STOP' });

const message = { id: 'm', type: 'message', role: 'assistant', model: 'claude', content: [] };
const started = (usage: object) => event({ type: 'message_start', message: { ...message, usage } });
const input = { input_tokens: 300, cache_read_input_tokens: 900, cache_creation_input_tokens: 300, output_tokens: 1 };
const delta = {
  type: 'message_delta',
  delta: { stop_reason: 'end_turn' },
  usage: { output_tokens: 700, output_tokens_details: { thinking_tokens: 200 } },
};

test.each<[string, Wire, string, string]>([
  ['cached and reasoning tokens', chat, completion(details), stop],
  ['reasoning beside the completion', chat, completion({ ...details, total_tokens: 2_400 }), stop],
  ['figures that are no numbers', chat, completion({ ...details, prompt_tokens_details: 'none' }), stop],
  ['cached and reasoning tokens', openaiChat, completion(details), stop],
  [
    'cached, reasoning and tool tokens',
    google,
    parts({
      promptTokenCount: 1_400,
      toolUsePromptTokenCount: 100,
      cachedContentTokenCount: 900,
      candidatesTokenCount: 500,
      thoughtsTokenCount: 200,
      totalTokenCount: 2_200,
    }),
    ended,
  ],
  ['a total instead of candidates', google, parts({ promptTokenCount: 1_500, totalTokenCount: 2_200 }), ended],
  ['cached and reasoning tokens', anthropic, started(input) + event(delta), event({ type: 'message_stop' })],
])('%s of %o', async (_, wire, before, after) => {
  const { model } = await serveWire(wire, [streamOf(wire, before + after), cutAfter(wire, before)]);
  const { usage } = await model.call(requestOf(), contextOf({ onDelta: () => {} }));
  expect(usage).toMatchObject({ inputTokens: 1_500 });
  expect(usage.outputTokens).toBeGreaterThanOrEqual(700);
  expect(await usageOfFailure(model)).toEqual(usage);
});

test.each<[string, Wire, string]>([
  ['chat', chat, completion({ prompt_tokens: 1_500, completion_tokens: 0 })],
  ['google', google, parts({ promptTokenCount: 1_500, totalTokenCount: 1_500 })],
  ['anthropic', anthropic, started({ input_tokens: 1_500, output_tokens: 1 })],
])('%s: the output in an early chunk is a placeholder', async (_, wire, before) => {
  const { model } = await serveWire(wire, [cutAfter(wire, before)]);
  const reported = await usageOfFailure(model);
  expect(reported.inputTokens).toBe(1_500);
  expect(reported).not.toHaveProperty('outputTokens');
});

async function usageOfFailure(model: Awaited<ReturnType<typeof serveWire>>['model']): Promise<Usage> {
  let reported: Usage = {};
  const onUsage = (more: Usage) => {
    reported = { ...reported, ...more };
  };
  await failureOf(model.call(requestOf(), contextOf({ onUsage, onDelta: () => {} })));
  return reported;
}

function streamOf({ streamType }: Wire, events: string) {
  return (response: ServerResponse) => void response.writeHead(200, { 'content-type': streamType }).end(events);
}

function cutAfter({ streamType }: Wire, events: string) {
  return (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': streamType });
    response.write(events, () => setTimeout(() => response.socket?.destroy(), 20));
  };
}
