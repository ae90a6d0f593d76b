// Any language model of the AI SDK as a model of ours.

import type { Model, ModelContext, ModelReply, ModelRequest } from '@ai-agent/core';
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { fromReply } from './from-reply.ts';
import { fromStream } from './from-stream.ts';
import { toProviderError } from './provider-errors.ts';
import { toCallOptions } from './to-prompt.ts';

export interface LanguageModelOptions {
  /** What this provider is called here; what it binds to its parts goes back to this name only. @default model.provider */
  readonly provider?: string;
  /** Values that no error may show, such as keys. @default none */
  readonly secrets?: readonly string[];
  /** Milliseconds since 1970. Without it, a Retry-After that names a date is not understood. */
  readonly now?: () => number;
  /** A last word on what is sent, for what one kind of provider needs. */
  readonly adapt?: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions;
}

/** One request is one call of the language model: it retries nothing and runs no tools. */
export function fromLanguageModel(model: LanguageModelV4, options: LanguageModelOptions = {}): Model {
  const { provider = model.provider, secrets = [], now, adapt = (asked) => asked } = options;

  async function call(request: ModelRequest, { signal, onDelta }: ModelContext): Promise<ModelReply> {
    try {
      const asked = adapt({ ...toCallOptions(request, provider), abortSignal: signal });
      if (!onDelta) return fromReply(await model.doGenerate(asked), provider);
      return await fromStream(await model.doStream(asked), provider, onDelta);
    } catch (error) {
      throw toProviderError(error, { model: `${provider}/${model.modelId}`, signal, secrets, now: now?.() });
    }
  }

  return { provider, model: model.modelId, call };
}
