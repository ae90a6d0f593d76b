// What a response says of the request that it is for: everything the API has a field for, as it was sent or as it is by default.

import { isObject, type JsonObject } from '@ai-agent/core';
import type { Fields } from '../read-object.ts';

export type Echo = ReturnType<typeof toEcho>;

export function toEcho(body: Fields) {
  return {
    background: false,
    conversation: null,
    instructions: textOr(body.instructions),
    max_output_tokens: numberOr(body.max_output_tokens),
    max_tool_calls: numberOr(body.max_tool_calls),
    metadata: isObject(body.metadata) ? (body.metadata as JsonObject) : {},
    model: String(body.model),
    parallel_tool_calls: body.parallel_tool_calls !== false,
    previous_response_id: textOr(body.previous_response_id),
    prompt: null,
    prompt_cache_key: textOr(body.prompt_cache_key),
    prompt_cache_options: toCacheOptions(body.prompt_cache_options),
    prompt_cache_retention: textOr(body.prompt_cache_retention),
    reasoning: { ...(isObject(body.reasoning) ? body.reasoning : {}), ...toReasoning(body.reasoning) },
    safety_identifier: textOr(body.safety_identifier),
    store: body.store !== false,
    temperature: numberOr(body.temperature, 1),
    text: toText(body.text),
    tool_choice: toToolChoice(body.tool_choice),
    tools: Array.isArray(body.tools) ? body.tools.map(toTool) : [],
    top_logprobs: numberOr(body.top_logprobs, 0),
    top_p: numberOr(body.top_p, 1),
    frequency_penalty: numberOr(body.frequency_penalty, 0),
    presence_penalty: numberOr(body.presence_penalty, 0),
    truncation: textOr(body.truncation, 'disabled'),
    user: textOr(body.user),
    ...same,
  };
}

/** What nobody here does, in the words of the API. */
const same = {
  access_programs: null,
  image: { context_compression: 'disabled' },
  moderation: null,
  prompt_cache_diagnostics: { type: 'unavailable' },
  // Whichever was asked for.
  service_tier: 'default',
  tool_usage: {
    image_gen: {
      input_tokens: 0,
      input_tokens_details: { image_tokens: 0, text_tokens: 0 },
      output_tokens: 0,
      output_tokens_details: { image_tokens: 0, text_tokens: 0 },
      total_tokens: 0,
    },
    web_search: { num_requests: 0 },
  },
} as const;

function textOr<T extends string | null = null>(value: unknown, usual: T = null as T): string | T {
  return typeof value === 'string' ? value : usual;
}

function numberOr<T extends number | null = null>(value: unknown, usual: T = null as T): number | T {
  return typeof value === 'number' ? value : usual;
}

function toCacheOptions(given: unknown) {
  const { mode, ttl } = isObject(given) ? given : {};
  return { mode: textOr(mode, 'implicit'), ttl: textOr(ttl, '30m') };
}

function toReasoning(given: unknown) {
  const { effort, summary } = isObject(given) ? given : {};
  return { effort: textOr(effort), summary: textOr(summary) };
}

function toText(given: unknown) {
  const { format, verbosity } = isObject(given) ? given : {};
  return { format: toFormat(format), verbosity: textOr(verbosity, 'medium') };
}

function toFormat(format: unknown): object {
  if (!isObject(format)) return { type: 'text' };
  return format.type === 'json_schema' ? { description: null, strict: false, ...format } : format;
}

function toToolChoice(choice: unknown): unknown {
  if (choice === undefined || choice === null) return 'auto';
  return isObject(choice) && choice.type === 'allowed_tools' ? { mode: 'auto', ...choice } : choice;
}

function toTool(tool: unknown): unknown {
  if (!isObject(tool) || tool.type !== 'function') return tool;
  return { description: null, parameters: null, strict: null, ...tool };
}
