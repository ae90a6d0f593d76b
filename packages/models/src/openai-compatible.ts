// Providers that speak the chat-completions API of OpenAI: most of them, hosted or on the next machine.

import { AgentError, type Model } from '@ai-agent/core';
import type { LanguageModelV4CallOptions, LanguageModelV4Usage } from '@ai-sdk/provider';
import { fromLanguageModel } from './ai-sdk-model.ts';
import { withLeanTransfer } from './chat-completions.ts';
import type { Transport } from './http-transport.ts';

export interface OpenAICompatibleOptions {
  /** What the provider is called in `provider/model`. */
  readonly name: string;
  /** Where the API is, version included: `https://host/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token. @default no authorization */
  readonly apiKey?: string;
  /** Sent with every request, after the key. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it can be held to a JSON Schema. @default false */
  readonly supportsStructuredOutputs?: boolean;
  readonly transport: Transport;
  /** Milliseconds since 1970. Without it, a Retry-After that names a date is not understood. */
  readonly now?: () => number;
}

export function openaiCompatible(options: OpenAICompatibleOptions): (modelId: string) => Promise<Model> {
  const { name, baseUrl, apiKey, headers = {}, transport, now } = options;
  const supportsStructuredOutputs = options.supportsStructuredOutputs ?? false;
  if (!/^https?:$/.test(URL.parse(baseUrl)?.protocol ?? ''))
    throw new AgentError('model-unknown', `Provider ${name}: its baseUrl is not an http or https address.`, {
      remedy: 'Correct the baseUrl of this provider.',
    });

  return async (modelId) => {
    const { OpenAICompatibleChatLanguageModel } = await load();
    const endpoint = {
      url: `${baseUrl.replace(/\/+$/, '')}/chat/completions`,
      headers: toHeaders(apiKey, headers),
      transport,
    };
    // Every setting is said: what is left out, a package may take from the environment.
    const chat = new OpenAICompatibleChatLanguageModel(modelId, {
      provider: `${name}.chat`,
      url: () => endpoint.url,
      headers: endpoint.headers,
      fetch: transport.fetch,
      includeUsage: true,
      supportsStructuredOutputs,
      supportsMultiPartToolContent: false,
      convertUsage: toUsage,
    });
    return fromLanguageModel(withLeanTransfer(chat, endpoint), {
      provider: name,
      secrets: secretsOf(apiKey, headers),
      ...(now ? { now } : {}),
      adapt: supportsStructuredOutputs ? withLooseSchema : withoutJsonModeBesideTools,
    });
  };
}

// The package is loaded by the first session that needs it. Kept, because even for a loaded module `import()` is slow,
// and Node's loader looks into the environment.
let loading: Promise<typeof import('@ai-sdk/openai-compatible')> | undefined;

function load() {
  loading ??= import('@ai-sdk/openai-compatible');
  return loading;
}

function toHeaders(apiKey: string | undefined, headers: Readonly<Record<string, string>>): Record<string, string> {
  return { 'user-agent': 'ai-agent', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}), ...headers };
}

/** The key, and what in a header may be one: `Bearer x` is one secret as a whole and in its last word. */
function secretsOf(apiKey: string | undefined, headers: Readonly<Record<string, string>>): readonly string[] {
  const values = Object.values(headers).flatMap((value) => [value, value.split(' ').at(-1) ?? '']);
  return [apiKey ?? '', ...values.filter((value) => value.length >= 8)].filter((secret) => secret !== '');
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

interface WireUsage {
  readonly prompt_tokens?: number | null | undefined;
  readonly completion_tokens?: number | null | undefined;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null | undefined } | null | undefined;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null | undefined } | null | undefined;
}

/** The package counts what is not said as zero; we keep it unknown. */
function toUsage(usage: WireUsage | null | undefined): LanguageModelV4Usage {
  const total = usage?.prompt_tokens ?? undefined;
  return {
    inputTokens: {
      total,
      noCache: undefined,
      cacheRead: usage?.prompt_tokens_details?.cached_tokens ?? undefined,
      cacheWrite: undefined,
    },
    outputTokens: {
      total: usage?.completion_tokens ?? undefined,
      text: undefined,
      reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? undefined,
    },
  };
}
