// Providers that speak the chat-completions API of OpenAI: most of them, hosted or on the next machine.

import type { Model } from '@ai-agent/core';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { fromLanguageModel } from './ai-sdk-model.ts';
import { dialectOf } from './chat-dialect.ts';
import { lazily } from './lazily.ts';
import { misconfigured, toAddress } from './provider-config.ts';
import { withoutForeignReasoning } from './read-completion.ts';
import type { Transport } from './transport.ts';
import type { ProviderType } from './well-known.ts';
import { toUsage } from './wire-usage.ts';

export interface OpenAICompatibleOptions {
  /** What the provider is called in `provider/model`. */
  readonly name: string;
  /** Which fields it takes besides the common ones. @default 'openai-compatible' */
  readonly type?: ProviderType;
  /** Where the API is, version included: `https://host/v1`. */
  readonly baseUrl: string;
  /** Sent as a bearer token. @default no authorization */
  readonly apiKey?: string;
  /** Sent with every request, after the key. @default none */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it can be held to a JSON Schema. @default false */
  readonly supportsStructuredOutputs?: boolean;
  /** Further values that no error may show; the key and the headers are known. @default none */
  readonly secrets?: readonly string[];
  readonly transport: Transport;
  /** Milliseconds since 1970. Without it, a Retry-After that names a date is not understood. */
  readonly now?: () => number;
}

/** Throws at once when the address, the key or a header is none. */
export function openaiCompatible(options: OpenAICompatibleOptions): (modelId: string) => Promise<Model> {
  const { name, type = 'openai-compatible', transport, secrets = [], now } = options;
  const supportsStructuredOutputs = options.supportsStructuredOutputs ?? false;
  const url = toUrl(options);
  const headers = toHeaders(options);
  const adaptFormat = supportsStructuredOutputs ? withLooseSchema : withoutJsonModeBesideTools;

  return async (modelId) => {
    const { openChat } = await load();
    const endpoint = { url: url.href, headers, transport, dialect: dialectOf(type) };
    // Every setting is said: what is left out, a package may take from the environment.
    const chat = openChat(modelId, endpoint, {
      provider: `${name}.chat`,
      includeUsage: true,
      supportsStructuredOutputs,
      supportsMultiPartToolContent: false,
      convertUsage: toUsage,
    });
    return fromLanguageModel(chat, {
      provider: name,
      secrets: [...secrets, ...secretsIn(options, url)],
      ...(now ? { now } : {}),
      adapt: (asked) => adaptFormat(withoutForeignReasoning(asked)),
    });
  };
}

// The provider package is loaded by the first session that needs it.
const load = lazily(() => import('./open-chat.ts'));

function toUrl({ name, baseUrl }: OpenAICompatibleOptions): URL {
  const url = toAddress(name, baseUrl);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`;
  url.hash = '';
  return url;
}

function toHeaders({ name, apiKey = '', headers = {} }: OpenAICompatibleOptions): Record<string, string> {
  const key = apiKey.trim();
  if (!isHeaderValue(key)) throw misconfigured(name, 'its apiKey has characters that no key has');
  const own = Object.entries(headers).map(([header, value]) => {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header)) throw misconfigured(name, `${JSON.stringify(header)} is not a header`);
    if (!isHeaderValue(value.trim()))
      throw misconfigured(name, `its header ${header} has characters that cannot be sent`);
    return [header, value.trim()];
  });
  return {
    'user-agent': 'ai-agent',
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    ...Object.fromEntries(own),
  };
}

function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
}

/** The key, and what in a header or an address may be one: `Bearer x` is one secret as a whole and in its last word. */
function secretsIn({ apiKey = '', headers = {} }: OpenAICompatibleOptions, url: URL): readonly string[] {
  const values = Object.values(headers).flatMap((value) => [value.trim(), value.trim().split(' ').at(-1) ?? '']);
  return [apiKey.trim(), ...[...values, ...url.searchParams.values()].filter((value) => value.length >= 8)];
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
