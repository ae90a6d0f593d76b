// A streamed answer as our reply: deltas to whoever listens, and in the end the whole, or a rejection.

import { AgentError, type ModelContext, type ModelDelta, type ModelReply } from '@ai-agent/core';
import {
  InvalidResponseDataError,
  type LanguageModelV4StreamPart,
  type LanguageModelV4StreamResult,
  type SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import { type Answer, type Reading, type ReplyPart, toModelReply, toReplyPart, usageIn } from './from-reply.ts';
import { HeldDeltas } from './quirks/held-deltas.ts';
import type { Offer } from './quirks/offer.ts';
import { type PutRight, putRight } from './quirks/put-right.ts';

/** How one streamed reply is read: as all of its model, and by what was asked. */
export interface StreamReading extends Reading {
  readonly offer: Offer;
}

export async function fromStream(
  { stream, response }: LanguageModelV4StreamResult,
  reading: StreamReading,
  context: ModelContext,
): Promise<ModelReply> {
  const collector = new Collector(reading, context, response?.headers?.['content-type']);
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) collector.take(next.value);
  } catch (error) {
    // The rest is of no use, and the provider need not write it.
    reader.cancel(error).catch(() => {});
    throw error;
  }
  const right = await putRight(toModelReply(collector.answer(), reading, context), reading.offer);
  collector.finish(right);
  return right.reply;
}

interface Block {
  readonly type: 'text' | 'reasoning';
  text: string;
  providerMetadata?: SharedV4ProviderMetadata;
}

class Collector {
  readonly #reading: StreamReading;
  readonly #context: ModelContext;
  readonly #parts: (Block | ReplyPart)[] = [];
  readonly #open = new Map<string, Block>();
  readonly #contentType: string | undefined;
  /** Nobody listens, nothing has to be held. */
  readonly #deltas: HeldDeltas | undefined;
  #finish: Extract<LanguageModelV4StreamPart, { type: 'finish' }> | undefined;
  #modelId: string | undefined;

  constructor(reading: StreamReading, context: ModelContext, contentType: string | undefined) {
    this.#reading = reading;
    this.#context = context;
    this.#contentType = contentType;
    this.#deltas = context.onDelta ? new HeldDeltas(reading.offer, (delta) => this.#tell(delta)) : undefined;
  }

  take(part: LanguageModelV4StreamPart): void {
    // A package may pass on what it received as it was; whatever that comes to, comes as well.
    if (part.type !== 'raw') this.#tellAlive();
    switch (part.type) {
      case 'text-delta':
        this.#append('text', part);
        return;
      case 'reasoning-delta':
        this.#append('reasoning', part);
        return;
      case 'text-start':
      case 'reasoning-start':
      case 'text-end':
      case 'reasoning-end':
        this.#bound(part);
        return;
      case 'tool-call': {
        const call = toReplyPart(part, this.#reading.boundTo);
        if (call) this.#takeCall(call);
        return;
      }
      case 'response-metadata':
        this.#modelId = part.modelId || this.#modelId;
        return;
      case 'raw':
        this.#reportUsage(part.rawValue);
        return;
      case 'finish':
        this.#finish = part;
        return;
      case 'error':
        throw isUnfinished(part.error) ? this.#unfinished(part.error) : part.error;
    }
  }

  answer(): Answer {
    if (!this.#finish) throw this.#unfinished(undefined);
    const content = this.#parts.flatMap((part) => this.#closed(part) ?? []);
    const { finishReason, usage, providerMetadata: metadata } = this.#finish;
    return { content, finishReason, usage, modelId: this.#modelId, metadata };
  }

  /** Tells what was held back until the whole was known. */
  finish(right: PutRight): void {
    this.#deltas?.finish(right);
  }

  #append(type: Block['type'], { id, delta, providerMetadata }: BlockEvent & { readonly delta: string }): void {
    const block = this.#block(type, id);
    block.text += delta;
    if (providerMetadata) block.providerMetadata = { ...block.providerMetadata, ...providerMetadata };
    if (delta === '') return;
    if (type === 'text') this.#deltas?.text(delta);
    else this.#tell({ type, text: delta });
  }

  #takeCall(call: ReplyPart): void {
    this.#parts.push(call);
    this.#deltas?.release();
  }

  #reportUsage(chunk: unknown): void {
    const usage = usageIn(chunk, this.#reading);
    if (usage) this.#context.onUsage?.(usage);
  }

  #tellAlive(): void {
    try {
      this.#context.onAlive?.();
    } catch {
      // The reply goes on.
    }
  }

  /** Whoever listens cannot spoil the reply: what a listener throws is its own affair. */
  #tell(delta: ModelDelta): void {
    try {
      this.#context.onDelta?.(delta);
    } catch {
      // The reply goes on.
    }
  }

  /** Starts and ends of blocks; both may carry what the provider wants back. */
  #bound({ type, id, providerMetadata }: BlockEvent & { readonly type: `${Block['type']}-${'start' | 'end'}` }): void {
    const kind = type.startsWith('text') ? 'text' : 'reasoning';
    // An id may be used again for a later block.
    if (type.endsWith('-start')) this.#open.delete(`${kind} ${id}`);
    const block = this.#block(kind, id);
    if (providerMetadata) block.providerMetadata = { ...block.providerMetadata, ...providerMetadata };
    if (type.endsWith('-end')) this.#open.delete(`${kind} ${id}`);
  }

  #block(type: Block['type'], id: string): Block {
    const key = `${type} ${id}`;
    let block = this.#open.get(key);
    if (!block) {
      block = { type, text: '' };
      this.#open.set(key, block);
      this.#parts.push(block);
      if (type === 'text') this.#deltas?.nextBlock();
    }
    return block;
  }

  /** A stream that was none, such as a page of a proxy, is another matter than one that broke off. */
  #unfinished(cause: unknown): AgentError {
    const isStream = this.#contentType?.startsWith('text/event-stream') ?? true;
    if (isStream || this.#parts.length > 0)
      return new AgentError('model-network', 'The stream ended before the reply was complete.', { cause });
    return new AgentError('model-reply-invalid', `The reply is not a stream of events but ${this.#contentType}.`, {
      cause,
    });
  }

  #closed(part: Block | ReplyPart): ReplyPart | undefined {
    if (part.type === 'tool-call' || 'bound' in part) return part;
    const block = part as Block;
    return block.text === '' && !block.providerMetadata ? undefined : toReplyPart(block, this.#reading.boundTo);
  }
}

interface BlockEvent {
  readonly id: string;
  readonly providerMetadata?: SharedV4ProviderMetadata;
}

/** How provider packages say that the stream ended in the middle: invalid data, and no data. */
function isUnfinished(error: unknown): boolean {
  return InvalidResponseDataError.isInstance(error) && error.data === undefined;
}
