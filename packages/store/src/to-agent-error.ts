// What went wrong in a store, as whoever asked is told it.

import { AgentError } from '@ai-agent/core';
import type { StoreFailure } from './ask.ts';

export function toAgentError({ code, message, remedy, isPassing }: StoreFailure): AgentError {
  return new AgentError(code, message, {
    ...(remedy === undefined ? {} : { remedy }),
    ...(isPassing === undefined ? {} : { retryable: isPassing }),
  });
}
