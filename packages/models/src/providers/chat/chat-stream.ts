// A streamed chat completion as stream parts: words as they come, the rest when it is complete.

import { isObject } from '@ai-agent/core';
import type { LanguageModelV4Content, LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { type PartReader, type Parts, toPartStream } from '../part-stream.ts';
import { invalid, throwIfError } from './chat-fields.ts';
import { ChatMerger } from './chat-merger.ts';
import { type ChatReader, parseJson, readCompletion } from './read-completion.ts';
import { EventReader } from './server-sent-events.ts';

/** Ends without a finish part when the provider did not say that it is finished. Errors when it wrote an error. */
export function toParts(response: Response, reader: ChatReader): ReadableStream<LanguageModelV4StreamPart> {
  return toPartStream(response, new ChatStream(reader));
}

class ChatStream implements PartReader {
  readonly #reader: ChatReader;
  readonly #events = new EventReader();
  readonly #merger = new ChatMerger();
  /** Some do not stream although they were asked to: the completion so far. */
  #whole: { text: string; readonly decoder: InstanceType<typeof TextDecoder> } | undefined;
  #hasBegun = false;
  /** The provider said that nothing more will come, after the reply was complete. */
  isDone = false;

  constructor(reader: ChatReader) {
    this.#reader = reader;
  }

  /** How many parts these bytes gave. */
  take(bytes: Uint8Array, parts: Parts): number {
    if (!this.#hasBegun) this.#begin(bytes);
    if (this.#whole) {
      this.#whole.text += this.#whole.decoder.decode(bytes, { stream: true });
      return 0;
    }
    let count = 0;
    for (const event of this.#events.take(bytes)) count += this.#takeEvent(event, parts);
    return count;
  }

  async end(parts: Parts): Promise<void> {
    const isWhole = this.#whole !== undefined;
    if (isWhole || this.#merger.isFinished) {
      const body = this.#whole ? parseJson(this.#whole.text) : this.#merger.whole();
      if (isWhole) parts.enqueue({ type: 'raw', rawValue: body });
      const read = await readCompletion(this.#reader, body);
      const { content, finishReason, usage, response, providerMetadata } = read;
      for (const part of content) for (const told of toStreamParts(part, isWhole)) parts.enqueue(told);
      parts.enqueue({ type: 'response-metadata', ...response });
      parts.enqueue({ type: 'finish', finishReason, usage, ...(providerMetadata ? { providerMetadata } : {}) });
    }
    parts.close();
  }

  /** No event begins with a brace. */
  #begin(bytes: Uint8Array): void {
    const first = bytes.find((byte) => byte > 0x20);
    this.#hasBegun = first !== undefined;
    if (first === 0x7b) this.#whole = { text: '', decoder: new TextDecoder() };
  }

  #takeEvent(event: string, parts: Parts): number {
    if (event === '[DONE]') this.isDone = this.#merger.isFinished;
    if (event === '[DONE]' || event.trim() === '') return 0;
    const chunk = parseJson(event);
    if (!isObject(chunk)) throw invalid(chunk, 'choices');
    throwIfError(chunk);
    if (isObject(chunk.usage)) parts.enqueue({ type: 'raw', rawValue: { usage: chunk.usage } });
    const deltas = this.#merger.take(chunk);
    for (const { type, text } of deltas) parts.enqueue({ type: `${type}-delta`, id: type, delta: text });
    if (deltas.length > 0 || !goesOn(chunk)) return deltas.length;
    // Nothing to tell yet, and yet a sign of life.
    parts.enqueue({ type: 'tool-input-delta', id: 'alive', delta: '' });
    return 1;
  }
}

/** Whether it brings the reply nearer to its end: calls, why it finished, figures. Some send empty chunks to be waited for. */
function goesOn({ usage, choices }: Readonly<Record<string, unknown>>): boolean {
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  if (!isObject(choice)) return isObject(usage);
  const { delta, finish_reason: finish } = choice;
  return Boolean(finish) || (isObject(delta) && Array.isArray(delta.tool_calls) && delta.tool_calls.length > 0);
}

/** What was told already is only closed, with what is bound to it. */
function toStreamParts(part: LanguageModelV4Content, isWhole: boolean): readonly LanguageModelV4StreamPart[] {
  if (part.type === 'tool-call') return [part];
  if (part.type !== 'text' && part.type !== 'reasoning') return [];
  const { type, text, providerMetadata } = part;
  const end = { type: `${type}-end`, id: type, ...(providerMetadata ? { providerMetadata } : {}) } as const;
  return isWhole ? [{ type: `${type}-delta`, id: type, delta: text }, end] : [end];
}
