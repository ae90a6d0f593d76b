// Tokens that a provider reports while it streams, so that a request that breaks off still counts what is known.

import { isObject, type Usage } from '@ai-agent/core';

type Fields = Readonly<Record<string, unknown>>;

/** Reads one raw chunk of a stream in the form of Anthropic, Gemini or chat completions. Undefined if it has no usage. */
export function usageInChunk(chunk: unknown): Usage | undefined {
  if (!isObject(chunk)) return undefined;
  const { type, message, usage, usageMetadata } = chunk;
  // The output count of this first event is a placeholder.
  if (type === 'message_start' && isObject(message) && isObject(message.usage)) return inputOf(message.usage);
  if (type === 'message_delta' && isObject(usage))
    return { ...inputOf(usage), ...figure('outputTokens', usage.output_tokens) };
  if (isObject(usageMetadata)) return geminiUsage(usageMetadata);
  if (!isObject(usage)) return undefined;
  // A zero before the end may be a placeholder.
  const { prompt_tokens: input, completion_tokens: output } = usage;
  return { ...figure('inputTokens', input), ...(output === 0 ? {} : figure('outputTokens', output)) };
}

function inputOf(usage: Fields): Usage {
  const { input_tokens: plain, cache_read_input_tokens: read = 0, cache_creation_input_tokens: written = 0 } = usage;
  if (typeof plain !== 'number') return {};
  return {
    inputTokens: plain + Number(read) + Number(written),
    cacheReadTokens: Number(read),
    cacheWriteTokens: Number(written),
  };
}

function geminiUsage({ promptTokenCount, candidatesTokenCount, thoughtsTokenCount = 0 }: Fields): Usage {
  const output =
    typeof candidatesTokenCount === 'number' ? candidatesTokenCount + Number(thoughtsTokenCount) : undefined;
  return { ...figure('inputTokens', promptTokenCount), ...figure('outputTokens', output) };
}

function figure(name: keyof Usage, value: unknown): Usage {
  return typeof value === 'number' ? { [name]: value } : {};
}
