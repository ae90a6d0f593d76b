// What one kind of provider wants said otherwise, or besides, in a chat-completions request.

import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ProviderType } from '../../config/well-known.ts';

/** Fields that replace those of the body; one that is undefined is not sent. */
export type Dialect = (options: LanguageModelV4CallOptions) => Readonly<Record<string, unknown>> | undefined;

/** The common fields are all that is sent where the type is not in this table: some refuse a field they do not know. */
const dialects: Partial<Record<ProviderType, Dialect>> = {
  // Its reasoning models refuse max_tokens; the others take either.
  openai: ({ maxOutputTokens }) => ({ max_tokens: undefined, max_completion_tokens: maxOutputTokens }),
  openrouter: ({ topK }) => (topK === undefined ? undefined : { top_k: topK }),
  'openai-compatible': localFields,
  ollama: localFields,
};

export function dialectOf(type: ProviderType): Dialect {
  return dialects[type] ?? (() => undefined);
}

/** Servers of open models count repeats in their own way, under their own name. */
function localFields({ topK, frequencyPenalty }: LanguageModelV4CallOptions) {
  if (topK === undefined && frequencyPenalty === undefined) return undefined;
  return { top_k: topK, repeat_penalty: frequencyPenalty };
}
