// Any language model of the AI SDK as a model of ours.

import {
  type AgentError,
  headersOfCaller,
  type Model,
  type ModelContext,
  type ModelReply,
  type ModelRequest,
} from '@ai-agent/core';
import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider';
import { errorBodyOf, toProviderError, usedNothing } from './failures/provider-errors.ts';
import { fromReply, usageIn } from './from-reply.ts';
import { fromStream } from './from-stream.ts';
import type { Adapter } from './providers/adapter.ts';
import { type Offer, offerOf } from './quirks/offer.ts';
import { putRight } from './quirks/put-right.ts';
import { toCallOptions } from './to-prompt.ts';
import { tokenOf } from './tree-token.ts';

export interface LanguageModelOptions {
  /** What this provider is called here. @default model.provider */
  readonly provider?: string;
  /** Values that no error may show, such as keys. @default none */
  readonly secrets?: readonly string[];
  /** Milliseconds since 1970. Without it, a Retry-After that names a date is not understood. */
  readonly now?: () => number;
  /**
   * Whether its server may leave thoughts and tool calls in the text, as servers of open models do: then they are looked for
   * there. @default false: text is text
   */
  readonly leaks?: boolean;
}

/** One request is one call of the language model: it retries nothing and runs no tools. */
export function fromLanguageModel(model: LanguageModelV4, options: LanguageModelOptions = {}): Model {
  const { provider = model.provider } = options;
  const boundTo = `${provider}/${model.modelId}`;
  return toModel(model, { ...options, provider, toOptions: (request) => toCallOptions(request, boundTo) });
}

export interface ModelOptions
  extends LanguageModelOptions,
    Pick<Adapter, 'mustStream' | 'costOf' | 'finishOf' | 'reportedUsage'> {
  readonly provider: string;
  /** Told of every call that failed. */
  readonly onFailure?: (failure: AgentError) => void;
  readonly toOptions: (request: ModelRequest) => LanguageModelV4CallOptions;
  /** Whether it is asked on this machine: then it may be an agent, and is told whom it serves. @default false */
  readonly isHere?: boolean;
}

/** The same, with a say in how requests are put. */
export function toModel(model: LanguageModelV4, options: ModelOptions): Model {
  const { provider, secrets = [], now, toOptions, mustStream, onFailure, leaks = false, isHere = false } = options;
  // What a model binds to its parts goes back to itself alone.
  const reading = { ...options, boundTo: `${provider}/${model.modelId}` };

  // Not async, nor what it calls: while the model answers, they would keep the request in its converted form.
  function call(request: ModelRequest, context: ModelContext): Promise<ModelReply> {
    const { signal } = context;
    let isStreaming = false;
    const toError = (error: unknown) => {
      const failure = toProviderError(error, { model: `${provider}/${model.modelId}`, signal, secrets, now: now?.() });
      onFailure?.(failure);
      const none = !isStreaming && usedNothing(error) ? { inputTokens: 0, outputTokens: 0 } : {};
      context.onUsage?.({ ...none, ...usageIn(errorBodyOf(error), options) });
      return failure;
    };
    try {
      const caller =
        isHere && context.calling
          ? { headers: headersOfCaller(context.calling, tokenOf(context.calling.originId)) }
          : {};
      const asked = { ...toOptions(request), ...caller, abortSignal: signal };
      const offer = offerOf(request, leaks);
      const reply = isStreamed(request, context)
        ? Promise.resolve(model.doStream(asked)).then((result) => {
            isStreaming = true;
            return fromStream(result, { ...reading, offer }, context);
          })
        : generate(asked, context, offer);
      return reply.catch((error: unknown) => {
        throw toError(error);
      });
    } catch (error) {
      return Promise.reject(toError(error));
    }
  }

  function isStreamed(request: ModelRequest, { onDelta }: ModelContext): boolean {
    return mustStream?.(request) || (request.settings.stream ?? onDelta !== undefined);
  }

  function generate(asked: LanguageModelV4CallOptions, context: ModelContext, offer: Offer): Promise<ModelReply> {
    return Promise.resolve(model.doGenerate(asked)).then((result) => {
      const right = putRight(fromReply(result, reading, context), offer);
      return right instanceof Promise ? right.then(({ reply }) => reply) : right.reply;
    });
  }

  return { provider, model: model.modelId, call };
}
