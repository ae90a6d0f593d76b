// What to do about a failure, for who takes agents for models.

import type { Failure } from '@ai-agent/core';

export function remedyOf({ code, remedy }: Pick<Failure, 'code' | 'remedy'>): string {
  return remedies[code] ?? remedy;
}

const remedies: Partial<Record<Failure['code'], string>> = {
  'agent-unknown': 'Name an agent that is served; GET /v1/models lists them.',
  'agent-forbidden': 'Name one that this key may call, GET /v1/models lists them, or use another key.',
};
