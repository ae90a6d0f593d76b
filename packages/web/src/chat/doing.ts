// What is done for a round right now, by whom: one line for each tool or agent that is at work.

import type { OperationNode, SessionNode } from '@ai-agent/core';
import { type LiveSigns, turnOf } from '../session/live-signs.ts';
import type { Round } from '../session/round.ts';

export interface Doing {
  readonly id: string;
  /** `researcher[2]`, `github__search`. */
  readonly who: string;
  readonly what: string;
  /** Whether it waits for others before it begins. */
  readonly isWaiting: boolean;
  readonly since: number;
  /** How deep below the agent that was asked, from 0. */
  readonly depth: number;
}

/** More than that says nothing to anybody. */
export const mostLines = 8;

export function whatIsDone(round: Round, live: LiveSigns): readonly Doing[] {
  const root = round.tree.session(round.id);
  return root ? below(root, live, 0) : [];
}

function below(session: SessionNode, live: LiveSigns, depth: number): readonly Doing[] {
  const running = session.turns.at(-1)?.operations.filter(({ status }) => status === 'running') ?? [];
  return running.flatMap((operation) => lineOf(operation, live, depth));
}

function lineOf(operation: OperationNode, live: LiveSigns, depth: number): readonly Doing[] {
  if (operation.type === 'model') return waitOf(operation, live, depth);
  const { session, inside = [] } = operation;
  const at = { id: `${operation.trace.selfId} ${operation.op}`, depth };
  const work = live.workOf(operation.trace.selfId, operation.op);
  if (work?.endedAt !== undefined) return [];
  const line: Doing = {
    ...at,
    who: operation.instance,
    what: whatOf(operation, live),
    isWaiting: !session && !work && operation.startedAt === undefined,
    since: work?.startedAt ?? session?.startedAt ?? operation.requestedAt,
  };
  const sessions = [...(session ? [session] : []), ...inside].filter(({ status }) => status === 'running');
  return [line, ...sessions.flatMap((one) => below(one, live, depth + 1))];
}

type ToolNode = Extract<OperationNode, { type: 'tool' }>;
type ModelNode = Extract<OperationNode, { type: 'model' }>;

function whatOf({ op, trace, title, session }: ToolNode, live: LiveSigns): string {
  const told = session ? live.taskOf(session.trace.selfId) : live.progressOf(trace.selfId, op);
  return told || title || '';
}

/** A model that answers needs no line of its own; one that is waited for does. */
function waitOf({ op, trace, model, requestedAt }: ModelNode, live: LiveSigns, depth: number): readonly Doing[] {
  const wait = live.waitOf(trace.selfId, turnOf(op));
  if (!wait) return [];
  const what = `${waits[wait.reason] ?? 'waits'}${wait.failure ? `: ${wait.failure.message}` : ''}`;
  return [{ id: `${trace.selfId} ${op}`, who: wait.model || model, what, isWaiting: true, since: requestedAt, depth }];
}

const waits: Readonly<Record<string, string>> = {
  retry: 'is asked again',
  fallback: 'is asked instead',
  rate_limit: 'takes no more for a moment',
  queue: 'waits for its turn',
  budget: 'waits for what others may leave of the budget',
};
