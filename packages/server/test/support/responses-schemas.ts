// Responses and their events as the public references have them: every field, and no other but those that we say we add.

import type { JsonSchema } from '@ai-agent/core';
import { Ajv2020 } from 'ajv/dist/2020.js';

const text = { type: 'string' };
const yesNo = { type: 'boolean' };
const count = { type: 'integer', minimum: 0 };
const number = { type: 'number' };
const anything = { type: 'object' };
const only = (value: unknown) => ({ const: value });
const one = (...values: readonly unknown[]) => ({ enum: values });
const orNull = (schema: JsonSchema) => ({ anyOf: [schema, { type: 'null' }] });
const list = (items: JsonSchema, more = {}) => ({ type: 'array', items, ...more });
const id = (prefix: string) => ({ type: 'string', pattern: `^${prefix}_[A-Za-z0-9_]+$`, maxLength: 64 });

/** All of them required, but for those named, and no others. */
function object(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** Which one it is, its type says. */
const anyOf = (...schemas: readonly JsonSchema[]) => ({ anyOf: schemas });

const none = list({}, { maxItems: 0 });
const outputText = object({ type: only('output_text'), text, annotations: none, logprobs: none });
const summaryText = object({ type: only('summary_text'), text });
const itemStatus = one('in_progress', 'completed', 'incomplete');

const message = object({
  id: id('msg'),
  type: only('message'),
  role: only('assistant'),
  status: itemStatus,
  content: list(outputText, { maxItems: 1 }),
});
const reasoning = object({
  id: id('rs'),
  type: only('reasoning'),
  status: itemStatus,
  summary: list(summaryText, { maxItems: 1 }),
});
const called = { call_id: id('call'), name: text, namespace: text, status: itemStatus };
const functionCall = object({ id: id('fc'), type: only('function_call'), arguments: text, ...called }, ['namespace']);
const customCall = object({ id: id('ctc'), type: only('custom_tool_call'), input: text, ...called }, ['namespace']);
const item = anyOf(message, reasoning, functionCall, customCall);

const usage = object({
  input_tokens: count,
  input_tokens_details: object({ cached_tokens: count, cache_write_tokens: count }),
  output_tokens: count,
  output_tokens_details: object({ reasoning_tokens: count }),
  total_tokens: count,
});

const functionTool = {
  ...anything,
  properties: {
    type: only('function'),
    name: text,
    description: orNull(text),
    parameters: orNull(anything),
    strict: orNull(yesNo),
  },
  required: ['type', 'name', 'description', 'parameters', 'strict'],
};
const otherTool = { ...anything, properties: { type: { ...text, not: only('function') } }, required: ['type'] };

const format = anyOf(
  object({ type: one('text', 'json_object') }),
  object({ type: only('json_schema'), name: text, description: orNull(text), schema: anything, strict: orNull(yesNo) }),
);

const tokens = object({ image_tokens: count, text_tokens: count });
const toolUsage = object({
  image_gen: object({
    input_tokens: count,
    input_tokens_details: tokens,
    output_tokens: count,
    output_tokens_details: tokens,
    total_tokens: count,
  }),
  web_search: object({ num_requests: count }),
});

/** Ours: what the API has no field for. */
const about = object(
  {
    session_id: text,
    status: one('completed', 'partial', 'needs_user_input', 'needs_client_tools', 'failed', 'cancelled'),
    limit: text,
    incomplete: { type: 'array', minItems: 1 },
    usage: { ...anything, required: ['modelCalls', 'inputTokens', 'outputTokens', 'costUsd'] },
    class: text,
    code: text,
    remedy: text,
    retryable: yesNo,
  },
  ['limit', 'incomplete', 'usage', 'class', 'code', 'remedy', 'retryable'],
);

export const response = object(
  {
    id: id('resp'),
    object: only('response'),
    created_at: count,
    completed_at: orNull(count),
    status: one('in_progress', 'completed', 'incomplete', 'failed'),
    error: orNull(object({ code: one('server_error', 'rate_limit_exceeded', 'invalid_prompt'), message: text })),
    incomplete_details: orNull(object({ reason: one('max_output_tokens', 'content_filter') })),
    output: list(item),
    usage: orNull(usage),
    access_programs: { type: 'null' },
    background: only(false),
    conversation: { type: 'null' },
    frequency_penalty: number,
    image: object({ context_compression: one('enabled', 'disabled') }),
    instructions: orNull(text),
    max_output_tokens: orNull(count),
    max_tool_calls: orNull(count),
    metadata: { ...anything, additionalProperties: text },
    model: text,
    moderation: { type: 'null' },
    parallel_tool_calls: yesNo,
    presence_penalty: number,
    previous_response_id: orNull(id('resp')),
    prompt: { type: 'null' },
    prompt_cache_diagnostics: object({ type: only('unavailable') }),
    prompt_cache_key: orNull(text),
    prompt_cache_options: object({ mode: one('implicit', 'explicit'), ttl: one('30m', '12h') }),
    prompt_cache_retention: orNull(one('in_memory', '24h')),
    reasoning: object({ effort: orNull(text), summary: orNull(text) }),
    safety_identifier: orNull(text),
    service_tier: one('auto', 'default', 'flex', 'priority'),
    store: yesNo,
    temperature: number,
    text: object({ format, verbosity: one('low', 'medium', 'high') }),
    tool_choice: anyOf(one('none', 'auto', 'required'), { ...anything, required: ['type'] }),
    tool_usage: toolUsage,
    tools: list(anyOf(functionTool, otherTool)),
    top_logprobs: count,
    top_p: number,
    truncation: one('auto', 'disabled'),
    user: orNull(text),
    ai_agent: about,
  },
  ['ai_agent'],
);

const at = { output_index: count, sequence_number: count };
const inItem = (prefix: string) => ({ ...at, item_id: id(prefix) });
const inMessage = { ...inItem('msg'), content_index: only(0) };
const inReasoning = { ...inItem('rs'), summary_index: only(0) };

/** Of the whole response at that moment. */
const whole = (status: string) => ({
  sequence_number: count,
  response: { allOf: [response, { properties: { status: only(status) } }] },
});

const fields: Readonly<Record<string, Readonly<Record<string, JsonSchema>>>> = {
  'response.created': whole('in_progress'),
  'response.in_progress': whole('in_progress'),
  'response.completed': whole('completed'),
  'response.incomplete': whole('incomplete'),
  'response.failed': whole('failed'),
  'response.output_item.added': { ...at, item: { allOf: [item, { properties: { status: only('in_progress') } }] } },
  'response.output_item.done': {
    ...at,
    item: { allOf: [item, { properties: { status: { not: only('in_progress') } } }] },
  },
  'response.content_part.added': { ...inMessage, part: outputText },
  'response.content_part.done': { ...inMessage, part: outputText },
  'response.output_text.delta': { ...inMessage, delta: { ...text, minLength: 1 }, logprobs: none },
  'response.output_text.done': { ...inMessage, text, logprobs: none },
  'response.reasoning_summary_part.added': { ...inReasoning, part: summaryText },
  'response.reasoning_summary_part.done': { ...inReasoning, part: summaryText },
  'response.reasoning_summary_text.delta': { ...inReasoning, delta: { ...text, minLength: 1 } },
  'response.reasoning_summary_text.done': { ...inReasoning, text },
  'response.function_call_arguments.delta': { ...inItem('fc'), delta: text },
  'response.function_call_arguments.done': { ...inItem('fc'), arguments: text },
  'response.custom_tool_call_input.delta': { ...inItem('ctc'), delta: text },
  'response.custom_tool_call_input.done': { ...inItem('ctc'), input: text },
  error: {
    sequence_number: count,
    code: orNull(text),
    message: text,
    param: orNull(text),
    error: object({ type: text, code: orNull(text), message: text, param: orNull(text), ai_agent: anything }),
  },
};

const ajv = new Ajv2020({ allErrors: true, strict: false });
const judges = new Map(
  Object.entries(fields).map(([type, own]) => [type, ajv.compile(object({ type: only(type), ...own }))] as const),
);
const judgeResponse = ajv.compile(response);

export function complaintsAboutResponse(value: unknown): readonly string[] {
  judgeResponse(value);
  return (judgeResponse.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}

export function complaintsAboutEvent(event: { readonly type?: unknown }): readonly string[] {
  const judge = judges.get(String(event.type));
  if (!judge) return [`There is no event ${String(event.type)}.`];
  judge(event);
  return (judge.errors ?? []).map(({ instancePath, message = '' }) => `${instancePath} ${message}`);
}
