// Providers that speak the chat-completions API of OpenAI: most of them, hosted or on the next machine.

import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { ProviderType } from '../config/well-known.ts';
import type { OpenAdapter } from './adapter.ts';
import { dialectOf } from './chat/chat-dialect.ts';
import { openChat } from './chat/open-chat.ts';
import { withoutForeignReasoning } from './chat/read-completion.ts';
import { toUsage } from './chat/wire-usage.ts';
import { addressOf, headersOf } from './endpoint.ts';

export const openCompatible: OpenAdapter = (modelId, endpoint, traits) =>
  openSpeaking('openai-compatible', modelId, endpoint, traits);

export function openSpeaking(
  type: ProviderType,
  ...[modelId, endpoint, traits]: Parameters<OpenAdapter>
): ReturnType<OpenAdapter> {
  const { supportsStructuredOutputs = false } = traits;
  const adaptFormat = supportsStructuredOutputs ? withLooseSchema : withoutJsonModeBesideTools;
  const key: Record<string, string> = endpoint.apiKey === '' ? {} : { authorization: `Bearer ${endpoint.apiKey}` };
  const target = {
    url: addressOf(endpoint, '/chat/completions'),
    headers: headersOf(endpoint, key),
    fetch: endpoint.fetch,
    dialect: dialectOf(type),
  };
  // Every setting is said: what is left out, a package may take from the environment.
  const languageModel = openChat(modelId, target, {
    provider: `${endpoint.name}.chat`,
    includeUsage: true,
    supportsStructuredOutputs,
    supportsMultiPartToolContent: false,
    convertUsage: toUsage,
  });
  return {
    languageModel,
    namespace: 'openaiCompatible',
    adapt: (asked) => adaptFormat(withoutForeignReasoning(asked)),
  };
}

/** Strict mode refuses most schemas people write; the report is validated on our side anyway. */
function withLooseSchema(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  if (options.responseFormat?.type !== 'json') return options;
  return { ...options, providerOptions: { openaiCompatible: { strictJsonSchema: false } } };
}

/** Held to any JSON object, several servers refuse the request or never call a tool. */
function withoutJsonModeBesideTools(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { responseFormat, ...rest } = options;
  return responseFormat && !options.tools ? options : rest;
}
