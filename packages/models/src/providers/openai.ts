// OpenAI itself: the Responses API, or chat completions where the configuration says so.

import { OpenAIChatLanguageModel, OpenAIResponsesLanguageModel } from '@ai-sdk/openai/internal';
import { picture, placing, whereUsual } from '../result-files.ts';
import type { OpenAdapter } from './adapter.ts';
import { addressOf, bearer, headersOf } from './endpoint.ts';
import { readingAll } from './openai/read-answers.ts';
import { toChatCall, toResponsesCall } from './openai/to-openai-call.ts';
import { reportedUsage } from './openai/usage-as-said.ts';

export const openOpenAI: OpenAdapter = (modelId, endpoint, { openaiMode, formats, supportsStructuredOutputs }) => {
  const isChat = openaiMode === 'chat';
  const told = { modelId, formats, takesSchemas: supportsStructuredOutputs ?? true };
  const headers = headersOf(endpoint, bearer(endpoint));
  const url = ({ path }: { readonly path: string }) => addressOf(endpoint, path);

  function open(fetch: typeof globalThis.fetch) {
    const config = { url, headers: () => headers, fetch };
    if (isChat) return new OpenAIChatLanguageModel(modelId, { ...config, provider: 'openai.chat' });
    const provider = 'openai.responses';
    return new OpenAIResponsesLanguageModel(modelId, { ...config, provider, fileIdPrefixes: ['file-'] });
  }

  const put = isChat ? toChatCall : toResponsesCall;
  return {
    languageModel: readingAll(open, endpoint.fetch),
    namespace: 'openai',
    reportedUsage,
    placeOf: isChat ? whereUsual : placing({ inside: taken, after: [] }),
    adapt: (options, asked) => put(options, asked, told),
  };
};

/** Also at an address. */
const taken = [picture, /^application\/pdf$/];
