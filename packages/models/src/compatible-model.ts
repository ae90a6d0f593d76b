// A model at one OpenAI-compatible address, for those who have no configuration.

import type { Model } from '@ai-agent/core';
import type { Transport } from './http/transport.ts';
import { toEndpoint } from './providers/endpoint.ts';
import { openModel } from './providers/open-model.ts';
import { traitsOf } from './traits.ts';

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
  /** Further values that no error may show; the key and the headers are known. @default none */
  readonly secrets?: readonly string[];
  readonly transport: Transport;
  /** Milliseconds since 1970. Without it, a Retry-After that names a date is not understood. */
  readonly now?: () => number;
}

/** Throws at once when the address, the key or a header is none. */
export function openaiCompatible(options: OpenAICompatibleOptions): (modelId: string) => Promise<Model> {
  const { name, transport, secrets = [], now, supportsStructuredOutputs = false } = options;
  const settings = { type: 'openai-compatible' as const, ...options };
  toEndpoint(name, settings, transport);
  return (modelId) =>
    openModel(modelId, {
      name,
      settings,
      traits: traitsOf(modelId, { supportsStructuredOutputs }),
      secrets,
      transport,
      now,
    });
}
