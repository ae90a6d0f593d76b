// Calls that a session waits for: they have not begun, so that no fact of their own tells of them.

import { callsOf, type Fact, type OperationNode, type SessionNode, type ToolCallPart } from '@ai-agent/core';

/** By the session that ended so. */
export type Waiting = ReadonlyMap<string, readonly ToolCallPart[]>;

/** `facts` are those of all rounds: one that goes on has the calls of its turn from the round before. */
export function waitingCalls(facts: Iterable<Fact>): Waiting {
  const open = new Map<string, readonly ToolCallPart[]>();
  const waiting = new Map<string, readonly ToolCallPart[]>();
  for (const fact of facts) {
    const { selfId, originId, correlationId } = fact.trace;
    const place = selfId.slice(originId.length);
    if (fact.type === 'model-end' && !fact.step) open.set(place, fact.reply ? callsOf(fact.reply.message) : []);
    const isOver = fact.type === 'tool-start' || fact.type === 'batch-end';
    if (isOver) open.set(place, open.get(place)?.filter(({ id }) => id !== correlationId) ?? []);
    if (fact.type === 'session-end' && 'resume' in fact.ending) waiting.set(selfId, open.get(place) ?? []);
  }
  return waiting;
}

/** The tree with them, each in the last turn of its session. */
export function withWaiting(session: SessionNode, waiting: Waiting): SessionNode {
  const calls = waiting.get(session.trace.selfId) ?? [];
  const turns = session.turns.map((turn, i) => {
    const known = turn.operations.map((operation) => below(operation, waiting));
    const open = i === session.turns.length - 1 ? calls.map((call) => toNode(call, session)) : [];
    return { ...turn, operations: [...known, ...open] };
  });
  return { ...session, turns };
}

function below(operation: OperationNode, waiting: Waiting): OperationNode {
  if (operation.type === 'model') return operation;
  const { session, inside } = operation;
  return {
    ...operation,
    ...(session ? { session: withWaiting(session, waiting) } : {}),
    ...(inside ? { inside: inside.map((one) => withWaiting(one, waiting)) } : {}),
  };
}

function toNode({ id, name, input }: ToolCallPart, { trace, endedAt, startedAt }: SessionNode): OperationNode {
  return {
    type: 'tool',
    op: '',
    trace: { ...trace, toolName: name, correlationId: id },
    // A word for people, which no operation says of itself.
    status: 'waiting' as OperationNode['status'],
    requestedAt: endedAt ?? startedAt,
    label: name,
    instance: name,
    title: null,
    input,
  };
}
