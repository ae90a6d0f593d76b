// The package's model of Gemini, one request for each call, and what it leaves out of the answer.

import { AgentError, isObject } from '@ai-agent/core';
import { GoogleLanguageModel } from '@ai-sdk/google/internal';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4Prompt,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { createIdGenerator } from '@ai-sdk/provider-utils';
import type { Endpoint } from '../adapter.ts';
import { errorIn } from './google-errors.ts';
import { fetchOnce } from './google-fetch.ts';
import { toUsage } from './google-usage.ts';

export function openGemini(modelId: string, endpoint: Endpoint): LanguageModelV4 {
  const baseURL = withoutQuery(endpoint.baseUrl);
  // One for each call: it knows how many requests it has made.
  const open = () =>
    new GoogleLanguageModel(modelId, {
      provider: 'google.generative-ai',
      baseURL,
      headers: {},
      fetch: fetchOnce(endpoint),
      generateId: newCallId,
      supportedUrls: () => ({}),
    });
  const { specificationVersion, provider, supportedUrls } = open();
  return {
    specificationVersion,
    provider,
    modelId,
    supportedUrls,
    doGenerate(options) {
      const toId = idsAfter(options);
      return open()
        .doGenerate(options)
        .then((result) => whole(result, toId));
    },
    doStream(options) {
      const toId = idsAfter(options);
      return open()
        .doStream({ ...options, includeRawChunks: true })
        .then((result) => ({ ...result, stream: result.stream.pipeThrough(readParts(toId)) }));
    },
  };
}

/** A conversation may go on in another process: a counter would begin again. */
const newCallId = createIdGenerator({ prefix: 'call', separator: '_' });

function withoutQuery(baseUrl: string): string {
  const url = new URL(baseUrl);
  url.search = '';
  return url.href.replace(/\/+$/, '');
}

type ToId = (id: string) => string;

/** An id that was used in this conversation is no longer one. */
function idsAfter({ prompt }: LanguageModelV4CallOptions): ToId {
  const used = new Set(callIdsIn(prompt));
  return (id) => (used.has(id) ? newCallId() : id);
}

function callIdsIn(prompt: LanguageModelV4Prompt): readonly string[] {
  return prompt.flatMap((message) =>
    message.role === 'assistant'
      ? message.content.flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : []))
      : [],
  );
}

function whole(result: LanguageModelV4GenerateResult, toId: ToId): LanguageModelV4GenerateResult {
  const { content, finishReason, usage, response } = result;
  const error = errorIn(response?.body);
  if (error) throw error;
  if (content.length === 0 && finishReason.raw === undefined)
    throw new AgentError('model-reply-invalid', 'The reply says neither anything nor why it ended.', {
      cause: response?.body,
    });
  const modelId = versionIn(response?.body);
  return {
    ...result,
    content: content.map((part) => (part.type === 'tool-call' ? { ...part, toolCallId: toId(part.toolCallId) } : part)),
    usage: toUsage(usage),
    response: { ...response, ...(modelId ? { modelId } : {}) },
  };
}

function readParts(toId: ToId): TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart> {
  let modelId: string | undefined;
  return new TransformStream({
    transform(part, controller) {
      switch (part.type) {
        case 'raw': {
          const error = errorIn(part.rawValue);
          if (error) controller.enqueue({ type: 'error', error });
          if (!modelId) {
            modelId = versionIn(part.rawValue);
            if (modelId) controller.enqueue({ type: 'response-metadata', modelId });
          }
          controller.enqueue(part);
          return;
        }
        case 'tool-call':
          controller.enqueue({ ...part, toolCallId: toId(part.toolCallId) });
          return;
        case 'finish':
          // A stream that just ends is not finished.
          if (part.finishReason.unified !== 'interrupted') controller.enqueue({ ...part, usage: toUsage(part.usage) });
          return;
        default:
          controller.enqueue(part);
      }
    },
  });
}

function versionIn(sent: unknown): string | undefined {
  return isObject(sent) && typeof sent.modelVersion === 'string' && sent.modelVersion !== ''
    ? sent.modelVersion
    : undefined;
}
