// What went wrong with something that was asked of the server, for people.

import { RequestFailed } from './api.ts';
import type { Failure } from './documents.ts';

/** Where nobody has answered, `remedy` says what to do about it. */
export function toFailure(error: unknown, remedy = 'See whether it is still running, then try again.'): Failure {
  if (error instanceof RequestFailed) return error.failure;
  return { class: 'network', code: 'unreachable', message: 'The server does not answer.', remedy };
}
