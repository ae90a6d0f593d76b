// A failure as OpenAI's API tells it: its shape, its statuses, and whether to try again.

import type { ErrorCode, Failure, FailureClass } from '@ai-agent/core';
import { type ErrorOptions, retryAfterOf, statusOf } from '../../failure-status.ts';
import { remedyOf } from '../../talk/remedy-of.ts';

export interface OpenaiErrorOptions extends ErrorOptions {
  /** The field of the request that is wrong. @default the model, where no such agent is served; else null */
  readonly param?: string | null;
  /** What the API calls it. @default by the code of the failure, or null */
  readonly code?: string;
}

export interface OpenaiErrorBody {
  readonly error: {
    readonly message: string;
    readonly type: string;
    readonly param: string | null;
    readonly code: string | null;
    /** The same in words of ours. */
    readonly ai_agent: {
      readonly class: FailureClass;
      readonly code: ErrorCode;
      readonly remedy: string;
      readonly retryable: boolean;
      readonly session_id?: string;
    };
  };
}

export function toOpenaiError(failure: Failure, options: OpenaiErrorOptions = {}): Response {
  const { status = openaiStatusOf(failure), headers = {} } = options;
  return new Response(`${JSON.stringify(toOpenaiErrorBody(failure, options))}\n`, {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      // Clients of this API would try again by the status alone.
      'x-should-retry': String(failure.retryable),
      ...retryAfterOf(failure),
      ...headers,
    },
  });
}

/**
 * In a stream the status was sent already, and no header says whether to try again: clients go by the type. What is a server's
 * they ask for again by themselves, and each time it is a whole run.
 */
export function toLateErrorBody(failure: Failure, options: OpenaiErrorOptions = {}): OpenaiErrorBody {
  const { error } = toOpenaiErrorBody(failure, options);
  const isFinal = error.type === 'server_error' && !failure.retryable;
  return { error: { ...error, type: isFinal ? 'invalid_request_error' : error.type } };
}

function toOpenaiErrorBody(failure: Failure, options: OpenaiErrorOptions = {}): OpenaiErrorBody {
  const { class: kind, code, message, retryable } = failure;
  const remedy = remedyOf(failure);
  const { sessionId, param = isOfModel(code) ? 'model' : null } = options;
  const about = { class: kind, code, remedy, retryable };
  return {
    error: {
      message: `${message} ${remedy}`,
      type: typeOf(failure),
      param,
      code: options.code ?? codes[code] ?? (kind === 'budget' ? spent : null),
      ai_agent: sessionId === undefined ? about : { ...about, session_id: sessionId },
    },
  };
}

/** The API has no 402: what there was to spend is spent. */
export function openaiStatusOf(failure: Failure): number {
  const status = statusOf(failure);
  return status === 402 ? 429 : status;
}

const spent = 'insufficient_quota';

const codes: Partial<Record<ErrorCode, string>> = {
  'key-refused': 'invalid_api_key',
  'agent-unknown': 'model_not_found',
  'agent-forbidden': 'model_not_found',
  'method-wrong': 'method_not_supported',
  'route-unknown': 'unknown_url',
  'too-many-requests': 'rate_limit_exceeded',
  'allowance-spent': spent,
  // Tells ai-agent clients not to retry. Client libraries may drop `ai_agent`.
  'agent-cycle': 'agent-cycle',
  'depth-limit': 'depth-limit',
};

function isOfModel(code: ErrorCode): boolean {
  return codes[code] === 'model_not_found';
}

function typeOf(failure: Failure): string {
  if (failure.code === 'too-many-requests') return 'requests';
  const status = openaiStatusOf(failure);
  if (status === 429) return spent;
  return status >= 500 ? 'server_error' : 'invalid_request_error';
}
