// Anthropic's Messages API.

import { AnthropicLanguageModel } from '@ai-sdk/anthropic/internal';
import type { OpenAdapter } from './adapter.ts';
import { addressOf, headersOf } from './endpoint.ts';

export const openAnthropic: OpenAdapter = (modelId, endpoint) => {
  const key: Record<string, string> = endpoint.apiKey === '' ? {} : { 'x-api-key': endpoint.apiKey };
  const languageModel = new AnthropicLanguageModel(modelId, {
    provider: 'anthropic.messages',
    baseURL: endpoint.baseUrl,
    buildRequestUrl: () => addressOf(endpoint, '/messages'),
    headers: headersOf(endpoint, { 'anthropic-version': '2023-06-01', ...key }),
    fetch: endpoint.fetch,
  });
  return { languageModel, namespace: 'anthropic' };
};
