// What Ollama answers, put together from one piece or from many.

import { isObject } from '@ai-agent/core';
import type {
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4Prompt,
  LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { invalid, textIn, throwIfError } from '../chat/chat-fields.ts';

type Fields = Readonly<Record<string, unknown>>;
type Call = Extract<LanguageModelV4Content, { type: 'tool-call' }>;

export interface OllamaDelta {
  readonly type: 'text' | 'reasoning';
  readonly text: string;
}

export class OllamaReply {
  readonly #taken: Set<string>;
  readonly #calls: Call[] = [];
  #thought = '';
  #words = '';
  #made = 0;
  #last: Fields | undefined;
  #modelId: string | undefined;

  /** Ids of calls are new to the whole conversation: older servers give none. */
  constructor(earlierIds: ReadonlySet<string>) {
    this.#taken = new Set(earlierIds);
  }

  get isDone(): boolean {
    return this.#last !== undefined;
  }

  get modelId(): string | undefined {
    return this.#modelId;
  }

  /** What this piece adds to the words. Throws the error that it is. */
  take(piece: unknown): readonly OllamaDelta[] {
    if (!isObject(piece)) throw invalid(piece, 'message');
    throwIfError(piece);
    if (!isObject(piece.message) && piece.done !== true) throw invalid(piece, 'message');
    const message = isObject(piece.message) ? piece.message : {};
    if (typeof piece.model === 'string') this.#modelId = piece.model;
    const thought = textIn(message, 'thinking');
    const words = textIn(message, 'content');
    this.#thought += thought;
    this.#words += words;
    for (const call of callsIn(message)) this.#calls.push(this.#toCall(call));
    if (piece.done === true) this.#last = piece;
    const deltas: OllamaDelta[] = [];
    if (thought !== '') deltas.push({ type: 'reasoning', text: thought });
    if (words !== '') deltas.push({ type: 'text', text: words });
    return deltas;
  }

  get calls(): readonly Call[] {
    return this.#calls;
  }

  content(): LanguageModelV4Content[] {
    return [
      ...(this.#thought === '' ? [] : [{ type: 'reasoning' as const, text: this.#thought }]),
      ...(this.#words === '' ? [] : [{ type: 'text' as const, text: this.#words }]),
      ...this.#calls,
    ];
  }

  finishReason(): LanguageModelV4FinishReason {
    const raw = typeof this.#last?.done_reason === 'string' ? this.#last.done_reason : undefined;
    if (raw === 'length') return { unified: 'length', raw };
    if (raw !== undefined && raw !== 'stop') return { unified: 'other', raw };
    return { unified: this.#calls.length > 0 ? 'tool-calls' : 'stop', raw };
  }

  /** A server that had the conversation at hand already may not say how long it is. */
  usage(): LanguageModelV4Usage {
    return {
      inputTokens: {
        total: figureIn(this.#last?.prompt_eval_count),
        noCache: undefined,
        cacheRead: undefined,
        cacheWrite: undefined,
      },
      outputTokens: { total: figureIn(this.#last?.eval_count), text: undefined, reasoning: undefined },
    };
  }

  #toCall(call: unknown): Call {
    const called = isObject(call) ? call.function : undefined;
    if (!isObject(call) || !isObject(called)) throw invalid(call, 'tool_calls');
    const name = textIn(called, 'name');
    if (name === '') throw invalid(call, 'tool_calls');
    const { arguments: input = {} } = called;
    return {
      type: 'tool-call',
      toolCallId: this.#idFor(textIn(call, 'id')),
      toolName: name,
      input: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
    };
  }

  #idFor(given: string): string {
    let id = given;
    while (id === '' || this.#taken.has(id)) id = `call_${++this.#made}`;
    this.#taken.add(id);
    return id;
  }
}

/** Ids of all calls that a conversation has so far. */
export function callIdsIn(prompt: LanguageModelV4Prompt): ReadonlySet<string> {
  const assistants = prompt.filter((message) => message.role === 'assistant');
  const parts = assistants.flatMap(({ content }) => content);
  return new Set(parts.flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : [])));
}

function callsIn({ tool_calls: calls }: Fields): readonly unknown[] {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) throw invalid(calls, 'tool_calls');
  return calls;
}

function figureIn(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
