// The outcome of a run as one JSON document, for programs.

import type { Failure, Outcome, Trace } from '@ai-agent/core';
import type { Screen } from './screen.ts';

export function toDocument(outcome: Outcome): Record<string, unknown> {
  const { sessionId, status, text, format, usage, startedAt, endedAt, ledger, tree } = outcome;
  return {
    status,
    ...reportOf(outcome),
    text,
    ...(outcome.metadata ? { metadata: outcome.metadata } : {}),
    ...(outcome.status === 'completed' && outcome.isCached ? { isCached: true } : {}),
    ...('limit' in outcome ? { limit: outcome.limit } : {}),
    ...('failure' in outcome ? { failure: outcome.failure } : {}),
    ...('question' in outcome ? { question: outcome.question, resume: outcome.resume } : {}),
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

/** On one line. A terminal gets as signs what would drive it, which is the same JSON. */
export function toJson(value: unknown, { isTTY }: Pick<Screen, 'isTTY'>): string {
  const json = JSON.stringify(value);
  return isTTY ? json.replace(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, toEscape) : json;
}

function toEscape(letter: string): string {
  return `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** A text answer is its own report; one that breaks a JSON contract is none. */
function reportOf({ report, format, status, text }: Outcome): { readonly report?: unknown } {
  if (report !== undefined) return { report };
  const isAnswer = status === 'completed' || status === 'partial';
  return isAnswer && format !== 'json' ? { report: text } : {};
}

/** The same for what never began. */
export function toFailedDocument(failure: Failure, more: Record<string, unknown> = {}): Record<string, unknown> {
  const trace: Trace | null = null;
  return { status: 'failed', text: '', failure, ...more, ledger: null, trace, tree: null };
}
