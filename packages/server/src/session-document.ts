// A session as programs read it: how it stands, and what it came to, folded from its facts.

import {
  AgentError,
  type Fact,
  type Failure,
  incompleteIn,
  isUnderWay,
  ledgerOf,
  OpTreeFold,
  outcomeOf,
  type SessionHead,
  type SessionNode,
  textOf,
  toFailedDocument,
  toFailure,
  toOutcomeDocument,
} from '@ai-agent/core';

/** Who knows whether the store has a session for good. */
export interface Kept {
  isKept(id: string): boolean;
}

/** How it stands, and where to go on from here. */
export function toHeadDocument(head: SessionHead, hall: Kept): Record<string, unknown> {
  const { id, agent, status, createdAt, endedAt, title, usage, budget, question, calls } = head;
  const failure = failureOf(head);
  const self = `/v1/sessions/${id}`;
  return {
    id,
    agent,
    status,
    ...(title === undefined ? {} : { title }),
    createdAt,
    ...(endedAt === undefined ? {} : { endedAt }),
    isDetached: head.isDetached,
    rounds: head.resumptions + 1,
    ...(head.retryOf ? { retryOf: head.retryOf } : {}),
    ...(usage ? { usage } : {}),
    ...(budget ? { budget } : {}),
    ...(question ? { question } : {}),
    ...(calls ? { calls } : {}),
    ...(failure ? { failure } : {}),
    ...(head.draft === undefined ? {} : { draft: head.draft }),
    ...(head.incompleteCount === undefined ? {} : { incompleteCount: head.incompleteCount }),
    ...(hall.isKept(id) ? {} : { isKept: false }),
    links: {
      self,
      events: `${self}/events`,
      stop: `${self}/stop`,
      cancel: `${self}/cancel`,
      answer: `${self}/answer`,
    },
  };
}

/** One whose process is gone has said nothing of that itself. */
export function failureOf({ status, failure }: SessionHead): Failure | undefined {
  if (status !== 'interrupted') return failure;
  const message = 'What ran it stopped in the middle. What it had done is kept, text that was being written is not.';
  return toFailure(new AgentError('session-interrupted', message));
}

/**
 * The same with the outcome once it has ended, and with ledger and tree at any time. The ledger is that of the whole session;
 * the tree is that of the run which goes on now or was the last, `earlier` has those that ended with a question before it.
 */
export function toSessionDocument(head: SessionHead, facts: readonly Fact[], hall: Kept): Record<string, unknown> {
  const failure = failureOf(head);
  const told = head.endedAt === undefined || failure ? undefined : outcomeOf(facts);
  const outcome = told && head.draft !== undefined ? { ...told, text: head.draft } : told;
  const ledger = ledgerOf(facts, { isOver: !isUnderWay(head) });
  const trees = treesOf(facts);
  const tree = trees.at(-1);
  const withoutEnd = failure ? { ...toFailedDocument(failure), text: lastTextIn(facts, tree?.trace.selfId) } : {};
  return {
    ...(outcome ? toOutcomeDocument(outcome) : withoutEnd),
    ...(head.limit === undefined ? {} : { limit: head.limit }),
    ...toHeadDocument(head, hall),
    sessionId: head.id,
    incomplete: incompleteIn(tree, { isInterrupted: head.status === 'interrupted' }),
    usage: ledger.total,
    ledger,
    trace: tree?.trace ?? null,
    tree: tree ?? null,
    ...(trees.length > 1 ? { earlier: trees.slice(0, -1) } : {}),
  };
}

/** The last text that the agent itself wrote in this run. */
function lastTextIn(facts: readonly Fact[], root: string | undefined): string {
  const texts = facts.flatMap((fact) =>
    fact.type === 'model-end' && fact.trace.selfId === root && fact.reply ? [textOf(fact.reply.message)] : [],
  );
  return texts.findLast((text) => text.trim() !== '') ?? '';
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
