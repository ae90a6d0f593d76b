// The chunks of a streamed chat completion, added up to the completion that would have come whole.

import { isObject } from '@ai-agent/core';

export interface ChatDelta {
  readonly type: 'text' | 'reasoning';
  readonly text: string;
}

interface MergedCall extends Record<string, unknown> {
  index: unknown;
  id: unknown;
  function: { name: string; arguments: string };
}

export class ChatMerger {
  #content = '';
  #reasoning = '';
  #refusal = '';
  #finishReason: string | undefined;
  #frame: Record<string, unknown> = {};
  readonly #calls: MergedCall[] = [];

  get isFinished(): boolean {
    return this.#finishReason !== undefined;
  }

  /** What this chunk adds to the words. */
  take(chunk: Readonly<Record<string, unknown>>): readonly ChatDelta[] {
    const { id, model, usage, choices } = chunk;
    // Some begin with an empty frame, and most end with one that has nothing but the usage.
    if (id) this.#frame.id ??= id;
    if (model) this.#frame.model ??= model;
    if (usage) this.#frame.usage = usage;
    const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
    if (!isObject(choice)) return [];
    if (typeof choice.finish_reason === 'string') this.#finishReason = choice.finish_reason;
    return isObject(choice.delta) ? this.#takeDelta(choice.delta) : [];
  }

  whole(): Record<string, unknown> {
    const message = {
      role: 'assistant',
      content: this.#content,
      ...(this.#reasoning === '' ? {} : { reasoning_content: this.#reasoning }),
      ...(this.#refusal === '' ? {} : { refusal: this.#refusal }),
      ...(this.#calls.length === 0 ? {} : { tool_calls: this.#calls }),
    };
    return { ...this.#frame, choices: [{ index: 0, message, finish_reason: this.#finishReason }] };
  }

  #takeDelta(delta: Record<string, unknown>): readonly ChatDelta[] {
    const [thoughts, words] = readContent(delta.content);
    const reasoning = textOf(delta.reasoning_content ?? delta.reasoning) + thoughts;
    const refusal = textOf(delta.refusal);
    this.#reasoning += reasoning;
    this.#content += words;
    this.#refusal += refusal;
    if (Array.isArray(delta.tool_calls)) for (const call of delta.tool_calls) if (isObject(call)) this.#takeCall(call);
    const deltas: ChatDelta[] = [];
    if (reasoning !== '') deltas.push({ type: 'reasoning', text: reasoning });
    if (words !== '' || refusal !== '') deltas.push({ type: 'text', text: words + refusal });
    return deltas;
  }

  #takeCall({ index, id, function: part, extra_content: extra }: Record<string, unknown>): void {
    const { name, arguments: input } = isObject(part) ? part : ({} as Record<string, unknown>);
    let call = this.#callOf(index, id, name);
    if (!call) {
      call = { index, id: id || undefined, function: { name: '', arguments: '' } };
      this.#calls.push(call);
    }
    call.id ??= id || undefined;
    if (isObject(extra)) call.extra_content ??= extra;
    // A name comes in one piece; some repeat it, or send it blank, with every piece of the input.
    if (call.function.name === '') call.function.name = textOf(name);
    call.function.arguments += textOf(input);
  }

  /** By its index; without one, a new id or a name begins a new call. Some use one index for all calls of a turn. */
  #callOf(index: unknown, id: unknown, name: unknown): MergedCall | undefined {
    const last = this.#calls.findLast((call) => index === undefined || index === null || call.index === index);
    if (!last) return undefined;
    if (id && last.id) return this.#calls.find((call) => call.id === id);
    if (index === undefined || index === null) return name && last.function.name !== '' ? undefined : last;
    return last;
  }
}

/** A text, or a list of parts of which some are thoughts. */
function readContent(content: unknown): readonly [thoughts: string, words: string] {
  if (!Array.isArray(content)) return ['', textOf(content)];
  const parts = content.filter(isObject);
  const thoughts = parts.filter(({ type }) => type === 'thinking').flatMap(({ thinking }) => thinking);
  const words = parts.filter(({ type }) => type === 'text');
  return [joined(thoughts), joined(words)];
}

function joined(parts: readonly unknown[]): string {
  return parts.map((part) => (isObject(part) ? textOf(part.text) : '')).join('');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
