// What Gemini answered is read completely, whole or streamed, however the network cuts it; and never when cut off.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callsOf, type ModelReply, textOf } from '@ai-agent/core';
import { createTransport } from '@ai-agent/models';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openGoogle } from '../src/providers/google.ts';
import { contextOf, failureOf, requestOf } from './support/calling.ts';
import { serve } from './support/raw-server.ts';
import { google } from './support/wires/google.ts';
import { serveWire } from './support/wires/serve-wire.ts';

const folder = process.env.PROVIDER_RECORDINGS;

if (!folder) test.skip('skipped: PROVIDER_RECORDINGS names no folder of recordings', () => {});

const names = folder ? readdirSync(join(folder, 'google')) : [];
const read = (name: string) => readFileSync(join(folder ?? '', 'google', name), 'utf8');
const whole = names.filter((name) => name.endsWith('.json') && !name.includes('429'));
const streams = names.filter((name) => name.endsWith('.chunks.txt'));

describe.skipIf(!folder)('recorded', () => {
  test('there is something to read', () => {
    expect([whole.length, streams.length].every((count) => count > 1)).toBe(true);
  });

  test.each(whole)('%s is read whole', async (name) => {
    const sent = JSON.parse(read(name));
    const reply = await ask([read(name)], 'application/json');
    expectReply(reply, fold([sent]));
    expect(reply.servedBy).toBe(sent.modelVersion);
  });

  test.each(whole)('%s cut off is no reply', async (name) => {
    const body = read(name);
    const failure = await failureOf(ask([body.slice(0, body.length / 2)], 'application/json', 'cut'));
    expect(failure.code).toBe('model-network');
  });

  test.each(streams)('%s is read as a stream, in whatever pieces', async (name) => {
    const chunks = chunksOf(name);
    const stream = framed(chunks);
    for (const pieces of [[stream], inPieces(stream, 1), inPieces(stream, 7), inPieces(stream, 4093)]) {
      if (pieces.length > 20_000) continue;
      const heard = { text: '', reasoning: '' };
      const reply = await ask(pieces, 'text/event-stream', undefined, (delta) => {
        heard[delta.type] += delta.text;
      });
      const expected = fold(chunks);
      expectReply(reply, expected);
      expect(heard).toEqual({ text: expected.text, reasoning: expected.reasoning });
      expect(reply.servedBy).toBe(chunks[0].modelVersion);
    }
  });

  test.each(streams)('%s cut off is no reply, wherever it is cut', async (name) => {
    const chunks = chunksOf(name);
    const finish = chunks.findIndex((chunk) => chunk.candidates?.[0]?.finishReason);
    expect(finish).toBeGreaterThan(-1);
    const stream = framed(chunks.slice(0, finish));
    const bytes = Buffer.from(framed(chunks.slice(0, finish + 1)));
    const cuts = [framed(chunks.slice(0, 1)), stream, stream.slice(0, stream.length / 3), bytes.subarray(0, -6)];
    for (const piece of cuts)
      for (const how of ['cut', 'ended'] as const) {
        const failure = await failureOf(ask([piece], 'text/event-stream', how, () => {}));
        expect(failure.code).toBe('model-network');
      }
  });

  test('a limit of requests is told in the words of the provider', async () => {
    const { model } = await serveWire(google, [
      (response) => response.writeHead(429).end(read('google-429-retry-info.json')),
    ]);
    const failure = await failureOf(model.call(requestOf(), contextOf()));
    expect(failure).toMatchObject({ code: 'model-rate-limit', status: 429 });
    expect(failure.message).toContain('You exceeded your current quota');
  });

  test('how long to wait is in the error that the adapter gives', async () => {
    const { baseUrl } = await serve((_, response) => response.writeHead(429).end(read('google-429-retry-info.json')));
    const { fetch, close } = createTransport();
    onTestFinished(close);
    const endpoint = { name: 'mine', baseUrl, apiKey: '', headers: {}, fetch };
    const { languageModel } = openGoogle(google.model, endpoint, { overrides: {}, formats: {} });
    const asked = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Go.' }] }] };
    for (const answer of [languageModel.doGenerate(asked), languageModel.doStream(asked)])
      await expect(answer).rejects.toMatchObject({ responseBody: expect.stringContaining('"34.4s"') });
  });
});

