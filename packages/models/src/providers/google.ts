// Google's Gemini API.

import { GoogleLanguageModel } from '@ai-sdk/google/internal';
import type { OpenAdapter } from './adapter.ts';
import { headersOf } from './endpoint.ts';

export const openGoogle: OpenAdapter = (modelId, endpoint) => {
  const key: Record<string, string> = endpoint.apiKey === '' ? {} : { 'x-goog-api-key': endpoint.apiKey };
  let calls = 0;
  const languageModel = new GoogleLanguageModel(modelId, {
    provider: 'google.generative-ai',
    baseURL: endpoint.baseUrl,
    headers: headersOf(endpoint, key),
    fetch: endpoint.fetch,
    generateId: () => `call_${++calls}`,
  });
  return { languageModel, namespace: 'google' };
};
