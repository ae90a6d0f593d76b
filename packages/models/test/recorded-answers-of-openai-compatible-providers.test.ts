// What real providers answered is read completely, whole or streamed, however the network cuts it; and never when cut off.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callsOf, type Model, type ModelReply, textOf } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, failureOf, modelAt, requestOf } from './support/calling.ts';
import { serve } from './support/raw-server.ts';

const folder = process.env.PROVIDER_RECORDINGS;
const providers = ['openai-chat', 'openai-compatible', 'groq', 'deepseek'];

if (!folder) test.skip('skipped: PROVIDER_RECORDINGS names no folder of recordings', () => {});

const recordings = folder
  ? providers.flatMap((provider) => readdirSync(join(folder, provider)).map((name) => `${provider}/${name}`))
  : [];
const read = (name: string) => readFileSync(join(folder ?? '', name), 'utf8');
const whole = recordings.filter((name) => name.endsWith('.json') && !name.includes('error'));
const streams = recordings.filter((name) => name.endsWith('.chunks.txt'));
const refusals = recordings.filter((name) => name.endsWith('error.json'));

describe.skipIf(!folder)('recorded', () => {
  test('there is something to read', () => {
    expect([whole.length, streams.length, refusals.length].every((count) => count > 0)).toBe(true);
  });

  test.each(whole)('%s is read whole', async (name) => {
    const body = read(name);
    const { choices, usage, model } = JSON.parse(body);
    const reply = await (await modelOf([body], 'application/json')).call(requestOf(), contextOf());
    expectReply(reply, {
      text: choices[0].message.content ?? '',
      reasoning: choices[0].message.reasoning_content ?? '',
      calls: choices[0].message.tool_calls ?? [],
    });
    expect(reply.servedBy).toBe(model);
    expect(reply.usage).toMatchObject({ inputTokens: usage.prompt_tokens, outputTokens: outputOf(usage) });
  });

  test.each(whole)('%s cut off is no reply', async (name) => {
    const body = read(name);
    const model = await modelOf([body.slice(0, body.length / 2)], 'application/json', 'cut');
    expect((await failureOf(model.call(requestOf(), contextOf()))).code).toBe('model-network');
  });

  test.each(streams)('%s is read as a stream, in whatever pieces', async (name) => {
    const chunks = read(name).trim().split('\n');
    const stream = framed(chunks);
    const expected = fold(chunks);
    for (const pieces of [[stream], inPieces(stream, 1), inPieces(stream, 7), inPieces(stream, 4093)]) {
      if (pieces.length > 20_000) continue;
      const heard = { text: '', reasoning: '' };
      const onDelta = (delta: { type: 'text' | 'reasoning'; text: string }) => {
        heard[delta.type] += delta.text;
      };
      const reply = await (await modelOf(pieces)).call(requestOf(), contextOf({ onDelta }));
      expectReply(reply, expected);
      expect(heard).toEqual({ text: expected.text, reasoning: expected.reasoning });
      expect(reply.usage.outputTokens).toBe(expected.outputTokens);
    }
  });

  test.each(streams)('%s cut off is no reply, wherever it is cut', async (name) => {
    const chunks = read(name).trim().split('\n');
    const finish = chunks.findIndex((chunk) => JSON.parse(chunk).choices[0]?.finish_reason);
    for (const end of [1, Math.floor(finish / 2), finish])
      for (const how of ['cut', 'ended'] as const) {
        const model = await modelOf([framed(chunks.slice(0, end), '')], 'text/event-stream', how);
        const failure = await failureOf(model.call(requestOf(), contextOf({ onDelta: () => {} })));
        expect(failure.code).toBe('model-network');
      }
  });

  test.each(refusals)('%s is a refusal in the words of the provider', async (name) => {
    const { baseUrl } = await serve((_, response) => response.writeHead(400).end(read(name)));
    const failure = await failureOf((await modelAt(baseUrl)).call(requestOf(), contextOf()));
    expect(failure.code).toBe('model-request-refused');
    expect(failure.message).toContain(JSON.parse(read(name)).error.message);
  });
});

async function modelOf(
  pieces: readonly string[] | readonly Buffer[],
  type = 'text/event-stream',
  end?: 'cut' | 'ended',
): Promise<Model> {
  const { baseUrl } = await serve((_, response) => {
    response.writeHead(200, { 'content-type': type });
    for (const piece of pieces) response.write(piece);
    if (end === 'cut') response.write('\n', () => response.destroy());
    else response.end();
  });
  return modelAt(baseUrl);
}

function framed(chunks: readonly string[], done = 'data: [DONE]\n\n'): string {
  return chunks.map((chunk) => `data: ${chunk}\n\n`).join('') + done;
}

/** In bytes, so that letters of several bytes are torn apart too. */
function inPieces(text: string, size: number): readonly Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

interface Expected {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly function: { name: string; arguments: string } }[];
}

/** xAI counts its thoughts beside the completion; what is not input is output. */
function outputOf({ prompt_tokens: input, completion_tokens: output, total_tokens: total }: Recorded): number {
  return total === undefined ? output : total - input;
}

interface Recorded {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens?: number;
}

/** The same stream, added up by hand. */
function fold(chunks: readonly string[]): Expected & { readonly outputTokens: number | undefined } {
  const expected = {
    text: '',
    reasoning: '',
    calls: [] as Expected['calls'][number][],
    outputTokens: undefined as number | undefined,
  };
  for (const chunk of chunks.map((line) => JSON.parse(line))) {
    expected.outputTokens = chunk.usage ? outputOf(chunk.usage) : expected.outputTokens;
    const delta = chunk.choices[0]?.delta ?? {};
    expected.text += delta.content ?? '';
    expected.reasoning += delta.reasoning_content ?? '';
    for (const { index, id, function: part } of delta.tool_calls ?? []) {
      const call = expected.calls[index];
      if (call) call.function.arguments += part.arguments ?? '';
      else expected.calls[index] = { id, function: { name: part.name, arguments: part.arguments ?? '' } };
    }
  }
  return expected;
}

function expectReply(reply: ModelReply, { text, reasoning, calls }: Expected): void {
  const parts = reply.message.content;
  expect(textOf(reply.message)).toBe(text);
  expect(parts.flatMap((part) => (part.type === 'reasoning' ? part.text : [])).join('')).toBe(reasoning);
  expect(callsOf(reply.message).map(({ id, name, input }) => ({ id, name, input }))).toEqual(
    calls.map((call) => ({ id: call.id, name: call.function.name, input: call.function.arguments })),
  );
  expect(reply.finishReason).toBe(calls.length > 0 ? 'tool-calls' : 'stop');
}
