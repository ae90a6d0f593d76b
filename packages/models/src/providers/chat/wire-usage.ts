// Tokens of a chat completion, as servers count them.

import type { LanguageModelV4Usage } from '@ai-sdk/provider';

export interface WireUsage {
  readonly prompt_tokens?: number | null | undefined;
  readonly completion_tokens?: number | null | undefined;
  readonly prompt_tokens_details?:
    | { readonly cached_tokens?: number | null | undefined; readonly cache_write_tokens?: number | null | undefined }
    | null
    | undefined;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null | undefined } | null | undefined;
}

/** The package counts what is not said as zero; we keep it unknown. */
export function toUsage(usage: WireUsage | null | undefined): LanguageModelV4Usage {
  const total = usage?.prompt_tokens ?? undefined;
  return {
    inputTokens: {
      total,
      noCache: undefined,
      cacheRead: usage?.prompt_tokens_details?.cached_tokens ?? undefined,
      cacheWrite: usage?.prompt_tokens_details?.cache_write_tokens ?? undefined,
    },
    outputTokens: {
      total: usage?.completion_tokens ?? undefined,
      text: undefined,
      reasoning: usage?.completion_tokens_details?.reasoning_tokens ?? undefined,
    },
  };
}
