// Chat completions straight over the transport: the provider package writes the request and reads the reply, we carry.

import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamResult,
  SharedV4Warning,
} from '@ai-sdk/provider';
import { callError, startOf, wholeText } from '../failed-answer.ts';
import type { Dialect } from './chat-dialect.ts';
import { toParts } from './chat-stream.ts';
import { type ChatReader, parseJson, readCompletion } from './read-completion.ts';

export interface ChatEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly fetch: typeof globalThis.fetch;
  readonly dialect: Dialect;
  /** Whether streams are asked for figures; some servers refuse that. */
  readonly includesUsage: boolean;
  readonly reading?: Omit<ChatReader, 'chat'>;
}

/**
 * The package's own way of carrying writes the body twice, copies every header three times and reads through five web
 * streams, validating each chunk: most of the work of a call. Here chunks are added up, and validated once.
 */
export function openChat(
  modelId: string,
  endpoint: ChatEndpoint,
  config: Omit<ConstructorParameters<typeof OpenAICompatibleChatLanguageModel>[1], 'url' | 'headers' | 'fetch'>,
): LanguageModelV4 {
  const { url, fetch, dialect, includesUsage } = endpoint;
  const headers = { 'content-type': 'application/json', ...endpoint.headers };
  const chat = new OpenAICompatibleChatLanguageModel(modelId, {
    ...config,
    url: () => url,
    headers,
    fetch,
  });

  const reader: ChatReader = { ...endpoint.reading, chat };
  const streamed = includesUsage ? { stream_options: { include_usage: true } } : {};

  // A getter of the package that cuts the same name anew for every request.
  const { providerOptionsName } = chat as unknown as { readonly providerOptionsName?: string };
  if (providerOptionsName !== undefined)
    Object.defineProperty(chat, 'providerOptionsName', { value: providerOptionsName });

  /** Not async, as all that leads here: what waits for the answer would keep the conversation in every form it had. */
  function send(body: Record<string, unknown>, { signal, headers: more }: Sending): Promise<Response> {
    const init = { method: 'POST', headers: more ? { ...headers, ...more } : headers, body: JSON.stringify(body) };
    return fetch(url, signal ? { ...init, signal } : init);
  }

  return {
    specificationVersion: chat.specificationVersion,
    provider: chat.provider,
    modelId: chat.modelId,
    supportedUrls: chat.supportedUrls,
    doGenerate(options) {
      const sending = sendingOf(options);
      const own = dialect(options);
      return chat
        .prepareRequest(options)
        .then(({ body, warnings }) =>
          send(own ? { ...body, ...own } : body, sending).then((response) => readWhole(reader, response, warnings)),
        );
    },
    doStream(options) {
      const sending = sendingOf(options);
      const own = { ...streamed, ...dialect(options), stream: true };
      return chat
        .prepareRequest(options)
        .then(({ body }) => send({ ...body, ...own }, sending))
        .then((response) => openStream(reader, response));
    },
  };
}

async function readWhole(
  reader: ChatReader,
  response: Response,
  warnings: SharedV4Warning[],
): Promise<LanguageModelV4GenerateResult> {
  if (!response.ok) throw callError(response, await startOf(response));
  const text = await wholeText(response);
  try {
    return { ...(await readCompletion(reader, parseJson(text))), warnings };
  } catch (cause) {
    throw cause instanceof Error ? callError(response, text, cause) : cause;
  }
}

async function openStream(reader: ChatReader, response: Response): Promise<LanguageModelV4StreamResult> {
  if (!response.ok) throw callError(response, await startOf(response));
  return { stream: toParts(response, reader), response: { headers: Object.fromEntries(response.headers) } };
}

/** What goes with one request alone. Not the options themselves: they hold the conversation. */
interface Sending {
  readonly signal: AbortSignal | undefined;
  readonly headers: Record<string, string> | undefined;
}

function sendingOf({ abortSignal: signal, headers }: LanguageModelV4CallOptions): Sending {
  return { signal, headers: headers as Record<string, string> | undefined };
}
