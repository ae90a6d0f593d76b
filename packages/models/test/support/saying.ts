// A language model that says exactly what the test gives it: whole, or in pieces of any size.

import { callsOf, type ModelDelta, type ModelReply, type ModelRequest, type ToolSpec, textOf } from '@ai-agent/core';
import { fromLanguageModel } from '@ai-agent/models';
import type {
  LanguageModelV4,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { contextOf, requestOf } from './calling.ts';

export interface Said {
  readonly content: readonly LanguageModelV4Content[];
  readonly finish?: LanguageModelV4FinishReason['unified'];
  /** Whether its API keeps thoughts and calls apart from the text. @default false */
  readonly isKeptApart?: boolean;
}

export function text(words: string): LanguageModelV4Content {
  return { type: 'text', text: words };
}

export function call(input: string, toolName = 'search'): LanguageModelV4Content {
  return { type: 'tool-call', toolCallId: 'real', toolName, input };
}

export function tool(name: string, inputSchema: ToolSpec['inputSchema'] = { type: 'object' }): ToolSpec {
  return { name, description: `Does ${name}.`, inputSchema };
}

export const tools: readonly ToolSpec[] = [
  tool('search', {
    type: 'object',
    properties: {
      q: { type: 'string' },
      limit: { type: 'integer' },
      exact: { type: 'boolean' },
      tags: { type: 'array', items: { type: 'string' } },
      since: { type: ['string', 'null'] },
      where: { anyOf: [{ type: 'object' }, { type: 'null' }] },
    },
    required: ['q'],
  }),
  tool('list_all', { type: 'object', properties: {} }),
  tool('files__write', { type: 'object', properties: { path: { type: 'string' }, body: { type: 'string' } } }),
];

export function saying({ content, finish = 'stop' }: Said, size = Number.POSITIVE_INFINITY): LanguageModelV4 {
  const end = {
    finishReason: { unified: finish, raw: finish },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
  } as Pick<Extract<LanguageModelV4StreamPart, { type: 'finish' }>, 'finishReason' | 'usage'>;
  return {
    specificationVersion: 'v4',
    provider: 'p',
    modelId: 'm',
    supportedUrls: {},
    doGenerate: async () => ({ content: [...content], ...end, warnings: [] }),
    doStream: async () => ({
      stream: ReadableStream.from([
        ...content.flatMap((part, i) => toParts(part, `${i}`, size)),
        { type: 'finish', ...end },
      ]),
    }),
  } as LanguageModelV4;
}

function toParts(part: LanguageModelV4Content, id: string, size: number): readonly LanguageModelV4StreamPart[] {
  if (part.type !== 'text') return [part as LanguageModelV4StreamPart];
  return [
    { type: 'text-start', id },
    ...piecesOf(part.text, size).map((delta) => ({ type: 'text-delta' as const, id, delta })),
    { type: 'text-end', id },
  ];
}

export function piecesOf(words: string, size: number): readonly string[] {
  const pieces: string[] = [];
  for (let at = 0; at < words.length; at += size) pieces.push(words.slice(at, at + size));
  return pieces;
}

export interface Heard {
  readonly reply: ModelReply;
  readonly text: string;
  readonly thought: string;
  /** Names and arguments. */
  readonly calls: readonly (readonly [string, unknown])[];
  readonly deltas: readonly ModelDelta[];
}

export async function hear(said: Said, request: Partial<ModelRequest> = {}, size?: number): Promise<Heard> {
  const deltas: ModelDelta[] = [];
  const onDelta = (delta: ModelDelta) => deltas.push(delta);
  const model = fromLanguageModel(saying(said, size), { leaks: !said.isKeptApart });
  const context = contextOf(size === undefined ? {} : { onDelta });
  const reply = await model.call(requestOf({ tools, ...request }), context);
  const thought = reply.message.content.flatMap((part) => (part.type === 'reasoning' ? part.text : [])).join('');
  const calls = callsOf(reply.message).map(({ name, input }) => [name, parsed(input)] as const);
  return { reply, text: textOf(reply.message), thought, calls, deltas };
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return `not JSON: ${input}`;
  }
}

export function told(deltas: readonly ModelDelta[], type: ModelDelta['type']): string {
  return deltas.flatMap((delta) => (delta.type === type ? delta.text : [])).join('');
}

/** The whole reply; streamed in pieces of every size it must be the same, and so must what was told meanwhile. */
export async function hearEveryWay(said: Said, request: Partial<ModelRequest> = {}): Promise<Heard> {
  const whole = await hear(said, request);
  const longest = Math.max(...said.content.map((part) => (part.type === 'text' ? part.text.length : 1)));
  for (let size = 1; size <= longest; size += size < 40 ? 1 : 37) {
    const { reply, deltas } = await hear(said, request, size);
    const streamed = { content: reply.message.content, finish: reply.finishReason, told: told(deltas, 'text') };
    const expected = { content: whole.reply.message.content, finish: whole.reply.finishReason, told: whole.text };
    if (JSON.stringify(streamed) !== JSON.stringify(expected))
      throw new Error(`In pieces of ${size}: ${JSON.stringify(streamed)} is not ${JSON.stringify(expected)}`);
    if (told(deltas, 'reasoning') !== whole.thought)
      throw new Error(`In pieces of ${size}, thoughts were told as ${JSON.stringify(told(deltas, 'reasoning'))}`);
  }
  return whole;
}
