// Ollama, by its own API: on this machine, on another, or in its cloud.

import type { Reasoning } from '../reasoning.ts';
import { picture } from '../result-files.ts';
import type { OpenAdapter } from './adapter.ts';
import { addedFields, withFields } from './chat/chat-dialect.ts';
import { effortOf } from './effort.ts';
import { addressOf, bearer, headersOf } from './endpoint.ts';
import { openOllamaChat } from './ollama/open-ollama-chat.ts';

export const openOllama: OpenAdapter = (modelId, endpoint, traits) => {
  return {
    leaks: true,
    placeOf: (file) => (file.data.type === 'data' && picture.test(file.mediaType) ? 'after' : 'words'),
    languageModel: openOllamaChat(modelId, {
      url: addressOf(endpoint, '/chat'),
      headers: headersOf(endpoint, bearer(endpoint)),
      fetch: endpoint.fetch,
      contextWindow: traits.contextWindow,
      interleaved: traits.interleaved,
      added: addedFields(traits.custom, ['ollama', endpoint.name]),
    }),
    adapt: (options, { reasoning }) =>
      reasoning === undefined
        ? options
        : withFields(options, { think: toThink(reasoning, modelId, options.maxOutputTokens) }),
  };
};

/** Most can only be told to think or not to; these want to hear how hard. */
const takesWords = /gpt-oss/i;

function toThink(reasoning: Reasoning, modelId: string, maxOutputTokens: number | undefined): boolean | string {
  if (reasoning.type === 'effort') return words[reasoning.effort] ?? reasoning.effort;
  if (reasoning.type === 'level' && reasoning.level === 'none') return false;
  if (!takesWords.test(modelId)) return true;
  if (reasoning.type === 'budget') return effortOf(reasoning.tokens, maxOutputTokens);
  return reasoning.level === 'minimal' ? 'low' : reasoning.level;
}

const words: Readonly<Record<string, boolean>> = { true: true, false: false, none: false };
