// Tokens as OpenAI counted them, in either of its APIs.

import { isObject } from '@ai-agent/core';
import type { LanguageModelV4Usage } from '@ai-sdk/provider';

/** The package counts what is not said as zero; we keep it unknown. */
export function toUsage(usage: LanguageModelV4Usage): LanguageModelV4Usage {
  return usage.raw ? usageIn(usage.raw) : usage;
}

export function usageIn(said: Readonly<Record<string, unknown>>): LanguageModelV4Usage {
  const input = detailsOf(said.input_tokens_details ?? said.prompt_tokens_details);
  const output = detailsOf(said.output_tokens_details ?? said.completion_tokens_details);
  return {
    inputTokens: {
      total: toCount(said.input_tokens ?? said.prompt_tokens),
      noCache: undefined,
      cacheRead: toCount(input.cached_tokens),
      cacheWrite: toCount(input.cache_write_tokens),
    },
    outputTokens: {
      total: toCount(said.output_tokens ?? said.completion_tokens),
      text: undefined,
      reasoning: toCount(output.reasoning_tokens),
    },
  };
}

function detailsOf(details: unknown): Readonly<Record<string, unknown>> {
  return isObject(details) ? details : {};
}

function toCount(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
