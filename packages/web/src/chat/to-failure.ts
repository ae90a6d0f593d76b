// What went wrong with something that was asked of the server, for people.

import { RequestFailed } from '../server/api.ts';
import type { Failure } from '../server/documents.ts';

export function toFailure(error: unknown): Failure {
  if (error instanceof RequestFailed) return error.failure;
  return {
    class: 'network',
    code: 'unreachable',
    message: 'The server does not answer.',
    remedy: 'What you wrote is still here: see whether the server is there, and send it again.',
  };
}
