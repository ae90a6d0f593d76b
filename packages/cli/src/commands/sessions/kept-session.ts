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
import { type Asked, askedIn } from '../../asked-in.ts';
import { toKeptTree } from '../../render/kept-tree.ts';

export interface Round {
  /** From one. */
  readonly number: number;
  readonly asked: Asked;
  /** As it stands now: what nobody works on any more is interrupted. */
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
  const rounds = [...byRound].map(([id, told], i) => toRound(id, told, { number: numberOf(id, head) ?? i + 1, head }));
  return { head, facts, rounds, ledger: ledgerOf(facts, { isOver: !isUnderWay(head) }) };
}

/** One that never began has told nothing, and is a round all the same. */
function numberOf(id: string, head: SessionHead): number | undefined {
  if (id === head.id) return 1;
  const rest = id.startsWith(`${head.id}-`) ? Number(id.slice(head.id.length + 1)) : Number.NaN;
  return Number.isSafeInteger(rest) ? rest : undefined;
}

interface Place {
  readonly number: number;
  readonly head: SessionHead;
}

/** Of the last one its head may know more than its facts. */
function toRound(id: string, facts: readonly Fact[], { number, head }: Place): Round {
  const isLast = number > head.resumptions;
  const fold = new OpTreeFold();
  for (const fact of facts) fold.add(fact);
  const told = outcomeOf(facts);
  const outcome = told && isLast && head.draft !== undefined ? { ...told, text: head.draft } : told;
  const tree = fold.session(id);
  const style = { isBrief: false, isInterrupted: !isLast || head.status === 'interrupted' };
  const settled = tree && toKeptTree(isLast ? endedAs(tree, head) : tree, style);
  return { number, asked: askedIn(facts), tree: settled, outcome, messages: conversationsOf(facts)[id] ?? [] };
}

/** Who was stopped in the middle of an answer was cancelled, and has an answer for people. */
function endedAs(tree: SessionNode, { status, limit }: SessionHead): SessionNode {
  if (tree.status !== 'cancelled' || status !== 'partial') return tree;
  const { failure: _, ...rest } = tree;
  return { ...rest, status, ...(limit === undefined ? {} : { limit }) };
}

/** How to go on from here, where something is waited for or was not finished. */
export function isUnfinished({ status }: SessionHead): boolean {
  return status === 'interrupted' || status === 'partial' || status === 'failed' || status === 'cancelled';
}