async function ask(
  pieces: readonly (string | Buffer)[],
  type: string,
  end?: 'cut' | 'ended',
  onDelta?: (delta: { type: 'text' | 'reasoning'; text: string }) => void,
): Promise<ModelReply> {
  const { model } = await serveWire(google, [
    (response) => {
      response.writeHead(200, { 'content-type': type });
      for (const piece of pieces) response.write(piece);
      if (end === 'cut') response.write('\n', () => response.destroy());
      else response.end();
    },
  ]);
  return model.call(requestOf(), contextOf(onDelta ? { onDelta } : {}));
}

function chunksOf(name: string) {
  return read(name)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function framed(chunks: readonly unknown[]): string {
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('');
}

/** In bytes, so that letters of several bytes are torn apart too. */
function inPieces(text: string, size: number): readonly Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

interface Expected {
  text: string;
  reasoning: string;
  readonly calls: { name: string; input: Record<string, unknown>; signature: string | undefined }[];
  usage: { promptTokenCount: number; candidatesTokenCount: number; thoughtsTokenCount?: number } | undefined;
}

/** The same, added up by hand. */
function fold(chunks: readonly ReturnType<typeof JSON.parse>[]): Expected {
  const expected: Expected = { text: '', reasoning: '', calls: [], usage: undefined };
  for (const chunk of chunks) {
    expected.usage = chunk.usageMetadata ?? expected.usage;
    for (const part of chunk.candidates[0].content.parts) {
      expected[part.thought ? 'reasoning' : 'text'] += part.text ?? '';
      if (part.functionCall) addCall(expected.calls, part);
    }
  }
  return expected;
}

/** Arguments in pieces are texts here. */
function addCall(calls: Expected['calls'], { functionCall: call, thoughtSignature: signature }: Called): void {
  if (call.name) calls.push({ name: call.name, input: { ...call.args }, signature });
  for (const { jsonPath, stringValue } of call.partialArgs ?? []) {
    const { input = {} } = calls.at(-1) ?? {};
    input[jsonPath.slice(2)] = `${input[jsonPath.slice(2)] ?? ''}${stringValue}`;
  }
}

interface Called {
  readonly functionCall: {
    readonly name?: string;
    readonly args?: object;
    readonly partialArgs?: readonly { readonly jsonPath: string; readonly stringValue: string }[];
  };
  readonly thoughtSignature?: string;
}

function expectReply(reply: ModelReply, { text, reasoning, calls, usage }: Expected): void {
  expect(textOf(reply.message)).toBe(text);
  const thoughts = reply.message.content.flatMap((part) => (part.type === 'reasoning' ? part.text : []));
  expect(thoughts.join('')).toBe(reasoning);
  const asked = callsOf(reply.message);
  expect(asked.map(({ name, input }) => ({ name, input: JSON.parse(input) }))).toEqual(
    calls.map(({ name, input }) => ({ name, input })),
  );
  expect(asked.map(({ bound }) => bound?.[`mine/${google.model}`])).toEqual(
    calls.map(({ signature }) => signature && { google: { thoughtSignature: signature } }),
  );
  expect(new Set(asked.map(({ id }) => id)).size).toBe(calls.length);
  expect(reply.finishReason).toBe(calls.length > 0 ? 'tool-calls' : 'stop');
  expect(reply.usage).toMatchObject({
    inputTokens: usage?.promptTokenCount,
    outputTokens: (usage?.candidatesTokenCount ?? 0) + (usage?.thoughtsTokenCount ?? 0),
    reasoningTokens: usage?.thoughtsTokenCount,
  });
}
