// Chat completions straight over the transport: the provider package writes the request and reads the reply, we carry.

import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4StreamResult,
  type SharedV4Warning,
} from '@ai-sdk/provider';
import type { Dialect } from './chat-dialect.ts';
import { toParts } from './chat-stream.ts';
import { parseJson, readCompletion } from './read-completion.ts';

export interface ChatEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
  readonly dialect: Dialect;
}

/** Of an error, so much is read; the rest says nothing more. */
const maxErrorBytes = 64 * 1024;

/**
 * The package's own way of carrying writes the body twice, copies every header three times and reads through five web
 * streams, validating each chunk: most of the work of a call. Here chunks are added up, and validated once.
 */
export function openChat(
  modelId: string,
  endpoint: ChatEndpoint,
  config: Omit<ConstructorParameters<typeof OpenAICompatibleChatLanguageModel>[1], 'url' | 'headers' | 'fetch'>,
): LanguageModelV4 {
  const { url, fetch, dialect } = endpoint;
  const headers = { 'content-type': 'application/json', ...endpoint.headers };
  const chat = new OpenAICompatibleChatLanguageModel(modelId, {
    ...config,
    url: () => url,
    headers,
    fetch,
  });

  // A getter of the package that cuts the same name anew for every request.
  const { providerOptionsName } = chat as unknown as { readonly providerOptionsName?: string };
  if (providerOptionsName !== undefined)
    Object.defineProperty(chat, 'providerOptionsName', { value: providerOptionsName });

  /** Not async, as all that leads here: what waits for the answer would keep the conversation in every form it had. */
  function send(body: Record<string, unknown>, signal: AbortSignal | undefined): Promise<Response> {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return fetch(url, signal ? { ...init, signal } : init);
  }

  return {
    specificationVersion: chat.specificationVersion,
    provider: chat.provider,
    modelId: chat.modelId,
    supportedUrls: chat.supportedUrls,
    doGenerate(options) {
      const { abortSignal } = options;
      const own = dialect(options);
      return chat
        .prepareRequest(options)
        .then(({ body, warnings }) =>
          send(own ? { ...body, ...own } : body, abortSignal).then((response) => readWhole(chat, response, warnings)),
        );
    },
    doStream(options) {
      const { abortSignal } = options;
      const own = { ...dialect(options), stream: true, stream_options: { include_usage: true } };
      return chat
        .prepareRequest(options)
        .then(({ body }) => send({ ...body, ...own }, abortSignal))
        .then((response) => openStream(chat, response));
    },
  };
}

async function readWhole(
  chat: OpenAICompatibleChatLanguageModel,
  response: Response,
  warnings: SharedV4Warning[],
): Promise<LanguageModelV4GenerateResult> {
  if (!response.ok) throw callError(response, await startOf(response));
  const text = await response.text();
  try {
    return { ...(await readCompletion(chat, parseJson(text))), warnings };
  } catch (cause) {
    throw cause instanceof Error ? callError(response, text, cause) : cause;
  }
}

async function openStream(
  chat: OpenAICompatibleChatLanguageModel,
  response: Response,
): Promise<LanguageModelV4StreamResult> {
  if (!response.ok) throw callError(response, await startOf(response));
  return { stream: toParts(response, chat), response: { headers: Object.fromEntries(response.headers) } };
}

async function startOf(response: Response): Promise<string> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; size < maxErrorBytes; ) {
    const { done, value } = await reader.read();
    if (done) return text;
    size += value.length;
    text += decoder.decode(value, { stream: true });
  }
  reader.cancel().catch(() => {});
  return text;
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
