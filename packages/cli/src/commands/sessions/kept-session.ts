// A session as it is kept, folded from its facts: round by round, and all in all.

import {
  conversationsOf,
  type Fact,
  isUnderWay,
  type Ledger,
  ledgerOf,
  type Message,
  OpTreeFold,
  type Outcome,
  outcomeOf,
  type SessionHead,
  type SessionNode,
  type SessionStore,
} from '@ai-agent/core';

export interface Round {
  /** From one. */
  readonly number: number;
  readonly tree: SessionNode | undefined;
  /** Missing where it has not ended. */
  readonly outcome: Outcome | undefined;
  /** What was said in it and before it, without what its agents said among themselves. */
  readonly messages: readonly Message[];
}

export interface KeptSession {
  readonly head: SessionHead;
  readonly facts: readonly Fact[];
  readonly rounds: readonly Round[];
  /** Of all rounds. */
  readonly ledger: Ledger;
}

export async function readSession(store: Pick<SessionStore, 'facts'>, head: SessionHead): Promise<KeptSession> {
  const facts = await store.facts(head.id, 0);
  const byRound = Map.groupBy(facts, ({ trace }) => trace.originId);
  const rounds = [...byRound].map(([id, told], i) =>
    toRound(id, told, { number: i + 1, head, isLast: i === byRound.size - 1 }),
  );
  return { head, facts, rounds, ledger: ledgerOf(facts, { isOver: !isUnderWay(head) }) };
}

interface Place {
  readonly number: number;
  readonly head: SessionHead;
  readonly isLast: boolean;
}

/** Of the last one its head may know more than its facts. */
function toRound(id: string, facts: readonly Fact[], { number, head, isLast }: Place): Round {
  const fold = new OpTreeFold();
  for (const fact of facts) fold.add(fact);
  const told = outcomeOf(facts);
  const outcome = told && isLast && head.draft !== undefined ? { ...told, text: head.draft } : told;
  const tree = fold.session(id);
  return { number, tree, outcome, messages: conversationsOf(facts)[id] ?? [] };
}

/** How to go on from here, where something is waited for or was not finished. */
export function isUnfinished({ status }: SessionHead): boolean {
  return status === 'interrupted' || status === 'partial' || status === 'failed' || status === 'cancelled';
}
