// Where the provider is asked to keep the beginning of a conversation: at most three places of the four it allows.

import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';

const marker = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * After the system prompt, which the tools stand before; after the last message; and where the request before this one
 * ended: the provider looks only some twenty blocks back for what it has kept, and a turn may have more.
 */
export function withMarkers(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { prompt, tools } = options;
  const system = prompt.findLastIndex(({ role }) => role === 'system');
  const marked = new Set([system, endOfRequestBefore(prompt), prompt.length - 1]);
  return {
    ...options,
    prompt: prompt.map((message, i) => (marked.has(i) ? { ...message, providerOptions: marker } : message)),
    ...(tools && system === -1
      ? { tools: tools.map((tool, i) => (i === tools.length - 1 ? { ...tool, providerOptions: marker } : tool)) }
      : {}),
  };
}

/** What the last answer was an answer to. */
function endOfRequestBefore(prompt: LanguageModelV4Prompt): number {
  const answer = prompt.findLastIndex(({ role }) => role === 'assistant');
  return prompt.findLastIndex(({ role }, i) => i < answer && (role === 'user' || role === 'tool'));
}
