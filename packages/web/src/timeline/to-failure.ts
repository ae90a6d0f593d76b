// Why something that was wanted of a row was not done.

import { RequestFailed } from '../server/api.ts';
import type { Failure } from '../server/documents.ts';

export function toFailure(error: unknown): Failure {
  if (error instanceof RequestFailed) return error.failure;
  const message = 'The server does not answer.';
  return { class: 'network', code: 'unreachable', message, remedy: 'See whether it is still running, then try again.' };
}
