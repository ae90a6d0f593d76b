// A failure as Anthropic's API tells it: its shape, its statuses, and whether to try again.

import type { Failure } from '@ai-agent/core';
import { type ErrorOptions, retryAfterOf, statusOf } from '../../failure-status.ts';
import { remedyOf } from '../../talk/remedy-of.ts';

export interface AnthropicErrorOptions extends ErrorOptions {
  /** The cause, where clients go by it. @default none */
  readonly details?: { readonly error_code: string; readonly [field: string]: unknown };
}

export interface AnthropicErrorBody {
  readonly type: 'error';
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly details?: AnthropicErrorOptions['details'];
    /** What this API has no field for. */
    readonly ai_agent: Pick<Failure, 'class' | 'code' | 'remedy' | 'retryable'> & { readonly session_id?: string };
  };
  /** The session that it is about, where there is one. */
  readonly request_id: string | null;
}

export function toAnthropicError(failure: Failure, options: AnthropicErrorOptions = {}): Response {
  const { sessionId, status = statusHere(failure), headers = {} } = options;
  return new Response(`${JSON.stringify(toErrorBody(failure, options))}\n`, {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'x-should-retry': String(failure.retryable),
      ...(sessionId === undefined ? {} : { 'request-id': sessionId }),
      ...retryAfterOf(failure),
      ...headers,
    },
  });
}

/** The same in a stream, where the status was sent before. */
export function toErrorBody(failure: Failure, { sessionId, details }: AnthropicErrorOptions): AnthropicErrorBody {
  const { class: kind, code, message, retryable } = failure;
  const remedy = remedyOf(failure);
  const session = sessionId === undefined ? {} : { session_id: sessionId };
  return {
    type: 'error',
    error: {
      type: types[statusHere(failure)] ?? 'invalid_request_error',
      message: `${message} ${remedy}`,
      ...(details ? { details } : {}),
      ai_agent: { class: kind, code, remedy, retryable, ...session },
    },
    request_id: sessionId ?? null,
  };
}

const types: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  402: 'billing_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  409: 'conflict_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  504: 'timeout_error',
  529: 'overloaded_error',
};

/** What is upstream of us is inside for these clients; who is told to come back later is told so by a number of their own. */
function statusHere(failure: Failure): number {
  const status = statusOf(failure);
  if (status === 503) return failure.retryable ? 529 : 500;
  return status === 502 ? 500 : status;
}
