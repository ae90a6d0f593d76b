// What a model says on the way to its answer. OpenAI marks it; it is no part of the answer, and goes back as it was said.

import { isObject } from '@ai-agent/core';
import type {
  LanguageModelV4Content,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart as Part,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';

/** In a whole reply: it counts as thought aloud. */
export function asThought(part: LanguageModelV4Content): LanguageModelV4Content {
  return part.type === 'text' && isCommentary(part.providerMetadata) ? { ...part, type: 'reasoning' } : part;
}

/** The same of a stream, where only its beginning is marked. */
export function thinkingAloud(): (part: Part) => Part {
  const ids = new Set<string>();
  return (part) => {
    if (part.type === 'text-start' && isCommentary(part.providerMetadata)) ids.add(part.id);
    if (!('id' in part) || !ids.has(part.id)) return part;
    if (part.type === 'text-start') return { ...part, type: 'reasoning-start' };
    if (part.type === 'text-delta') return { ...part, type: 'reasoning-delta' };
    return part.type === 'text-end' ? { ...part, type: 'reasoning-end' } : part;
  };
}

/** And back: OpenAI wants to see what it said under the mark it gave it. */
export function withCommentary(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  return prompt.map((message) => {
    if (message.role !== 'assistant') return message;
    const content = message.content.map((part) =>
      part.type === 'reasoning' && isCommentary(part.providerOptions) ? { ...part, type: 'text' as const } : part,
    );
    return { ...message, content };
  });
}

function isCommentary(metadata: SharedV4ProviderMetadata | undefined): boolean {
  return isObject(metadata?.openai) && metadata.openai.phase === 'commentary';
}
