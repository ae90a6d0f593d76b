// A streamed chat completion as stream parts: words as they come, the rest when it is complete.

import { isObject } from '@ai-agent/core';
import type { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { InvalidResponseDataError, JSONParseError, type LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { ChatMerger } from './chat-merger.ts';
import { EventReader } from './server-sent-events.ts';

type Parts = ReadableStreamDefaultController<LanguageModelV4StreamPart>;

/** Ends without a finish part when the provider did not say that it is finished. Errors when it wrote an error. */
export function toParts(
  response: Response,
  chat: OpenAICompatibleChatLanguageModel,
): ReadableStream<LanguageModelV4StreamPart> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const events = new EventReader();
  const merger = new ChatMerger();

  async function pull(parts: Parts): Promise<void> {
    // Not everything that arrives is a part, and a pull that gives none is not repeated.
    for (let count = 0; count === 0; ) {
      const { done, value } = await reader.read();
      if (done) return end(parts, merger, chat);
      for (const event of events.take(value)) count += take(event, parts, merger);
    }
  }

  return new ReadableStream({ pull, cancel: (reason) => reader.cancel(reason) }, { highWaterMark: 0 });
}

export function parseReply(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JSONParseError({ text, cause });
  }
}

function take(event: string, parts: Parts, merger: ChatMerger): number {
  if (event === '[DONE]' || event.trim() === '') return 0;
  const chunk = parseReply(event);
  if (!isObject(chunk)) throw new InvalidResponseDataError({ data: chunk });
  if (chunk.error) throw isObject(chunk.error) ? chunk.error : { message: String(chunk.error) };
  const deltas = merger.take(chunk);
  for (const { type, text } of deltas) parts.enqueue({ type: `${type}-delta`, id: type, delta: text });
  return deltas.length;
}

async function end(parts: Parts, merger: ChatMerger, chat: OpenAICompatibleChatLanguageModel): Promise<void> {
  if (merger.isFinished) {
    const { content, finishReason, usage, response } = await chat.convertResponse({ body: merger.whole() });
    for (const part of content) if (part.type === 'tool-call') parts.enqueue(part);
    parts.enqueue({ type: 'response-metadata', ...response });
    parts.enqueue({ type: 'finish', finishReason, usage });
  }
  parts.close();
}
