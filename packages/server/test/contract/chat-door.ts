// Chat completions as one API of models: what a client sends, and how it puts a stream together.

import { expect } from 'vitest';
import type { RawEvent } from '../support/sse-events.ts';
import type { ModelApi, ModelTalk, Read, Told, ToldError } from './model-door.ts';

export const chatApi: ModelApi = {
  path: '/v1/chat/completions',
  toBody,
  fromBody: ({ id, choices, ai_agent: about }) => ({ text: choices[0].message.content, about, id }),
  fromEvents,
};

function toBody({ agent, said, schema }: ModelTalk): object {
  const messages = said.map(({ role, text }) => ({ role, content: text }));
  const format = { type: 'json_schema', json_schema: { name: 'wanted', schema } };
  return {
    model: agent,
    messages,
    ...(schema ? { response_format: format } : {}),
  };
}

async function fromEvents(
  events: AsyncIterable<RawEvent>,
  onPiece: (piece: string) => void,
): Promise<Told | ToldError> {
  let text = '';
  let last: Read;
  let isDone = false;
  for await (const { data } of events) {
    expect(isDone, 'nothing comes after the end').toBe(false);
    isDone = data === '[DONE]';
    if (isDone) continue;
    last = JSON.parse(data);
    const piece = last.choices?.[0]?.delta?.content ?? '';
    text += piece;
    if (piece !== '') onPiece(piece);
  }
  if (last.error) return last.error;
  expect([isDone, last.choices[0].finish_reason]).toEqual([true, expect.any(String)]);
  return { text, about: last.ai_agent, id: last.id };
}
