// An address that is there, and a method that it does not take.

import { AgentError } from '@ai-agent/core';
import { type ToError, toErrorResponse, toSafeFailure } from './failure-status.ts';

/** As the header `Allow` has them: `GET, POST`. */
export function wrongMethod(allowed: string, toError: ToError = toErrorResponse): Response {
  const failure = new AgentError('method-wrong', `This address takes ${allowed.replace(/, (?=\w+$)/, ' and ')}.`);
  return toError(toSafeFailure(failure), { headers: { allow: allowed } });
}
