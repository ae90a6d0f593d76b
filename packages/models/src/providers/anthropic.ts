// Anthropic's Messages API.

import { AnthropicLanguageModel } from '@ai-sdk/anthropic/internal';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { picture, placing } from '../result-files.ts';
import { withOptions } from '../to-call.ts';
import type { Adapter, Asked, OpenAdapter } from './adapter.ts';
import { withMarkers } from './anthropic/cache-markers.ts';
import { toAcceptable } from './anthropic/conversation.ts';
import { knownOnly } from './anthropic/known-only.ts';
import { withNativeFormat } from './anthropic/output-format.ts';
import { withSafeKeys } from './anthropic/property-keys.ts';
import { finishOf, reportedUsage, saidUsageOnly } from './anthropic/read-answer.ts';
import { headersTo } from './anthropic/request-headers.ts';
import { maxTokensOf, withThinking } from './anthropic/thinking.ts';
import { withTools } from './anthropic/tools.ts';
import { withCallIds, wordOf } from './call-ids.ts';
import { addressOf } from './endpoint.ts';
import { renaming } from './renaming.ts';

const toSafeId = wordOf(64);

/** From here on an answer takes so long that the API refuses to give it whole. */
const streamedFrom = 21_333;

/** The system prompt that the API adds for tools has up to about this many tokens, depending on the model. */
const toolPromptTokens = 350;

export const openAnthropic: OpenAdapter = (modelId, endpoint, traits): Adapter => {
  const languageModel = new AnthropicLanguageModel(modelId, {
    provider: 'anthropic.messages',
    baseURL: endpoint.baseUrl,
    buildRequestUrl: () => addressOf(endpoint, '/messages'),
    headers: headersTo(endpoint),
    fetch: knownOnly(endpoint.fetch),
  });

  function adapt(options: LanguageModelV4CallOptions, asked: Asked): LanguageModelV4CallOptions {
    const { stopSequences, ...rest } = options;
    // Blanks alone are refused.
    const stops = stopSequences?.filter((text) => text.trim() !== '') ?? [];
    const maxOutputTokens = maxTokensOf(options.maxOutputTokens, modelId);
    const said = { ...rest, maxOutputTokens, prompt: withCallIds(toAcceptable(options.prompt), toSafeId), ...own };
    const asking = withTools(stops.length === 0 ? said : { ...said, stopSequences: stops }, asked.request, traits);
    const thinking = withThinking(withNativeFormat(asking, modelId, traits), asked.reasoning, modelId);
    return asked.request.settings.caching === 'none' ? thinking : withMarkers(thinking);
  }

  return {
    languageModel: renaming(saidUsageOnly(languageModel), withSafeKeys),
    namespace: 'anthropic',
    toolPromptTokens,
    placeOf: placing({ inside: [picture, /^application\/pdf$/], after: [] }),
    adapt,
    finishOf,
    reportedUsage,
    mustStream: ({ settings }) => maxTokensOf(settings.maxOutputTokens, modelId) >= streamedFrom,
  };
};

/** Tools are said in the same way whether streamed or not: they begin what is cached. */
const own = { providerOptions: withOptions(undefined, 'anthropic', { toolStreaming: false }) };
