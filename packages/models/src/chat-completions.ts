// Chat completions straight over the transport: the provider package writes the request and reads the reply, we carry.

import { isObject } from '@ai-agent/core';
import type { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  InvalidResponseDataError,
  JSONParseError,
  type LanguageModelV4,
  type LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { ChatMerger } from './chat-merger.ts';
import type { Transport } from './http-transport.ts';
import { EventReader } from './server-sent-events.ts';

export interface ChatEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly transport: Transport;
}

/**
 * The package's own way of carrying writes the body twice, copies every header three times and reads through five web
 * streams, validating each chunk: most of the work of a call. Here chunks are added up, and validated once.
 */
export function withLeanTransfer(chat: OpenAICompatibleChatLanguageModel, endpoint: ChatEndpoint): LanguageModelV4 {
  const headers = { 'content-type': 'application/json', ...endpoint.headers };

  async function send(body: Record<string, unknown>, signal: AbortSignal | undefined): Promise<Response> {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await endpoint.transport.fetch(endpoint.url, signal ? { ...init, signal } : init);
    if (!response.ok) throw callError(response, await response.text());
    return response;
  }

  return {
    specificationVersion: chat.specificationVersion,
    provider: chat.provider,
    modelId: chat.modelId,
    supportedUrls: chat.supportedUrls,
    async doGenerate(options) {
      const { body, warnings } = await chat.prepareRequest(options);
      const response = await send(body, options.abortSignal);
      const text = await response.text();
      try {
        return { ...(await chat.convertResponse({ body: parse(text) })), warnings };
      } catch (cause) {
        throw callError(response, text, cause);
      }
    },
    async doStream(options) {
      const { body } = await chat.prepareRequest(options);
      const streamed = { ...body, stream: true, stream_options: { include_usage: true } };
      const response = await send(streamed, options.abortSignal);
      return {
        stream: ReadableStream.from(partsOf(response, chat)),
        response: { headers: Object.fromEntries(response.headers) },
      };
    },
  };
}

/** Ends without a finish part when the provider did not say that it is finished. */
async function* partsOf(
  response: Response,
  chat: OpenAICompatibleChatLanguageModel,
): AsyncGenerator<LanguageModelV4StreamPart, void> {
  const merger = new ChatMerger();
  for await (const event of eventsOf(response)) {
    if (event === '[DONE]') continue;
    const chunk = parse(event);
    if (!isObject(chunk)) throw new InvalidResponseDataError({ data: chunk });
    if (chunk.error) throw isObject(chunk.error) ? chunk.error : { message: String(chunk.error) };
    for (const { type, text } of merger.take(chunk)) yield { type: `${type}-delta`, id: type, delta: text };
  }
  if (!merger.isFinished) return;
  const { content, finishReason, usage, response: reply } = await chat.convertResponse({ body: merger.whole() });
  for (const part of content) if (part.type === 'tool-call') yield part;
  yield { type: 'response-metadata', ...reply };
  yield { type: 'finish', finishReason, usage };
}

async function* eventsOf(response: Response): AsyncGenerator<string, void> {
  const events = new EventReader();
  for await (const bytes of response.body ?? []) yield* events.take(bytes);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new JSONParseError({ text, cause });
  }
}

function callError(response: Response, responseBody: string, cause?: unknown): APICallError {
  return new APICallError({
    message: cause === undefined ? response.statusText : 'Invalid JSON response',
    url: response.url,
    requestBodyValues: undefined,
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody,
    cause,
  });
}
