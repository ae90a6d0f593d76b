// The response as an object: complete from its beginning, with null for what is not known yet.

import type { Failure } from '@ai-agent/core';
import type { Said, SaidUsage } from '../../../talk/said.ts';
import type { Echo } from './echo.ts';
import type { OutputItem } from './output-items.ts';

export interface ResponseObject extends Echo {
  readonly id: string;
  readonly object: 'response';
  /** In seconds, as the other. */
  readonly created_at: number;
  readonly completed_at: number | null;
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed';
  readonly error: ResponseError | null;
  readonly incomplete_details: { readonly reason: 'max_output_tokens' } | null;
  readonly output: readonly OutputItem[];
  readonly usage: ReturnType<typeof toUsage> | null;
  /** What the API has no field for. */
  readonly ai_agent?: object;
}

export interface ResponseError {
  readonly code: 'server_error' | 'rate_limit_exceeded' | 'invalid_prompt';
  readonly message: string;
}

/** As it is while it is made. */
export function toResponse(id: string, createdAt: number, echo: Echo): ResponseObject {
  return {
    id,
    object: 'response',
    created_at: toSeconds(createdAt),
    completed_at: null,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    output: [],
    usage: null,
    ...echo,
  };
}

export function toSaid(
  response: ResponseObject,
  said: Said,
  { output, now }: { readonly output: readonly OutputItem[]; readonly now: number },
): ResponseObject {
  const ended = said.isCut
    ? ({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } } as const)
    : ({ status: 'completed', completed_at: toSeconds(now) } as const);
  return { ...response, ...ended, output, usage: toUsage(said.usage), ai_agent: said.about };
}

export function toFailed(
  response: ResponseObject,
  failure: Failure,
  { output, sessionId }: { readonly output: readonly OutputItem[]; readonly sessionId: string },
): ResponseObject {
  const { class: kind, code, remedy, retryable } = failure;
  const about = { session_id: sessionId, status: 'failed', class: kind, code, remedy, retryable };
  return { ...response, status: 'failed', error: toResponseError(failure), output, ai_agent: about };
}

/** The API knows few codes, and clients ask again by themselves at all but one: each time it would be a whole run. */
function toResponseError({ class: kind, message, remedy, retryable }: Failure): ResponseError {
  const code = kind === 'rate_limit' ? 'rate_limit_exceeded' : 'server_error';
  return { code: retryable ? code : 'invalid_prompt', message: `${message} ${remedy}` };
}

function toUsage(usage: SaidUsage) {
  return {
    input_tokens: usage.inputTokens,
    input_tokens_details: { cached_tokens: usage.cacheReadTokens, cache_write_tokens: usage.cacheWriteTokens },
    output_tokens: usage.outputTokens,
    output_tokens_details: { reasoning_tokens: usage.reasoningTokens },
    total_tokens: usage.inputTokens + usage.outputTokens,
  };
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1_000);
}
