// Whoever listens to a reply may throw: it comes all the same. And it is told of life only when something came.

import { textOf } from '@ai-agent/core';
import { fromLanguageModel } from '@ai-agent/models';
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { expect, test } from 'vitest';
import { contextOf, requestOf } from './support/calling.ts';
import { saying, text } from './support/saying.ts';

const fail = () => {
  throw new TypeError('not now');
};

test('a listener that throws', async () => {
  const model = fromLanguageModel(saying({ content: [text('<think>Hm.</think>Hello, <b>you</b>')] }, 2), {
    leaks: true,
  });
  const { message } = await model.call(requestOf(), contextOf({ onDelta: fail, onAlive: fail }));
  expect(textOf(message)).toBe('Hello, <b>you</b>');
});

test('what a package passes on as it was is no sign of life, the rest is', async () => {
  const raw: LanguageModelV4StreamPart = { type: 'raw', rawValue: 1 };
  const language = saying({ content: [text('Hello')] }, 1);
  const { stream } = await language.doStream({ prompt: [] });
  const parts: LanguageModelV4StreamPart[] = [];
  for await (const part of stream) parts.push(raw, part, raw);
  let alive = 0;
  const model = fromLanguageModel({ ...language, doStream: async () => ({ stream: ReadableStream.from(parts) }) });
  await model.call(requestOf(), contextOf({ onDelta: () => {}, onAlive: () => alive++ }));
  expect(alive).toBe(parts.length / 3);
});
