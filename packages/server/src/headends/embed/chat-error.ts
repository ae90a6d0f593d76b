// A failure as older embed clients read it: `{ error, message }`, with the codes and statuses that they know.

import type { ErrorCode, Failure } from '@ai-agent/core';
import { type ErrorOptions, forVisitors, retryAfterOf, statusOf } from '../../failure-status.ts';

/** Ours to theirs. What they have no word for keeps its own, written as theirs are. */
const known: Partial<Record<ErrorCode, readonly [code: string, status: number]>> = {
  'request-invalid': ['invalid_message', 400],
  'request-too-large': ['invalid_message', 400],
  'session-input-invalid': ['invalid_message', 400],
  'answer-invalid': ['invalid_message', 400],
  'agent-unknown': ['agent_not_found', 404],
  'agent-forbidden': ['agent_not_found', 404],
  'route-unknown': ['not_found', 404],
  'session-unknown': ['not_found', 404],
  'origin-refused': ['cors_rejected', 403],
  'key-refused': ['invalid_token', 403],
  'too-many-requests': ['rate_limited', 429],
  'allowance-spent': ['rate_limited', 429],
  'server-full': ['concurrency_limit', 503],
  'server-stopping': ['server_stopping', 503],
};

/** On a port of its own there are neither the pages nor the settings that a server has elsewhere. */
const onPort: Partial<Record<ErrorCode, Partial<Failure>>> = {
  'agent-forbidden': {
    message: 'There is no such agent to chat with here.',
    remedy: 'Name one as agentId that is in allowedAgents of this port, and that the key, if there is one, may call.',
  },
  'origin-refused': { remedy: 'Name its origin in corsOrigins of this port, or in origins of a publishable key.' },
  'route-unknown': { remedy: 'There are /v1/chat, /health, /ready and /ai-agent-public.js.' },
};

export function ofPort(failure: Failure): Failure {
  return { ...failure, ...onPort[failure.code] };
}

export function codeOf({ code }: Pick<Failure, 'code'>): string {
  return known[code]?.[0] ?? code.replaceAll('-', '_');
}

export function toChatError(failure: Failure, options: ErrorOptions = {}): Response {
  const { status = known[failure.code]?.[1] ?? statusOf(failure), headers = {} } = options;
  const body = { error: codeOf(failure), message: `${failure.message} ${failure.remedy}` };
  return new Response(`${JSON.stringify(body)}\n`, {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...retryAfterOf(failure), ...headers },
  });
}

/** The same when the stream has begun. */
export function toErrorEvent(failure: Failure): object {
  const { message, retryable: recoverable } = forVisitors(failure);
  return { code: codeOf(failure), message, recoverable };
}
