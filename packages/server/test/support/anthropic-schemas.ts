// What Anthropic's public reference says of its replies, as JSON Schemas: every field that it requires, and no other but ours.

import { Ajv, type ValidateFunction } from 'ajv';

type Schema = Readonly<Record<string, unknown>>;

/** All of them are required, and there are no others. */
function exactly(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

const text = { type: 'string' };
const filled = { type: 'string', minLength: 1 };
const count = { type: 'integer', minimum: 0 };
const nothing = { type: 'null' };
const only = (...values: readonly (string | null)[]) => ({ enum: values });
const list = (items: Schema) => ({ type: 'array', items });
const optional = (schema: Schema) => ({ anyOf: [schema, nothing] });

const totals = {
  type: 'object',
  properties: { inputTokens: count, outputTokens: count, modelCalls: count },
  required: ['inputTokens', 'outputTokens', 'modelCalls', 'costUsd'],
};
/** Ours: what the API has no field for. */
const about = {
  type: 'object',
  properties: {
    session_id: filled,
    status: only('completed', 'partial', 'needs_user_input', 'needs_client_tools'),
    limit: filled,
    incomplete: { type: 'array', minItems: 1 },
    usage: totals,
  },
  required: ['session_id', 'status', 'usage'],
  additionalProperties: false,
};

const deltaUsage = {
  input_tokens: count,
  cache_creation_input_tokens: count,
  cache_read_input_tokens: count,
  output_tokens: count,
  output_tokens_details: exactly({ thinking_tokens: count }),
  server_tool_use: nothing,
  iterations: nothing,
  fallback_credit: nothing,
};
const usage = exactly({
  ...deltaUsage,
  cache_creation: exactly({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }),
  service_tier: only('standard', 'priority', 'batch'),
  inference_geo: optional(text),
  speed: only('standard', 'fast', null),
});

const caller = exactly({ type: only('direct') });
const block = {
  oneOf: [
    exactly({ type: only('text'), text: filled, citations: nothing }),
    exactly({ type: only('thinking'), thinking: filled, signature: filled }),
    exactly({ type: only('tool_use'), id: { pattern: '^toolu_.' }, name: filled, input: { type: 'object' }, caller }),
  ],
};
const emptyBlock = {
  oneOf: [
    exactly({ type: only('text'), text: { const: '' }, citations: nothing }),
    exactly({ type: only('thinking'), thinking: { const: '' }, signature: { const: '' } }),
    exactly({ type: only('tool_use'), id: { pattern: '^toolu_.' }, name: filled, input: exactly({}), caller }),
  ],
};

const frame = {
  id: { type: 'string', pattern: '^msg_[A-Za-z0-9]+$' },
  type: only('message'),
  role: only('assistant'),
  model: filled,
  container: nothing,
  context_management: nothing,
  diagnostics: nothing,
  stop_details: nothing,
  stop_sequence: nothing,
  usage,
};
const stopReason = only('end_turn', 'max_tokens', 'tool_use');

const delta = {
  oneOf: [
    exactly({ type: only('text_delta'), text: filled }),
    exactly({ type: only('thinking_delta'), thinking: filled }),
    exactly({ type: only('signature_delta'), signature: filled }),
    exactly({ type: only('input_json_delta'), partial_json: filled }),
  ],
};

const knownError = {
  type: only(
    ...['invalid_request_error', 'authentication_error', 'billing_error', 'permission_error', 'not_found_error'],
    ...['conflict_error', 'request_too_large', 'rate_limit_error', 'api_error', 'timeout_error', 'overloaded_error'],
  ),
  message: filled,
  ai_agent: {
    type: 'object',
    properties: { class: filled, code: filled, remedy: filled, retryable: { type: 'boolean' }, session_id: filled },
    required: ['class', 'code', 'remedy', 'retryable'],
    additionalProperties: false,
  },
};
const threadDetails = exactly({ error_code: only('thread_not_found') });
const error = exactly({
  type: only('error'),
  error: { oneOf: [exactly(knownError), exactly({ ...knownError, details: threadDetails })] },
  request_id: optional(filled),
});

const model = exactly({
  type: only('model'),
  id: filled,
  display_name: filled,
  created_at: { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$' },
  capabilities: nothing,
  lifecycle: only('active'),
  line: nothing,
  deprecated_at: nothing,
  retires_at: nothing,
  max_input_tokens: optional(count),
  max_tokens: optional(count),
});

const schemas = {
  message: exactly({ ...frame, content: list(block), stop_reason: stopReason, ai_agent: about }),
  error,
  model,
  models: exactly({
    data: list(model),
    has_more: { type: 'boolean' },
    first_id: optional(filled),
    last_id: optional(filled),
  }),
  tokens: exactly({ input_tokens: { type: 'integer', minimum: 1 } }),
  message_start: exactly({
    type: only('message_start'),
    message: exactly({ ...frame, content: { type: 'array', maxItems: 0 }, stop_reason: nothing }),
  }),
  ping: exactly({ type: only('ping') }),
  content_block_start: exactly({ type: only('content_block_start'), index: count, content_block: emptyBlock }),
  content_block_delta: exactly({ type: only('content_block_delta'), index: count, delta }),
  content_block_stop: exactly({ type: only('content_block_stop'), index: count }),
  message_delta: exactly({
    type: only('message_delta'),
    delta: exactly({ stop_reason: stopReason, stop_sequence: nothing, stop_details: nothing, container: nothing }),
    usage: exactly(deltaUsage),
    context_management: nothing,
    ai_agent: about,
  }),
  message_stop: exactly({ type: only('message_stop') }),
};

export type Shape = keyof typeof schemas;

const ajv = new Ajv({ allErrors: true, strictTypes: false });
const compiled = new Map<Shape, ValidateFunction>();

/** What is wrong with it; nothing when it is as it should be. */
export function shapeFaults(shape: Shape, value: unknown): readonly string[] {
  if (!Object.hasOwn(schemas, shape)) return [`nothing is known of ${shape}`];
  const validate = compiled.get(shape) ?? ajv.compile(schemas[shape]);
  compiled.set(shape, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${shape}${instancePath} ${message}`);
}
