// Sums over the requests of a model call.

import type { Failure } from './errors.ts';
import type { ModelRequestRecord, ModelResult, Reserved } from './operation.ts';
import { addTotals, modelCallTotals, noTotals, type Totals } from './totals.ts';

/** True if the work was told to stop and did not fail by itself. */
export function isCutOff(failure: Failure | undefined): boolean {
  return failure?.code === 'stopped' || failure?.code === 'cut-off' || failure?.class === 'cancelled';
}

export type RequestUse = Pick<ModelRequestRecord, 'usage' | 'costUsd' | 'charged'>;

/** Tokens and money that budgets are charged for these requests: of a charge and a larger reported usage, the larger. */
export function chargeFor(requests: readonly RequestUse[]): Reserved {
  const tokensOf = ({ usage: { inputTokens = 0, outputTokens = 0 } }: RequestUse) => inputTokens + outputTokens;
  return {
    tokens: requests.reduce((sum, one) => sum + Math.max(one.charged?.tokens ?? 0, tokensOf(one)), 0),
    costUsd: requests.reduce((sum, one) => sum + Math.max(one.charged?.costUsd ?? 0, one.costUsd ?? 0), 0),
  };
}

type Counted = Pick<ModelRequestRecord, 'status' | 'costUsd'> & {
  readonly latencyMs: number;
  readonly usage?: ModelRequestRecord['usage'];
};

export function totalsOfRequest({ status, latencyMs, usage, costUsd }: Counted): Totals {
  if (status === 'refused') return noTotals;
  return modelCallTotals({ latencyMs, failed: status !== 'ok', usage, costUsd });
}

export function totalsOfCall({ requests }: Pick<ModelResult, 'requests'>): Totals {
  return requests
    .map((request) => totalsOfRequest({ ...request, latencyMs: request.endedAt - request.startedAt }))
    .reduce(addTotals, noTotals);
}
