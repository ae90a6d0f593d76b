// Chat completions straight over the transport: the provider package writes the request and reads the reply, we carry.

import type { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { APICallError, type LanguageModelV4 } from '@ai-sdk/provider';
import { parseReply, toParts } from './chat-stream.ts';
import type { Transport } from './http-transport.ts';

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
        return { ...(await chat.convertResponse({ body: parseReply(text) })), warnings };
      } catch (cause) {
        throw callError(response, text, cause);
      }
    },
    async doStream(options) {
      const { body } = await chat.prepareRequest(options);
      const streamed = { ...body, stream: true, stream_options: { include_usage: true } };
      const response = await send(streamed, options.abortSignal);
      return {
        stream: toParts(response, chat),
        response: { headers: Object.fromEntries(response.headers) },
      };
    },
  };
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
