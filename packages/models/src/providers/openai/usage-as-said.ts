// Tokens as OpenAI counted them, in either of its APIs.

import { isObject } from '@ai-agent/core';
import type { LanguageModelV4Usage } from '@ai-sdk/provider';
import { figuresIn } from '../chat/chat-fields.ts';
import { toUsage as usageOnWire } from '../chat/wire-usage.ts';

/** The package counts what is not said as zero; we keep it unknown. */
export function toUsage(usage: LanguageModelV4Usage): LanguageModelV4Usage {
  return usage.raw ? usageIn(usage.raw) : usage;
}

/** The Responses API has other names for the counts of chat completions. */
export function usageIn(said: Readonly<Record<string, unknown>>): LanguageModelV4Usage {
  const counts = {
    prompt_tokens: said.input_tokens ?? said.prompt_tokens,
    prompt_tokens_details: said.input_tokens_details ?? said.prompt_tokens_details,
    completion_tokens: said.output_tokens ?? said.completion_tokens,
    completion_tokens_details: said.output_tokens_details ?? said.completion_tokens_details,
  };
  return usageOnWire(figuresIn(counts));
}

export function reportedUsage(sent: Readonly<Record<string, unknown>>): LanguageModelV4Usage | undefined {
  const { usage } = isObject(sent.response) ? sent.response : sent;
  return isObject(usage) ? usageIn(usage) : undefined;
}
