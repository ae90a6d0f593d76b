// The chunks of a streamed chat completion, added up to the completion that would have come whole.

import { isObject } from '@ai-agent/core';
import { ChatCalls } from './chat-calls.ts';
import { invalid, textIn } from './chat-fields.ts';
import { addDetail, type Detail, detailsIn, textOfDetails } from './reasoning-details.ts';

export interface ChatDelta {
  readonly type: 'text' | 'reasoning';
  readonly text: string;
}

type Fields = Readonly<Record<string, unknown>>;

export class ChatMerger {
  #content = '';
  #reasoning = '';
  #reasoningField: 'reasoning' | 'reasoning_content' = 'reasoning';
  readonly #details: Detail[] = [];
  /** Whether reasoning came as a plain text: then it is not read from the blocks again. */
  #isNamed = false;
  #refusal = '';
  #finishReason = '';
  #frame: { id?: unknown; model?: unknown; usage?: unknown } = {};
  #madeIds = 0;
  readonly #calls = new ChatCalls(() => `${this.#frame.id ?? 'call'}_${++this.#madeIds}`);

  get isFinished(): boolean {
    return this.#finishReason !== '';
  }

  /** What this chunk adds to the words. */
  take(chunk: Fields): readonly ChatDelta[] {
    const { id, model, usage, choices } = chunk;
    // Some begin with an empty frame, and most end with one that has nothing but the usage.
    if (id) this.#frame.id ??= id;
    if (model) this.#frame.model ??= model;
    if (usage) this.#frame.usage = usage;
    const choice: unknown = listIn(choices, chunk)[0];
    if (choice === undefined) return [];
    if (!isObject(choice)) throw invalid(chunk, 'choices');
    this.#finishReason = textIn(choice, 'finish_reason') || this.#finishReason;
    const delta = choice.delta ?? {};
    if (!isObject(delta)) throw invalid(choice, 'delta');
    return this.#takeDelta(delta);
  }

  whole(): Record<string, unknown> {
    const calls = this.#calls.whole();
    const message = {
      role: 'assistant',
      content: this.#content,
      ...(this.#reasoning === '' ? {} : { [this.#reasoningField]: this.#reasoning }),
      ...(this.#details.length === 0 ? {} : { reasoning_details: this.#details }),
      ...(this.#refusal === '' ? {} : { refusal: this.#refusal }),
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
    };
    return { ...this.#frame, choices: [{ index: 0, message, finish_reason: this.#finishReason }] };
  }

  #takeDelta(delta: Fields): readonly ChatDelta[] {
    const [thoughts, words] = readContent(delta);
    const isNamedSo = delta.reasoning_content !== undefined && delta.reasoning_content !== null;
    const named = textIn(delta, isNamedSo ? 'reasoning_content' : 'reasoning') + thoughts;
    const blocks = delta.reasoning_details ? this.#takeDetails(delta) : '';
    const reasoning = named || blocks;
    this.#isNamed ||= named !== '';
    // Some say false here.
    const refusal = typeof delta.refusal === 'string' ? delta.refusal : '';
    if (isNamedSo && reasoning !== '') this.#reasoningField = 'reasoning_content';
    this.#reasoning += reasoning;
    this.#content += words;
    this.#refusal += refusal;
    for (const call of listIn(delta.tool_calls, delta)) this.#calls.take(call);
    const deltas: ChatDelta[] = [];
    if (reasoning !== '') deltas.push({ type: 'reasoning', text: reasoning });
    if (words !== '' || refusal !== '') deltas.push({ type: 'text', text: words + refusal });
    return deltas;
  }

  #takeDetails(delta: Fields): string {
    const pieces = detailsIn(delta);
    for (const piece of pieces) addDetail(this.#details, piece);
    return this.#isNamed ? '' : textOfDetails(pieces);
  }
}

function listIn(value: unknown, data: unknown): readonly unknown[] {
  const list = value ?? [];
  if (!Array.isArray(list)) throw invalid(data, 'choices or tool_calls');
  return list;
}

/** A text, or a list of parts of which some are thoughts. */
function readContent(delta: Fields): readonly [thoughts: string, words: string] {
  if (!Array.isArray(delta.content)) return ['', textIn(delta, 'content')];
  const parts = delta.content.filter(isObject);
  const thoughts = parts.filter(({ type }) => type === 'thinking').flatMap(({ thinking }) => thinking);
  const words = parts.filter(({ type }) => type === 'text');
  return [joined(thoughts), joined(words)];
}

function joined(parts: readonly unknown[]): string {
  return parts.map((part) => (isObject(part) ? textIn(part, 'text') : '')).join('');
}
