// Accounting, conversation and op tree of one sub-agent session, read from an outcome.

import type { LedgerEntry } from './folds/ledger.ts';
import type { SessionNode } from './folds/op-tree.ts';
import type { Message } from './message.ts';
import type { Outcome } from './outcome.ts';
import { isBelow } from './place.ts';
import { noTotals, type Totals } from './totals.ts';

export interface ChildSession {
  /** Every call of the session and of those below it. */
  readonly accounting: readonly LedgerEntry[];
  /** The sum of these calls. */
  readonly usage: Totals;
  /** The messages of the session alone. */
  readonly conversation: readonly Message[];
  /** The session with its turns and calls, and the sessions below it. */
  readonly opTree: SessionNode;
}

/**
 * Accounting, conversation and op tree of one session of a run, by the id that the result of its call has. Undefined if the
 * outcome has no such session, or the call ran none.
 */
export function childOf(
  { ledger, tree, conversations }: Pick<Outcome, 'ledger' | 'tree' | 'conversations'>,
  sessionId: string | undefined,
): ChildSession | undefined {
  if (!tree || sessionId === undefined) return undefined;
  const opTree = findSession(tree, sessionId);
  if (!opTree) return undefined;
  return {
    accounting: ledger.entries.filter(({ trace }) => isBelow(trace.selfId, sessionId)),
    usage: ledger.bySession[sessionId]?.subtree ?? noTotals,
    conversation: conversations[sessionId] ?? [],
    opTree,
  };
}

function findSession(node: SessionNode, sessionId: string): SessionNode | undefined {
  const { selfId } = node.trace;
  if (selfId === sessionId) return node;
  if (!isBelow(sessionId, selfId)) return undefined;
  const calls = node.turns.flatMap(({ operations }) => operations);
  const below = calls.flatMap((call) => (call.type === 'tool' ? [call.session ?? [], call.inside ?? []].flat() : []));
  for (const child of below) {
    const found = findSession(child, sessionId);
    if (found) return found;
  }
  return undefined;
}
