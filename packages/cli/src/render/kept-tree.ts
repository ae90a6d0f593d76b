// The tree of a session that is kept: what had not ended when its process was gone says so, and model calls may be left out.

import type { OperationNode, SessionNode } from '@ai-agent/core';

export interface TreeStyle {
  /** Whether agents and tools are enough. */
  readonly isBrief: boolean;
  /** Whether nobody works on it any more, whatever its nodes say. */
  readonly isInterrupted: boolean;
}

export function toKeptTree(session: SessionNode, style: TreeStyle): SessionNode {
  const turns = session.turns.map((turn) => ({
    ...turn,
    operations: turn.operations
      .filter(({ type }) => !style.isBrief || type === 'tool')
      .map((operation) => toOperation(operation, style)),
  }));
  return { ...session, status: toStatus(session.status, style), turns };
}

function toOperation(operation: OperationNode, style: TreeStyle): OperationNode {
  const status = toStatus(operation.status, style);
  if (operation.type === 'model') return { ...operation, status };
  const { session, inside } = operation;
  return {
    ...operation,
    status,
    ...(session ? { session: toKeptTree(session, style) } : {}),
    ...(inside ? { inside: inside.map((one) => toKeptTree(one, style)) } : {}),
  };
}

/** A word for people, which no session says of itself. */
function toStatus<T extends string>(status: T, { isInterrupted }: TreeStyle): T {
  return isInterrupted && status === 'running' ? ('interrupted' as T) : status;
}
