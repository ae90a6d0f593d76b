// What OpenAI really answered is read completely, whole or streamed, however the network cuts it; and never when cut off.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callsOf, type ModelReply, textOf } from '@ai-agent/core';
import { describe, expect, test } from 'vitest';
import { contextOf, failureOf, requestOf } from './support/calling.ts';
import { openaiChat } from './support/wires/openai-chat.ts';
import { openaiResponses } from './support/wires/openai-responses.ts';
import { serveWire } from './support/wires/serve-wire.ts';
import type { Wire } from './support/wires/wire.ts';

const folder = process.env.PROVIDER_RECORDINGS;

if (!folder) test.skip('skipped: PROVIDER_RECORDINGS names no folder of recordings', () => {});

const read = (name: string) => readFileSync(join(folder ?? '', name), 'utf8');
const filesOf = (provider: string) =>
  folder ? readdirSync(join(folder, provider)).map((name) => `${provider}/${name}`) : [];

// biome-ignore lint/suspicious/noExplicitAny: what was recorded has whatever shape it has
type Recorded = any;

interface Spoken {
  readonly wire: Wire;
  readonly whole: readonly string[];
  readonly refusals: readonly string[];
  /** Several replies may be recorded in one file. */
  readonly streams: readonly { readonly name: string; readonly events: readonly string[] }[];
  readonly frame: (event: string) => string;
  readonly isBeginning: (event: string) => boolean;
  /** Before this event, nothing is complete. */
  readonly isEnd: (event: Recorded) => boolean;
  readonly ofWhole: (body: Recorded) => Expected;
  readonly ofStream: (events: readonly Recorded[]) => Expected;
}

interface Expected {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly { readonly id: string; readonly name: string; readonly input: unknown }[];
  readonly outputTokens: number;
}

function spoken(provider: string, rest: Omit<Spoken, 'whole' | 'refusals' | 'streams'>): Spoken {
  const files = filesOf(provider);
  const streams = files
    .filter((name) => name.endsWith('.chunks.txt') && !name.includes('error'))
    .flatMap((name) => {
      const replies: string[][] = [];
      for (const event of read(name).trim().split('\n')) {
        if (replies.length === 0 || rest.isBeginning(event)) replies.push([]);
        replies.at(-1)?.push(event);
      }
      return replies.map((events, index) => ({ name: `${name} ${index + 1}`, events }));
    });
  const isRefusal = (name: string) => name.includes('error');
  const bodies = files.filter((name) => name.endsWith('.json'));
  return { ...rest, streams, whole: bodies.filter((name) => !isRefusal(name)), refusals: bodies.filter(isRefusal) };
}

const typeOf = (event: string) => /"type":\s*"([\w.]+)"/.exec(event)?.[1] ?? '';

const both = [
  spoken('openai-responses', {
    wire: openaiResponses,
    frame: (event) => `event: ${typeOf(event)}\ndata: ${event}\n\n`,
    isBeginning: (event) => typeOf(event) === 'response.created',
    isEnd: ({ type }) => type === 'response.completed',
    ofWhole: ({ output, usage }) => fromItems(output, usage.output_tokens),
    // Most of the pieces are left out of some recordings: what counts is what the pieces say.
    ofStream: (events) => ({
      ...fromItems(
        events.flatMap(({ type, item }) => (type === 'response.output_item.done' ? [item] : [])),
        events.at(-1).response.usage.output_tokens,
      ),
      text: events.map(({ type, delta }) => (type === 'response.output_text.delta' ? delta : '')).join(''),
      reasoning: events.map(({ type, delta }) => (/reasoning_summary_text.delta/.test(type) ? delta : '')).join(''),
    }),
  }),
  spoken('openai-chat', {
    wire: openaiChat,
    frame: (event) => `data: ${event}\n\n`,
    isBeginning: () => false,
    isEnd: ({ choices }) => choices[0]?.finish_reason,
    ofWhole: ({ choices, usage }) => ({
      text: choices[0].message.content,
      reasoning: '',
      calls: [],
      outputTokens: usage.completion_tokens,
    }),
    ofStream: (events) => ({
      text: events.map(({ choices }) => choices[0]?.delta.content ?? '').join(''),
      reasoning: '',
      calls: [],
      outputTokens: events.map(({ usage }) => usage?.completion_tokens).find((count) => count !== undefined),
    }),
  }),
];

/** What each item says as a whole. */
function fromItems(items: readonly Recorded[], outputTokens: number): Expected {
  return {
    text: items.flatMap(({ content = [] }) => content.map(({ text = '' }) => text)).join(''),
    reasoning: items.flatMap(({ summary = [] }) => summary.map(({ text = '' }) => text)).join(''),
    calls: items.flatMap(callsIn),
    outputTokens,
  };
}

/** Several calls may come as one of a tool that nobody has. */
function callsIn({ type, call_id: id, name, arguments: given, input }: Recorded): Expected['calls'] {
  if (type === 'custom_tool_call') return [{ id, name, input }];
  if (type !== 'function_call') return [];
  if (name !== 'parallel') return [{ id, name, input: JSON.parse(given) }];
  return JSON.parse(given).tool_uses.map((use: Recorded, index: number) => ({
    id: `${id}_${index}`,
    name: use.recipient_name.replace('functions.', ''),
    input: use.parameters,
  }));
}

