// Any language model of the AI SDK as a model of ours.

import type { Model, ModelContext, ModelDelta, ModelReply, ModelRequest } from '@ai-agent/core';
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

  // Not async, nor what it calls: while the model answers, they would keep the request in its converted form.
  function call(request: ModelRequest, context: ModelContext): Promise<ModelReply> {
    const { signal, onDelta } = context;
    const toError = (error: unknown) =>
      toProviderError(error, { model: `${provider}/${model.modelId}`, signal, secrets, now: now?.() });
    try {
      const asked = toOptions(request, context);
      return (onDelta ? stream(asked, onDelta) : generate(asked)).catch((error: unknown) => {
        throw toError(error);
      });
    } catch (error) {
      return Promise.reject(toError(error));
    }
  }

  function generate(asked: LanguageModelV4CallOptions): Promise<ModelReply> {
    return Promise.resolve(model.doGenerate(asked)).then((result) => fromReply(result, provider));
  }

  function stream(asked: LanguageModelV4CallOptions, onDelta: (delta: ModelDelta) => void): Promise<ModelReply> {
    return Promise.resolve(model.doStream(asked)).then((result) => fromStream(result, provider, onDelta));
  }

  function toOptions(request: ModelRequest, { signal }: ModelContext): LanguageModelV4CallOptions {
    return adapt({ ...toCallOptions(request, provider), abortSignal: signal });
  }

  return { provider, model: model.modelId, call };
}
