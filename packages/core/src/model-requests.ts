// The requests behind one model call: those that failed and the one that was answered, with what each used.

import type { Failure } from './errors.ts';
import type { ModelResult } from './operation.ts';
import { addTotals, modelCallTotals, noTotals, type Totals } from './totals.ts';
import type { Usage } from './usage.ts';

interface ModelRequestRecord {
  /** `refused`: no request was sent, so nothing counts. */
  readonly status: 'ok' | 'failed' | 'refused' | 'cancelled';
  readonly provider: string;
  readonly model: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly usage: Usage;
  readonly costUsd?: number | undefined;
  readonly failure?: Failure | undefined;
}

type EndedModelCall = ModelResult & { readonly startedAt: number; readonly endedAt: number };

/** In the order they were sent. A call that ended before a request was sent has a record that says so. */
export function requestsOf(call: EndedModelCall): readonly ModelRequestRecord[] {
  const { provider, model, attempts, reply, failure, startedAt, endedAt, sentAt } = call;
  const failed = attempts.map(({ isSent, ...attempt }) => ({
    ...attempt,
    status: statusOf(isSent, attempt.failure),
  }));
  const last = { provider, model, startedAt: sentAt ?? startedAt, endedAt };
  if (reply) return [...failed, { ...last, status: 'ok', usage: reply.usage, costUsd: reply.costUsd }];
  const isTold = failed.length > 0 && failure?.message === attempts.at(-1)?.failure.message;
  return isTold ? failed : [...failed, { ...last, status: 'refused', usage: {}, failure }];
}

function statusOf(isSent: boolean, failure: Failure): ModelRequestRecord['status'] {
  if (!isSent) return 'refused';
  return isCutOff(failure) ? 'cancelled' : 'failed';
}

/** True if the work was told to stop and did not fail by itself. */
export function isCutOff(failure: Failure | undefined): boolean {
  return failure?.code === 'stopped' || failure?.code === 'cut-off' || failure?.class === 'cancelled';
}

type Counted = Pick<ModelRequestRecord, 'status' | 'costUsd'> & { readonly latencyMs: number; readonly usage?: Usage };

export function totalsOfRequest({ status, latencyMs, usage, costUsd }: Counted): Totals {
  if (status === 'refused') return noTotals;
  return modelCallTotals({ latencyMs, failed: status !== 'ok', usage, costUsd });
}

export function totalsOfCall(call: EndedModelCall): Totals {
  return requestsOf(call)
    .map((request) => totalsOfRequest({ ...request, latencyMs: request.endedAt - request.startedAt }))
    .reduce(addTotals, noTotals);
}
