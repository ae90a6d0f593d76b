// A session as it is kept, folded from its facts: round by round, and all in all.

import {
  callsOf,
  conversationsOf,
  type Fact,
  type IncompleteChild,
  incompleteIn,
  isUnderWay,
  type Ledger,
  ledgerOf,
  type Message,
  type OperationNode,
  OpTreeFold,
  type Outcome,
  outcomeOf,
  type SessionHead,
  type SessionNode,
  type SessionStore,
  textOf,
} from '@ai-agent/core';
import { type Asked, askedIn, startIn } from '../../asked-in.ts';
import { toKeptTree } from '../../render/kept-tree.ts';
import { type Waiting, waitingCalls, withWaiting } from './waiting-calls.ts';

export interface Round {
  /** From one. */
  readonly number: number;
  readonly asked: Asked;
  /** As it stands now: what nobody works on any more is interrupted. */
  readonly tree: SessionNode | undefined;
  /** Missing where it has not ended. */
  readonly outcome: Outcome | undefined;
  /** Children whose work is missing. Those of a round without an outcome are the ones that are missing so far. */
  readonly incomplete: readonly IncompleteChild[];
  /** What was said in it and before it, without what its agents said among themselves. */
  readonly messages: readonly Message[];
  /** From its beginning to its end, or to the last that is known of it. */
  readonly workMs: number;
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
  const each = [...byRound];
  const waiting = waitingCalls(facts);
  const rounds = each.map(([id, told], i) => {
    const number = numberOf(id, head) ?? i + 1;
    const isLast = number > head.resumptions;
    const end = isLast ? head : endBefore(told, each[i + 1]?.[1] ?? []);
    return toRound(id, told, { number, isLast, end, waiting });
  });
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
  readonly isLast: boolean;
  readonly end: End;
  readonly waiting: Waiting;
}

/** What is known of the end of a round beside its facts. */
type End = Partial<Pick<SessionHead, 'status' | 'draft' | 'limit'>>;

/** Its head knows of the last one alone: what an earlier one was stopped in is told by the round after it. */
function endBefore(facts: readonly Fact[], next: readonly Fact[]): End {
  const told = outcomeOf(facts);
  if (told?.status !== 'cancelled' || !told.failure.message.includes('SIGINT')) return {};
  const draft = startIn(next)?.messages.at(-2);
  if (draft?.role !== 'assistant' || callsOf(draft).length > 0) return {};
  return { status: 'partial', limit: 'stop', draft: textOf(draft) };
}

function toRound(id: string, facts: readonly Fact[], { number, isLast, end, waiting }: Place): Round {
  const fold = new OpTreeFold();
  for (const fact of facts) fold.add(fact);
  const told = outcomeOf(facts);
  const outcome = told && end.draft !== undefined ? { ...told, text: end.draft } : told;
  const tree = fold.session(id);
  const style = { isBrief: false, isInterrupted: !isLast || end.status === 'interrupted' };
  const settled = tree && toKeptTree(withWaiting(endedAs(tree, end), waiting), style);
  const lastAt = tree?.endedAt ?? facts.at(-1)?.at ?? 0;
  return {
    number,
    asked: askedIn(facts),
    tree: settled,
    outcome,
    incomplete: outcome?.incomplete ?? incompleteIn(tree, style),
    messages: conversationsOf(facts)[id] ?? [],
    workMs: tree ? Math.max(0, lastAt - tree.startedAt) : 0,
  };
}

/** Who was stopped in the middle of an answer was cancelled, and has an answer for people. */
function endedAs(tree: SessionNode, { status, limit }: End): SessionNode {
  if (tree.status !== 'cancelled' || status !== 'partial') return tree;
  const { failure: _, ...rest } = tree;
  const turns = tree.turns.map((turn) => ({ ...turn, operations: turn.operations.map(withoutCancellation) }));
  return { ...rest, turns, status, ...(limit === undefined ? {} : { limit }) };
}

/** The model call that the stop interrupted; its failure only repeats the signal. */
function withoutCancellation(operation: OperationNode): OperationNode {
  if (operation.failure?.class !== 'cancelled') return operation;
  const { failure: _, ...rest } = operation;
  return { ...rest, status: 'cancelled' };
}

/** How to go on from here, where something is waited for or was not finished. */
export function isUnfinished({ status }: SessionHead): boolean {
  return status === 'interrupted' || status === 'partial' || status === 'failed' || status === 'cancelled';
}
