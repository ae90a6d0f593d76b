// Failures over HTTP: the only map from codes and classes to statuses, and the one shape of an error.

import { AgentError, type ErrorCode, type Failure, type FailureClass, toFailure } from '@ai-agent/core';

/** What was wrong with the request itself. */
const byCode: Partial<Record<ErrorCode, number>> = {
  'key-refused': 401,
  'agent-forbidden': 403,
  'origin-refused': 403,
  'agent-unknown': 404,
  'route-unknown': 404,
  'session-unknown': 404,
  'method-wrong': 405,
  'request-slow': 408,
  'agent-cycle': 409,
  'depth-limit': 409,
  'question-unknown': 409,
  'request-too-large': 413,
  'too-many-requests': 429,
  'allowance-spent': 429,
  'headers-too-large': 431,
  'server-full': 503,
  'server-stopping': 503,
};

/** What a run came to: what is ours is 500, what is upstream of us 502 to 504. */
const byClass: Readonly<Record<FailureClass, number>> = {
  usage: 400,
  budget: 402,
  cancelled: 409,
  config: 500,
  bug: 500,
  auth: 502,
  invalid_output: 502,
  model: 502,
  network: 502,
  tool: 502,
  quota: 503,
  rate_limit: 503,
  timeout: 504,
};

export function statusOf({ code, class: kind }: Pick<Failure, 'code' | 'class'>): number {
  return byCode[code] ?? byClass[kind];
}

export interface ErrorBody {
  readonly error: Omit<Failure, 'status'> & { readonly sessionId?: string };
}

/** What we did not foresee says nothing of us: no message of it leaves the house. */
export function toSafeFailure(error: unknown): Failure {
  return withoutBug(toFailure(error));
}

export function withoutBug(failure: Failure): Failure {
  if (failure.class !== 'bug') return failure;
  return toFailure(new AgentError('internal', 'The server could not answer this request.'));
}

/** Whole seconds, as the header wants them. */
export function retryAfterOf({ retryAfterMs }: Pick<Failure, 'retryAfterMs'>): Readonly<Record<string, string>> {
  return retryAfterMs === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))) };
}

export interface ErrorOptions {
  /** The session that it is about. */
  readonly sessionId?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export function toErrorResponse(failure: Failure, { sessionId, headers = {} }: ErrorOptions = {}): Response {
  // The status that a provider gave us is no concern of who asks us.
  const { status: _status, ...told } = failure;
  const body: ErrorBody = { error: { ...told, ...(sessionId === undefined ? {} : { sessionId }) } };
  return new Response(`${JSON.stringify(body)}\n`, {
    status: statusOf(failure),
    headers: { 'content-type': 'application/json; charset=utf-8', ...retryAfterOf(failure), ...headers },
  });
}
