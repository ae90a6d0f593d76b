// Ollama's own chat API as a language model, straight over the transport.

import { AgentError } from '@ai-agent/core';
import type { LanguageModelV4, LanguageModelV4GenerateResult, LanguageModelV4StreamResult } from '@ai-sdk/provider';
import { parseJson } from '../chat/read-completion.ts';
import { callError, startOf, wholeText } from '../failed-answer.ts';
import { toPartStream } from '../part-stream.ts';
import { callIdsIn, OllamaReply } from './ollama-reply.ts';
import { type OllamaTraits, toBody } from './ollama-request.ts';
import { OllamaStream } from './ollama-stream.ts';

export interface OllamaEndpoint extends OllamaTraits {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
}

export function openOllamaChat(modelId: string, endpoint: OllamaEndpoint): LanguageModelV4 {
  const { url, fetch } = endpoint;
  const headers = { 'content-type': 'application/json', ...endpoint.headers };

  /** Not async, as all that leads here: what waits for the answer would keep the conversation in every form it had. */
  function send(options: Parameters<LanguageModelV4['doGenerate']>[0], stream: boolean): Promise<Response> {
    const body = JSON.stringify({ ...toBody(modelId, options, endpoint), stream });
    const { abortSignal: signal } = options;
    return fetch(url, { method: 'POST', headers, body, ...(signal ? { signal } : {}) });
  }

  return {
    specificationVersion: 'v4',
    provider: 'ollama.chat',
    modelId,
    supportedUrls: {},
    doGenerate(options) {
      const ids = callIdsIn(options.prompt);
      return send(options, false).then((response) => readWhole(response, ids));
    },
    doStream(options) {
      const ids = callIdsIn(options.prompt);
      return send(options, true).then((response) => openStream(response, ids));
    },
  };
}

async function readWhole(response: Response, ids: ReadonlySet<string>): Promise<LanguageModelV4GenerateResult> {
  if (!response.ok) throw callError(response, await startOf(response));
  const text = await wholeText(response);
  try {
    return toResult(parseJson(text), ids);
  } catch (cause) {
    throw cause instanceof Error && !(cause instanceof AgentError) ? callError(response, text, cause) : cause;
  }
}

function toResult(body: unknown, ids: ReadonlySet<string>): LanguageModelV4GenerateResult {
  const reply = new OllamaReply(ids);
  reply.take(body);
  if (!reply.isDone) throw new AgentError('model-network', 'The reply was interrupted before it was complete.');
  return {
    content: reply.content(),
    finishReason: reply.finishReason(),
    usage: reply.usage(),
    warnings: [],
    ...(reply.modelId === undefined ? {} : { response: { modelId: reply.modelId } }),
  };
}

/** Without its headers: a stream that is none shows in its first line, and what is cut is cut, whatever it was called. */
async function openStream(response: Response, ids: ReadonlySet<string>): Promise<LanguageModelV4StreamResult> {
  if (!response.ok) throw callError(response, await startOf(response));
  return { stream: toPartStream(response, new OllamaStream(ids)) };
}
