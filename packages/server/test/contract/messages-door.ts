// Messages as one API of models: what a client sends, and how it puts the blocks together.

import { expect } from 'vitest';
import type { RawEvent } from '../support/sse-events.ts';
import type { ModelApi, ModelTalk, Read, Told, ToldError } from './model-door.ts';

export const messagesApi: ModelApi = {
  path: '/v1/messages',
  headers: { 'anthropic-version': '2023-06-01' },
  toBody,
  fromBody: ({ id, content, ai_agent: about }) => ({ text: content.map(textIn).join(''), about, id }),
  fromEvents,
};

function toBody({ agent, said, schema }: ModelTalk): object {
  return {
    model: agent,
    max_tokens: 1_000,
    messages: said.map(({ role, text }) => ({ role, content: text })),
    ...(schema ? { output_config: { format: { type: 'json_schema', schema } } } : {}),
  };
}

function textIn(block: Read): string {
  return block.type === 'text' ? block.text : '';
}

async function fromEvents(
  events: AsyncIterable<RawEvent>,
  onPiece: (piece: string) => void,
): Promise<Told | ToldError> {
  let text = '';
  let id = '';
  let about: Told['about'] | undefined;
  let last = '';
  for await (const { event, data } of events) {
    expect(last, 'nothing comes after the end').not.toBe('message_stop');
    const read: Read = JSON.parse(data);
    last = event;
    if (event === 'error') return read.error;
    if (event === 'message_start') id = read.message.id;
    if (event === 'message_delta') about = read.ai_agent;
    const piece = read.delta?.type === 'text_delta' ? read.delta.text : '';
    text += piece;
    if (piece !== '') onPiece(piece);
  }
  expect(last).toBe('message_stop');
  return { text, about: about as Told['about'], id };
}
