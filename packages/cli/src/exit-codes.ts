// How a run tells the shell what came of it.

import type { FailureClass, Outcome } from '@ai-agent/core';

const byClass: Record<FailureClass, number> = {
  config: 1,
  auth: 2,
  rate_limit: 2,
  quota: 2,
  timeout: 2,
  network: 2,
  model: 2,
  invalid_output: 2,
  tool: 3,
  usage: 4,
  budget: 5,
  bug: 70,
  cancelled: 130,
};

/** With `isStrict`, a completed outcome that misses the work of a child is a partial one. */
export function exitCodeOf(outcome: Outcome, isStrict = false): number {
  if (outcome.status === 'completed') return isStrict && outcome.incomplete.length > 0 ? 5 : 0;
  if ('resume' in outcome) return 6;
  return outcome.status === 'partial' ? 5 : byClass[outcome.failure.class];
}

/** `declined`: somebody was asked, and said no. */
export const exitCodes = { ok: 0, declined: 1, usage: 4, byClass } as const;
