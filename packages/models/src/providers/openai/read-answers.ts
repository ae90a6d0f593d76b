// The language model of the package, with what it does not read well put right: failures, usage, and what is new to it.

import { isObject } from '@ai-agent/core';
import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4GenerateResult,
} from '@ai-sdk/provider';
import { leftOnFailure } from '../left-on-failure.ts';
import { asThought } from './commentary.ts';
import { failureIn, unreadable } from './failure-in.ts';
import { readingStream } from './read-stream.ts';
import { toUsage } from './usage-as-said.ts';

type Fetch = typeof globalThis.fetch;

/** `open` makes the package's model, which asks through what it is given. */
export function readingAll(open: (fetch: Fetch) => LanguageModelV4, fetch: Fetch): LanguageModelV4 {
  const model = open(fetch);
  const stream = leftOnFailure((options) => model.doStream(options));

  async function doGenerate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    const result = await generate(options);
    const failure = failureIn(result.response?.body);
    if (failure) throw failure;
    return { ...result, content: result.content.map(asThought), usage: toUsage(result.usage) };
  }

  async function generate(options: LanguageModelV4CallOptions): Promise<LanguageModelV4GenerateResult> {
    try {
      return await model.doGenerate(options);
    } catch (error) {
      const readable = toReadable(error);
      if (readable === undefined) throw failureOf(error, model);
      return open(async () => new Response(readable)).doGenerate(options);
    }
  }

  async function doStream(options: LanguageModelV4CallOptions) {
    try {
      const result = await stream({ ...options, includeRawChunks: true });
      return { ...result, stream: result.stream.pipeThrough(readingStream()) };
    } catch (error) {
      throw failureOf(error, model);
    }
  }

  const { specificationVersion, provider, modelId, supportedUrls } = model;
  return { specificationVersion, provider, modelId, supportedUrls, doGenerate, doStream };
}

/** What was told with a status of 200 has one of the package's own making. */
function failureOf(error: unknown, { provider }: LanguageModelV4): unknown {
  if (!APICallError.isInstance(error)) return error;
  const { statusCode, data, responseBody } = error;
  const body = statusCode === 200 || isObject(responseBody) ? parse(responseBody) : undefined;
  const failure = failureIn(body ?? toldIn(data));
  if (failure) return failure;
  const isOther = isObject(body) && (isObject(responseBody) || 'choices' in body);
  return isOther && provider.endsWith('responses') ? unreadable(body) : error;
}

/** The first event of a stream, when it was a failure; undefined when this is the body of a real one. */
function toldIn(data: unknown): unknown {
  if (!isObject(data) || data.type === 'error' || data.type === 'response.failed') return data;
  return isObject(data.error) ? undefined : { error: data };
}

/** What we asked for; of anything else in an output, we would not know what to do with it either. */
const known = new Set(['message', 'reasoning', 'function_call', 'custom_tool_call']);

/** A whole answer without the items that the package refused to read it for; undefined when there are none. */
function toReadable(error: unknown): string | undefined {
  if (!APICallError.isInstance(error) || error.statusCode !== 200) return undefined;
  const body = parse(error.responseBody);
  if (!isObject(body) || isObject(body.error) || !Array.isArray(body.output)) return undefined;
  const output = body.output.filter((item) => isObject(item) && known.has(String(item.type)));
  return output.length === body.output.length ? undefined : JSON.stringify({ ...body, output });
}

function parse(body: unknown): unknown {
  try {
    return typeof body === 'string' ? JSON.parse(body) : body;
  } catch {
    return undefined;
  }
}
