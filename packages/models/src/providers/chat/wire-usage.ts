// Tokens of a chat completion, as servers count them.

import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { figuresIn } from './chat-fields.ts';

export interface WireUsage {
  readonly prompt_tokens?: number | null | undefined;
  readonly completion_tokens?: number | null | undefined;
  readonly total_tokens?: number | null | undefined;
  readonly prompt_tokens_details?:
    | { readonly cached_tokens?: number | null | undefined; readonly cache_write_tokens?: number | null | undefined }
    | null
    | undefined;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null | undefined } | null | undefined;
}

/** The package counts what is not said as zero; we keep it unknown. */
export function toUsage(usage: WireUsage | null | undefined): LanguageModelV4Usage {
  const total = usage?.prompt_tokens ?? undefined;
  const reasoning = usage?.completion_tokens_details?.reasoning_tokens ?? undefined;
  return {
    inputTokens: {
      total,
      noCache: undefined,
      cacheRead: usage?.prompt_tokens_details?.cached_tokens ?? undefined,
      cacheWrite: usage?.prompt_tokens_details?.cache_write_tokens ?? undefined,
    },
    outputTokens: {
      total: outputIn(usage, reasoning),
      text: undefined,
      reasoning,
    },
  };
}

export function reportedUsage({ usage }: Readonly<Record<string, unknown>>): LanguageModelV4Usage | undefined {
  const figures = figuresIn(usage);
  return figures && toUsage(figures);
}

/** Some count what was thought beside the completion: then only all of it together is the total. */
function outputIn(usage: WireUsage | null | undefined, reasoning = 0): number | undefined {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage ?? {};
  if (output === undefined || output === null) return undefined;
  return reasoning > 0 && total === (input ?? 0) + output + reasoning ? output + reasoning : output;
}
