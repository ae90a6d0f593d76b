// What to do about a failure, for who takes agents for models.

import type { Failure } from '@ai-agent/core';

export function remedyOf({ code, remedy }: Pick<Failure, 'code' | 'remedy'>): string {
  return code === 'agent-unknown' ? 'Name an agent that is served; GET /v1/models lists them.' : remedy;
}