const tools = ['weather', 'cityAttractions', 'calculator', 'write_sql'].map((name) => ({
  name,
  description: '',
  inputSchema: { type: 'object', properties: {} },
}));

async function modelOf(wire: Wire, pieces: readonly (string | Buffer)[], end?: 'cut') {
  const { model } = await serveWire(wire, [
    (response, { isStreamed }) => {
      response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
      for (const piece of pieces) response.write(piece);
      if (end === 'cut') response.write('\n', () => response.destroy());
      else response.end();
    },
  ]);
  return model;
}

describe.skipIf(!folder).each(both)('recorded, $wire.label', (provider) => {
  const { wire, whole, streams, refusals, frame } = provider;

  test('there is something to read', () => {
    expect([whole.length, streams.length, refusals.length].every((count) => count > 0)).toBe(true);
  });

  test.each(whole)('%s is read whole', async (name) => {
    const body = read(name);
    const reply = await (await modelOf(wire, [body])).call(requestOf({ tools }), contextOf());
    expectReply(reply, provider.ofWhole(JSON.parse(body)));
    expect(reply.servedBy).toBe(JSON.parse(body).model);
  });

  test.each(whole)('%s cut off is no reply', async (name) => {
    const body = read(name);
    const model = await modelOf(wire, [body.slice(0, body.length / 2)], 'cut');
    expect((await failureOf(model.call(requestOf({ tools }), contextOf()))).code).toBe('model-network');
  });

  test.each(streams)('$name is read as a stream, in whatever pieces', async ({ events }) => {
    const stream = events.map(frame).join('');
    const expected = provider.ofStream(events.map(parsed));
    for (const pieces of [[stream], inPieces(stream, 1), inPieces(stream, 7), inPieces(stream, 4093)]) {
      if (pieces.length > 20_000) continue;
      const heard = { text: '', reasoning: '' };
      const onDelta = (delta: { type: 'text' | 'reasoning'; text: string }) => {
        heard[delta.type] += delta.text;
      };
      const reply = await (await modelOf(wire, pieces)).call(requestOf({ tools }), contextOf({ onDelta }));
      expectReply(reply, expected);
      expect(heard).toEqual({ text: expected.text, reasoning: expected.reasoning });
    }
  });

  test.each(streams)('$name cut off is no reply, wherever it is cut', async ({ events }) => {
    const end = events.findIndex((event) => provider.isEnd(parsed(event)));
    expect(end).toBeGreaterThan(0);
    for (const until of new Set([0, 1, 2, Math.floor(end / 2), end - 1, end]))
      for (const how of ['cut', undefined] as const) {
        const model = await modelOf(wire, [events.slice(0, until).map(frame).join('')], how);
        const failure = await failureOf(model.call(requestOf({ tools }), contextOf({ onDelta: () => {} })));
        expect([until, failure.code]).toEqual([until, 'model-network']);
      }
  });

  test.each(refusals)('%s is a refusal in the words of the provider', async (name) => {
    const { message, code } = JSON.parse(read(name)).error;
    const isQuota = code === 'insufficient_quota';
    const { model } = await serveWire(wire, [
      (response) => void response.writeHead(isQuota ? 429 : 400).end(read(name)),
    ]);
    const failure = await failureOf(model.call(requestOf(), contextOf()));
    expect(failure.code).toBe(isQuota ? 'model-quota' : 'model-request-refused');
    expect(failure.message).toContain(message);
  });
});

test.skipIf(!folder)('recorded, a stream that failed', async () => {
  const events = read('openai-responses/openai-error.1.chunks.txt').trim().split('\n');
  for (const left of [events, events.slice(-1), events.slice(0, -1)]) {
    const framed = left.map((event) => `event: ${typeOf(event)}\ndata: ${event}\n\n`).join('');
    for (const pieces of [[framed], inPieces(framed, 7)]) {
      const model = await modelOf(openaiResponses, pieces);
      const failure = await failureOf(model.call(requestOf(), contextOf({ onDelta: () => {} })));
      expect(failure).toMatchObject({ code: 'model-quota', retryable: false });
      expect(failure.message).toContain('You exceeded your current quota');
    }
  }
});

/** In one recording, some events lack their last bracket. */
function parsed(event: string): Recorded {
  try {
    return JSON.parse(event);
  } catch {
    return JSON.parse(`${event}}`);
  }
}

/** In bytes, so that letters of several bytes are torn apart too. */
function inPieces(text: string, size: number): readonly Buffer[] {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) => bytes.subarray(i * size, (i + 1) * size));
}

function expectReply(reply: ModelReply, { text, reasoning, calls, outputTokens }: Expected): void {
  const parts = reply.message.content;
  expect(textOf(reply.message)).toBe(text);
  expect(parts.flatMap((part) => (part.type === 'reasoning' ? part.text : [])).join('')).toBe(reasoning);
  const made = callsOf(reply.message).map(({ id, name, input }) => ({ id, name, input: JSON.parse(input) }));
  expect(made).toEqual(calls);
  expect(reply.finishReason).toBe(calls.length > 0 ? 'tool-calls' : 'stop');
  expect(reply.usage.outputTokens).toBe(outputTokens);
}
