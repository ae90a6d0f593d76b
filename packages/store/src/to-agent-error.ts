// What went wrong in a store, as whoever asked is told it.

import { AgentError } from '@ai-agent/core';
import type { StoreFailure } from './ask.ts';

export function toAgentError({ code, message, isPassing }: StoreFailure): AgentError {
  return new AgentError(code, message, isPassing === undefined ? {} : { retryable: isPassing });
}
