// A session as programs read it: how it stands, and what it came to, folded from its facts.

import type { SessionHead } from '@ai-agent/core';
import {
  type Fact,
  ledgerOf,
  OpTreeFold,
  outcomeOf,
  type SessionNode,
  toFailedDocument,
  toOutcomeDocument,
} from '@ai-agent/core';

/** How it stands, and where to go on from here. */
export function toHeadDocument(head: SessionHead): Record<string, unknown> {
  const { id, agent, status, createdAt, endedAt, question, calls, failure, isDetached } = head;
  const self = `/v1/sessions/${id}`;
  return {
    id,
    agent,
    status,
    createdAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    isDetached,
    ...(question ? { question } : {}),
    ...(calls ? { calls } : {}),
    ...(failure ? { failure } : {}),
    links: {
      self,
      events: `${self}/events`,
      stop: `${self}/stop`,
      cancel: `${self}/cancel`,
      answer: `${self}/answer`,
    },
  };
}

/**
 * The same with the outcome once it has ended, and with ledger and tree at any time. The ledger is that of the whole session;
 * the tree is that of the run which goes on now or was the last, `earlier` has those that ended with a question before it.
 */
export function toSessionDocument(head: SessionHead, facts: readonly Fact[]): Record<string, unknown> {
  const told = head.endedAt === undefined || head.failure ? undefined : outcomeOf(facts);
  const outcome = told && head.draft !== undefined ? { ...told, text: head.draft } : told;
  const ledger = ledgerOf(facts);
  const trees = treesOf(facts);
  const tree = trees.at(-1);
  const neverBegan = head.failure ? toFailedDocument(head.failure) : {};
  return {
    ...(outcome ? toOutcomeDocument(outcome) : neverBegan),
    ...(head.limit === undefined ? {} : { limit: head.limit }),
    ...toHeadDocument(head),
    sessionId: head.id,
    usage: ledger.total,
    ledger,
    trace: tree?.trace ?? null,
    tree: tree ?? null,
    ...(trees.length > 1 ? { earlier: trees.slice(0, -1) } : {}),
  };
}

/** One for each run: a session that went on after a question has several. */
function treesOf(facts: readonly Fact[]): readonly SessionNode[] {
  const fold = new OpTreeFold();
  const roots = new Set<string>();
  for (const fact of facts) {
    fold.add(fact);
    roots.add(fact.trace.originId);
  }
  return [...roots].flatMap((id) => fold.session(id) ?? []);
}
