// A refusal whose status only HTTP itself knows a name for: the shape is that of all errors.

import type { AgentError } from '@ai-agent/core';
import { toErrorResponse, toSafeFailure } from '../../failure-status.ts';

export function refuseWith(
  status: number,
  error: AgentError,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const { body, headers: usual } = toErrorResponse(toSafeFailure(error), { headers });
  return new Response(body, { status, headers: usual });
}
