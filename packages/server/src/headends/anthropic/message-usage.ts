// What was used, as Anthropic's API counts it: what was read from a cache, or written to one, is not among the input.

import type { SaidUsage } from '../../talk/said.ts';

/** Of a whole message. */
export function toUsage(used: SaidUsage): object {
  return {
    ...toDeltaUsage(used),
    cache_creation: { ephemeral_5m_input_tokens: used.cacheWriteTokens, ephemeral_1h_input_tokens: 0 },
    service_tier: 'standard',
    inference_geo: null,
    speed: 'standard',
  };
}

/** Of the last event of a stream but one, which has less of it. */
export function toDeltaUsage(used: SaidUsage): object {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens, reasoningTokens } = used;
  return {
    input_tokens: Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cacheReadTokens,
    output_tokens: outputTokens,
    output_tokens_details: { thinking_tokens: reasoningTokens },
    server_tool_use: null,
    iterations: null,
    fallback_credit: null,
  };
}

/** Before anything has come: nobody knows yet what it will be, and some clients look nowhere else for the input. */
export function toFirstUsage(inputTokens: number): object {
  const none = { outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 };
  return toUsage({ inputTokens, ...none });
}
