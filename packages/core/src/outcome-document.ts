// The outcome of a run as one JSON document, for programs: on stdout, over HTTP, in a store.

import type { Failure } from './errors.ts';
import { type Outcome, reportOf } from './outcome.ts';
import type { Trace } from './trace.ts';

export function toOutcomeDocument(outcome: Outcome): Record<string, unknown> {
  const { sessionId, status, text, format, usage, startedAt, endedAt, ledger, tree, incomplete } = outcome;
  return {
    status,
    ...reportOf(outcome),
    text,
    ...(outcome.metadata ? { metadata: outcome.metadata } : {}),
    ...(outcome.status === 'completed' && outcome.isCached ? { isCached: true } : {}),
    ...('limit' in outcome ? { limit: outcome.limit } : {}),
    ...('failure' in outcome ? { failure: outcome.failure } : {}),
    ...('question' in outcome ? { question: outcome.question, resume: outcome.resume } : {}),
    ...('calls' in outcome ? { calls: outcome.calls, resume: outcome.resume } : {}),
    incomplete,
    format,
    sessionId,
    startedAt,
    endedAt,
    usage,
    ledger,
    trace: tree?.trace ?? null,
    tree: tree ?? null,
  };
}

/** The same for what never began. */
export function toFailedDocument(failure: Failure, more: Record<string, unknown> = {}): Record<string, unknown> {
  const trace: Trace | null = null;
  return { status: 'failed', text: '', failure, incomplete: [], ...more, ledger: null, trace, tree: null };
}
