// A scripted step as a chat-completions answer on the wire: whole, or as the events of a stream.

import { callsOf, type ErrorCode, type ModelReply, textOf, type Usage } from '@ai-agent/core';
import { type ScriptedFailure, type Step, toPieces, toReply } from '@ai-agent/core/testing';

export interface WireOptions {
  readonly model: string;
  /** The number of the call, for ids. */
  readonly call: number;
  /** Into how many pieces a streamed text is cut. */
  readonly pieces: number;
  /** Whether a stream ends with the usage: only for who asked. */
  readonly withUsage: boolean;
}

export function toWhole(step: Step, { model, call }: WireOptions): string {
  const reply = toReply(step, call);
  const message = {
    role: 'assistant',
    content: textOf(reply.message) || null,
    ...reasoningOf(step),
    ...toolCalls(reply),
  };
  const choice = { index: 0, message, finish_reason: finishOf(reply) };
  return JSON.stringify({
    ...frame('chat.completion', { model, call }),
    choices: [choice],
    ...usageOf(reply.usage),
  });
}

/** The events before and after the place where a step may be cut: after so many pieces of its text. */
export function toEvents(step: Step, { model, call, pieces, withUsage }: WireOptions): readonly string[] {
  const reply = toReply(step, call);
  const chunk = (fields: object) => JSON.stringify({ ...frame('chat.completion.chunk', { model, call }), ...fields });
  const delta = (fields: object) => chunk({ choices: [{ index: 0, delta: fields, finish_reason: null }] });
  const texts = toPieces(step.text ?? '', pieces).map((content) => delta({ content }));
  const before = [delta({ role: 'assistant', content: '' }), ...(step.reasoning ? [delta(reasoningOf(step))] : [])];
  if (step.cutAfter !== undefined) return [...before, ...texts.slice(0, step.cutAfter)];
  const calls = callsOf(reply.message).flatMap(({ id, name, input }, index) => [
    delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
    ...toPieces(input, 2).map((part) => delta({ tool_calls: [{ index, function: { arguments: part } }] })),
  ]);
  const usage = withUsage ? usageOf(reply.usage) : {};
  return [
    ...before,
    ...texts,
    ...calls,
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: finishOf(reply) }] }),
    ...('usage' in usage ? [chunk({ choices: [], ...usage })] : []),
    '[DONE]',
  ];
}

export interface WireFailure {
  /** None when the connection breaks instead. */
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const statuses: Partial<Record<ErrorCode, number>> = {
  'model-auth': 401,
  'model-quota': 402,
  'model-rate-limit': 429,
  'model-timeout': 408,
  'model-unavailable': 503,
  'model-request-refused': 400,
  'model-refusal': 400,
};

export function toWireFailure({ code, message, status, retryAfterMs }: ScriptedFailure): WireFailure {
  if (code === 'model-network') return { headers: {}, body: '' };
  if (code === 'model-reply-invalid')
    return { status: status ?? 200, headers: { 'content-type': 'text/html' }, body: '<p>This is no reply.</p>' };
  const kind = code === 'model-refusal' ? 'content_filter' : code.replaceAll('-', '_');
  return {
    status: status ?? statuses[code] ?? 500,
    headers: {
      'content-type': 'application/json',
      ...(retryAfterMs === undefined
        ? {}
        : { 'retry-after': String(Math.ceil(retryAfterMs / 1000)), 'retry-after-ms': String(retryAfterMs) }),
    },
    body: JSON.stringify({
      error: { message: message ?? `The script says: ${code}.`, type: kind, code: kind, param: null },
    }),
  };
}

function frame(object: string, { model, call }: Pick<WireOptions, 'model' | 'call'>) {
  return { id: `chatcmpl-${call}`, object, created: 1_700_000_000, model };
}

function reasoningOf({ reasoning }: Step) {
  return reasoning ? { reasoning_content: reasoning } : {};
}

function toolCalls({ message }: ModelReply) {
  const calls = callsOf(message);
  if (calls.length === 0) return {};
  return {
    tool_calls: calls.map(({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: input } })),
  };
}

function finishOf({ finishReason }: ModelReply): string {
  return finishReason.replaceAll('-', '_');
}

/** Cache writes have no place on this wire. */
function usageOf(usage: Usage): { usage?: object } {
  const { inputTokens, outputTokens, cacheReadTokens, reasoningTokens } = usage;
  const said = {
    ...(inputTokens === undefined ? {} : { prompt_tokens: inputTokens }),
    ...(outputTokens === undefined ? {} : { completion_tokens: outputTokens }),
    ...(cacheReadTokens === undefined ? {} : { prompt_tokens_details: { cached_tokens: cacheReadTokens } }),
    ...(reasoningTokens === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  };
  return Object.keys(said).length === 0 ? {} : { usage: said };
}
