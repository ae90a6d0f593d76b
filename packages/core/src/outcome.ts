// The outcome of a session: how it ended, and everything that was recorded on the way.

import type { Ending } from './ending.ts';
import { AgentError, type Failure, toFailure } from './errors.ts';
import type { Fact } from './events.ts';
import type { Conversations } from './folds/conversations.ts';
import { incompleteIn } from './folds/incomplete.ts';
import type { Ledger } from './folds/ledger.ts';
import type { SessionNode } from './folds/op-tree.ts';
import type { Json } from './json.ts';
import type { IncompleteChild } from './missing-call.ts';
import type { OutputContract } from './model.ts';
import { Records } from './records.ts';
import type { Totals } from './totals.ts';

export type Outcome = Ending & OutcomeFigures & OutcomeRecords;

export interface OutcomeFigures {
  readonly sessionId: string;
  readonly format: OutputContract['format'];
  /** What this session and everything below it used. */
  readonly usage: Totals;
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface OutcomeRecords {
  readonly ledger: Ledger;
  readonly tree: SessionNode | undefined;
  /** The children whose work is missing from the answer. Empty if nothing is. */
  readonly incomplete: readonly IncompleteChild[];
  /** What was said in this session and in each one below it, by session id. */
  readonly conversations: Conversations;
}

/** Records are summed up when read: most callers want the text alone. */
export function toOutcome(ending: Ending, figures: OutcomeFigures, records: Records): Outcome {
  const { sessionId, format } = figures;
  return {
    ...ending,
    ...reportOf({ ...ending, format }),
    ...figures,
    get ledger() {
      return records.ledger.ledger(sessionId);
    },
    get tree() {
      return records.tree.session(sessionId);
    },
    get incomplete() {
      return incompleteIn(records.tree.session(sessionId));
    },
    get conversations() {
      return records.conversations.conversations(sessionId);
    },
  };
}

/** The report of a text contract is the text; what breaks a JSON contract is none. */
export function reportOf({ report, format, status, text }: Ending & Pick<Outcome, 'format'>): {
  readonly report?: Json;
} {
  if (format === 'json') return report === undefined ? {} : { report };
  return status === 'completed' || status === 'partial' ? { report: text } : {};
}

/** The report of a JSON contract. Undefined for other contracts, and for one that was broken. */
export function jsonReportOf({ report, format }: Pick<Outcome, 'report' | 'format'>): Json | undefined {
  return format === 'json' ? report : undefined;
}

/** The failure that the caller is told: that of the run, or of a limit that stopped it before it had produced anything. */
export function failureForCaller(outcome: Outcome): Failure | undefined {
  if ('failure' in outcome) return outcome.failure;
  if (outcome.status !== 'partial' || outcome.text.trim() !== '' || jsonReportOf(outcome) !== undefined)
    return undefined;
  const { limit } = outcome;
  return toFailure(
    new AgentError('limit-reached', `The limit ${limit} stopped this before it had produced anything.`, { limit }),
  );
}

/** The outcome that the facts of a run tell; nothing while its root has not ended. */
export function outcomeOf(facts: Iterable<Fact>): Outcome | undefined {
  const records = new Records();
  let format: OutputContract['format'] = 'text';
  let outcome: Outcome | undefined;
  for (const fact of facts) {
    if (!records.add(fact) || fact.trace.selfId !== fact.trace.originId) continue;
    if (fact.type === 'session-start') format = fact.output.format;
    if (fact.type !== 'session-end') continue;
    const { ending, usage, startedAt, endedAt, trace } = fact;
    outcome = toOutcome(ending, { sessionId: trace.selfId, format, usage, startedAt, endedAt }, records);
  }
  return outcome;
}
