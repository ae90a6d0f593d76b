// A failure as Anthropic's API tells it: its shape, its statuses, and whether to try again.

import type { Failure } from '@ai-agent/core';
import { type ErrorOptions, toErrorResponse } from '../../failure-status.ts';

export function toAnthropicError(failure: Failure, options?: ErrorOptions): Response {
  return toErrorResponse(failure, options);
}
