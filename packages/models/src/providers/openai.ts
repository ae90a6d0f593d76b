// OpenAI itself: the Responses API, or chat completions where the configuration says so.

import { OpenAIChatLanguageModel, OpenAIResponsesLanguageModel } from '@ai-sdk/openai/internal';
import type { OpenAdapter } from './adapter.ts';
import { addressOf, headersOf } from './endpoint.ts';

export const openOpenAI: OpenAdapter = (modelId, endpoint, { openaiMode }) => {
  const key: Record<string, string> = endpoint.apiKey === '' ? {} : { authorization: `Bearer ${endpoint.apiKey}` };
  const config = {
    url: ({ path }: { path: string }) => addressOf(endpoint, path),
    headers: () => headersOf(endpoint, key),
    fetch: endpoint.fetch,
  };
  const languageModel =
    openaiMode === 'chat'
      ? new OpenAIChatLanguageModel(modelId, { ...config, provider: 'openai.chat' })
      : new OpenAIResponsesLanguageModel(modelId, {
          ...config,
          provider: 'openai.responses',
          fileIdPrefixes: ['file-'],
        });
  return { languageModel, namespace: 'openai' };
};
