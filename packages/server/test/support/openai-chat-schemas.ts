// Chat completions, models and errors as OpenAI's public reference has them: every field, and no other but those that we say we add.

import type { JsonSchema } from '@ai-agent/core';
import { Ajv2020 } from 'ajv/dist/2020.js';

const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const nothing = { type: 'null' };

/** All of them required, but for those named, and no others. */
function object(properties: Readonly<Record<string, JsonSchema>>, optional: readonly string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

const only = (value: string) => ({ const: value });
const orNull = (schema: JsonSchema) => ({ anyOf: [schema, nothing] });
const list = (items: JsonSchema, more = {}) => ({ type: 'array', items, ...more });

/** Ours: what these APIs have no field for. */
const about = {
  type: 'object',
  properties: {
    session_id: text,
    status: { enum: ['completed', 'partial', 'needs_user_input', 'needs_client_tools'] },
    limit: text,
    incomplete: { type: 'array', minItems: 1 },
    usage: { type: 'object', required: ['modelCalls', 'inputTokens', 'outputTokens', 'costUsd'] },
  },
  required: ['session_id', 'status', 'usage'],
};

const finish = { enum: ['stop', 'length', 'tool_calls', 'content_filter', 'function_call'] };

const usage = object({
  prompt_tokens: count,
  completion_tokens: count,
  total_tokens: count,
  prompt_tokens_details: object({ cached_tokens: count, audio_tokens: count }),
  completion_tokens_details: object({
    reasoning_tokens: count,
    audio_tokens: count,
    accepted_prediction_tokens: count,
    rejected_prediction_tokens: count,
  }),
});

const head = {
  id: { type: 'string', pattern: '^chatcmpl-.+' },
  created: count,
  model: text,
  service_tier: { enum: ['auto', 'default', 'flex', 'scale', 'priority', 'fast', null] },
  system_fingerprint: orNull(text),
};

const functionCall = object({ name: text, arguments: text });

const message = object(
  {
    role: only('assistant'),
    content: orNull(text),
    refusal: orNull(text),
    annotations: list({}, { maxItems: 0 }),
    tool_calls: list(
      {
        oneOf: [
          object({ id: text, type: only('function'), function: functionCall }),
          object({ id: text, type: only('custom'), custom: object({ name: text, input: text }) }),
        ],
      },
      { minItems: 1 },
    ),
    function_call: functionCall,
    reasoning_content: { type: 'string', minLength: 1 },
  },
  ['tool_calls', 'function_call', 'reasoning_content'],
);

export const completion = object({
  ...head,
  object: only('chat.completion'),
  choices: list(object({ index: { const: 0 }, message, logprobs: nothing, finish_reason: finish }), {
    minItems: 1,
    maxItems: 1,
  }),
  usage,
  ai_agent: about,
});

const deltaCall = object(
  {
    index: count,
    id: text,
    type: { enum: ['function', 'custom'] },
    function: object({ name: text, arguments: text }, ['name']),
    custom: object({ name: text, input: text }, ['name']),
  },
  ['id', 'type', 'function', 'custom'],
);

const delta = object(
  {
    role: only('assistant'),
    content: text,
    refusal: nothing,
    tool_calls: list(deltaCall, { minItems: 1 }),
    function_call: object({ name: text, arguments: text }, ['name']),
    reasoning_content: { type: 'string', minLength: 1 },
  },
  ['role', 'content', 'refusal', 'tool_calls', 'function_call', 'reasoning_content'],
);

export const chunk = object(
  {
    ...head,
    object: only('chat.completion.chunk'),
    choices: list(object({ index: { const: 0 }, delta, logprobs: nothing, finish_reason: orNull(finish) }), {
      maxItems: 1,
    }),
    usage: orNull(usage),
    ai_agent: about,
  },
  ['usage', 'ai_agent'],
);

export const openaiError = object({
  error: object({
    message: { type: 'string', minLength: 1 },
    type: { enum: ['invalid_request_error', 'server_error', 'insufficient_quota', 'requests'] },
    param: orNull(text),
    code: orNull(text),
    ai_agent: object({ class: text, code: text, remedy: text, retryable: { type: 'boolean' }, session_id: text }, [
      'session_id',
    ]),
  }),
});

export const model = object({ id: text, object: only('model'), created: count, owned_by: text });

export const modelList = object({ object: only('list'), data: list(model) });

const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true });

/** What is wrong with it; nothing when it is as the schema has it. */
export function complaintsAbout(schema: JsonSchema, value: unknown): readonly string[] {
  const validate = ajv.compile(schema);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message: said, params }) => `${instancePath} ${said} ${JSON.stringify(params)}`,
  );
}
