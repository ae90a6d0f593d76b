// What Anthropic really answered is read completely, whole or streamed, however the network cuts it; and never when cut off.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callsOf, type ModelReply, textOf } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, failureOf, requestOf } from './support/calling.ts';
import { anthropic, type Block } from './support/wires/anthropic.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const folder = process.env.PROVIDER_RECORDINGS;

if (!folder) test.skip('skipped: PROVIDER_RECORDINGS names no folder of recordings', () => {});

const names = folder ? readdirSync(join(folder, 'anthropic')) : [];
const read = (name: string) => readFileSync(join(folder ?? '', 'anthropic', name), 'utf8');
const whole = names.filter((name) => name.endsWith('.json'));
const streams = names.filter((name) => name.endsWith('.chunks.txt'));

describe.skipIf(!folder)('recorded', () => {
  test('there is something to read', () => {
    expect([whole.length > 3, streams.length > 3, whole.length + streams.length]).toEqual([true, true, names.length]);
  });

  test.each(whole)('%s is read whole', async (name) => {
    const body = read(name);
    const { content, stop_reason: reason, usage, model } = JSON.parse(body);
    const reply = await replyTo([body], contextOf(), 'application/json');
    expectReply(reply, content, reason);
    expect(reply.servedBy).toBe(model);
    expect(reply.usage).toMatchObject({ inputTokens: usage.input_tokens, outputTokens: usage.output_tokens });
    expect(reply.usage.reasoningTokens).toBe(usage.output_tokens_details?.thinking_tokens);
  });

  test.each(whole)('%s cut off is no reply', async (name) => {
    const body = read(name);
    for (const part of [0.2, 0.5, 0.95]) {
      const cut = replyTo([body.slice(0, body.length * part)], contextOf(), 'application/json', 'cut');
      expect((await failureOf(cut)).code).toBe('model-network');
    }
  });

  test.each(streams)('%s is read as a stream, in whatever pieces', async (name) => {
    const chunks = read(name).trim().split('\n');
    const stream = framed(chunks);
    const expected = fold(chunks);
    for (const pieces of [[stream], [stream.replaceAll('\n', '\r\n')], inPieces(stream, 1), inPieces(stream, 7)]) {
      const heard = { text: '', reasoning: '' };
      const onDelta = (delta: { type: 'text' | 'reasoning'; text: string }) => {
        heard[delta.type] += delta.text;
      };
      const reply = await replyTo(pieces, contextOf({ onDelta }));
      expectReply(reply, expected.content, expected.reason);
      expect(heard).toEqual({ text: wordsIn(expected.content), reasoning: thoughtsIn(expected.content) });
      expect(reply.usage).toMatchObject({ inputTokens: expected.input, outputTokens: expected.output });
    }
  });

  test.each(streams)('%s cut off is no reply, wherever it is cut', async (name) => {
    const chunks = read(name).trim().split('\n');
    for (let end = 0; end < chunks.length; end++)
      for (const how of ['cut', 'ended'] as const) {
        const failure = await failureOf(replyTo([framed(chunks.slice(0, end))], listening(), 'text/event-stream', how));
        expect(failure.code).toBe('model-network');
      }
  });
});

function listening() {
  return contextOf({ onDelta: () => {} });
}

async function replyTo(
  pieces: readonly (string | Buffer)[],
  context = listening(),
  type = 'text/event-stream',
  end: 'cut' | 'ended' = 'ended',
): Promise<ModelReply> {
  const { model } = await serveWire(anthropic, [
    (response) => {
      response.writeHead(200, { 'content-type': type });
      for (const piece of pieces) response.write(piece);
      if (end === 'cut') response.write('\n', () => response.destroy());
      else response.end();
    },
  ]);
  return model.call(requestOf(), context);
}

function framed(chunks: readonly string[]): string {
  return chunks.map((chunk) => `event: ${JSON.parse(chunk).type}\ndata: ${chunk}\n\n`).join('');
}

/** In bytes, so that letters of several bytes are torn apart too. */
function inPieces(text: string, size: number): readonly Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

interface Folded {
  readonly content: readonly Block[];
  readonly reason: string;
  readonly input: number;
  readonly output: number;
}

/** The same stream, added up by hand. */
function fold(chunks: readonly string[]): Folded {
  const folded = { content: [] as Record<string, string>[], reason: '', input: 0, output: 0 };
  for (const { type, index, content_block: block, delta, message, usage } of chunks.map((line) => JSON.parse(line))) {
    folded.input = usage?.input_tokens ?? message?.usage.input_tokens ?? folded.input;
    folded.output = usage?.output_tokens ?? folded.output;
    folded.reason = delta?.stop_reason ?? folded.reason;
    if (type === 'content_block_start') folded.content[index] = { ...block, ...(block.input ? { input: '' } : {}) };
    if (type === 'content_block_delta') append(folded.content[index] ?? {}, delta);
  }
  return { ...folded, content: folded.content.map(toBlock) };
}

function append(block: Record<string, string>, delta: Record<string, string>): void {
  for (const [key, field] of Object.entries(fields)) if (delta[key]) block[field] = (block[field] ?? '') + delta[key];
}

function toBlock({ input, type = '', ...block }: Record<string, string>): Block {
  return { ...block, type, ...(input === undefined ? {} : { input: JSON.parse(input || '{}') }) };
}

const fields = { text: 'text', thinking: 'thinking', signature: 'signature', partial_json: 'input' };

function wordsIn(content: readonly Block[]): string {
  return content.map(({ text = '' }) => text).join('');
}

function thoughtsIn(content: readonly Block[]): string {
  return content.map(({ thinking = '' }) => thinking).join('');
}

const finishes: Readonly<Record<string, string>> = {
  end_turn: 'stop',
  tool_use: 'tool-calls',
  refusal: 'content-filter',
};

function expectReply(reply: ModelReply, content: readonly Block[], reason: string): void {
  const signed = reply.message.content.flatMap((part) => {
    const own = part.type === 'reasoning' ? part.bound?.['mine/claude-sonnet-4-5'] : undefined;
    const { anthropic: metadata } = (own ?? {}) as { anthropic?: { signature: string } };
    return part.type === 'reasoning' && metadata ? [{ thinking: part.text, ...metadata }] : [];
  });
  expect(signed).toEqual(
    content.flatMap(({ type, thinking, signature }) => (type === 'thinking' ? [{ thinking, signature }] : [])),
  );
  // One of them thinks aloud: that may be said, or kept apart.
  const words = wordsIn(content);
  expect([words, words.replace(/^<thinking>.*<\/thinking>\s*/s, '')]).toContain(textOf(reply.message));
  expect(callsOf(reply.message).map(({ id, name, input }) => ({ id, name, input: JSON.parse(input) }))).toEqual(
    content.flatMap(({ type, id, name, input }) => (type === 'tool_use' ? [{ id, name, input }] : [])),
  );
  expect(reply.finishReason).toBe(finishes[reason]);
}
