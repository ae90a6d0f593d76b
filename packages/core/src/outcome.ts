// The outcome of a session: how it ended, and everything that was recorded on the way.

import type { Ending } from './ending.ts';
import type { Conversations } from './folds/conversations.ts';
import type { Ledger } from './folds/ledger.ts';
import type { SessionNode } from './folds/op-tree.ts';
import type { OutputContract } from './model.ts';
import type { Records } from './records.ts';
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
  /** What was said in this session and in each one below it, by session id. */
  readonly conversations: Conversations;
}

/** Records are summed up when read: most callers want the text alone. */
export function toOutcome(ending: Ending, figures: OutcomeFigures, records: Records): Outcome {
  const { sessionId } = figures;
  return {
    ...ending,
    ...figures,
    get ledger() {
      return records.ledger.ledger(sessionId);
    },
    get tree() {
      return records.tree.session(sessionId);
    },
    get conversations() {
      return records.conversations.conversations(sessionId);
    },
  };
}
