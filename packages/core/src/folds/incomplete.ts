// The children whose work is missing from an answer, read from the op tree.

import type { ErrorCode } from '../errors.ts';
import type { IncompleteChild, MissingCall } from '../missing-call.ts';
import type { SessionNode, ToolNode } from './op-tree.ts';

export type { IncompleteChild } from '../missing-call.ts';

/**
 * All children below this session that failed, were cut off or were refused, in call order, nested ones included. A later
 * call with the same arguments that completes makes up for a child. So does any later call of the same agent if the
 * arguments were wrong.
 */
export function incompleteIn(tree: SessionNode | undefined): readonly IncompleteChild[] {
  if (!tree) return [];
  const continued = new Set(continuedIn(tree));
  return missingIn(tree, ({ trace }) => !continued.has(trace.selfId)).map(({ child }) => child);
}

/** Missing children of a session that waits for an answer. Sessions below that wait as well keep their own list. */
export function missingAtPause(session: SessionNode | undefined): readonly MissingCall[] {
  if (!session) return [];
  return missingIn(session, ({ status }) => status !== 'needs_user_input' && status !== 'needs_client_tools');
}

function missingIn(session: SessionNode, isListed: (session: SessionNode) => boolean): readonly MissingCall[] {
  const calls = toolCallsIn(session);
  const earlier = (session.continues?.missing ?? []).filter((missing) => !isMadeUp(missing, calls));
  const own = calls.flatMap((node, i) => {
    const by = { tool: node.trace.toolName ?? node.label, asked: node.child?.asked ?? node.op };
    const below = sessionsOf(node).filter(isListed);
    const nested = below.flatMap((inner) => missingIn(inner, isListed).map(({ child }) => ({ ...by, child })));
    return [...missingCall(session, node, by), ...nested].filter((missing) => !isMadeUp(missing, calls.slice(i + 1)));
  });
  return [...earlier, ...own];
}

function isMadeUp({ tool, asked }: MissingCall, later: readonly ToolNode[]): boolean {
  return later.some(
    ({ trace, child, status, session }) =>
      child !== undefined &&
      trace.toolName === tool &&
      (asked === undefined || child.asked === asked) &&
      status === 'ok' &&
      (session === undefined || session.status === 'completed'),
  );
}

function missingCall(caller: SessionNode, node: ToolNode, by: Omit<MissingCall, 'child'>): readonly MissingCall[] {
  const status = statusOf(node);
  if (!node.child || !status) return [];
  const { session, title } = node;
  const failure = node.failure ?? session?.failure;
  const child: IncompleteChild = {
    path: session?.trace.callPath ?? `${caller.trace.callPath}:${node.child.agent}`,
    title,
    status,
    ...(session ? { sessionId: session.trace.selfId } : {}),
    ...(status === 'partial' && session?.limit !== undefined ? { limit: session.limit } : {}),
    ...(status !== 'partial' && failure ? { failure } : {}),
  };
  return [failure && correctable.has(failure.code) ? { tool: by.tool, child } : { ...by, child }];
}

/** Mistakes of the model that called: it reads them and calls again with other arguments. */
const correctable: ReadonlySet<ErrorCode> = new Set(['tool-arguments-invalid', 'tool-unknown', 'reply-cut']);

/** Undefined if nothing is missing, or not yet. */
function statusOf({ status, session }: ToolNode): IncompleteChild['status'] | undefined {
  if (status === 'running') return undefined;
  if (status === 'refused' || status === 'cancelled') return status;
  const ended = session?.status;
  if (ended === 'cancelled' || (ended === 'partial' && session?.output?.trim())) return ended;
  if (status === 'failed' || ended === 'failed') return 'failed';
  return ended === 'partial' ? ended : undefined;
}

function continuedIn(session: SessionNode): readonly string[] {
  const below = toolCallsIn(session).flatMap(sessionsOf).flatMap(continuedIn);
  return session.continues ? [session.continues.sessionId, ...below] : below;
}

function toolCallsIn({ turns }: SessionNode): readonly ToolNode[] {
  return turns.flatMap(({ operations }) => operations.filter((operation) => operation.type === 'tool'));
}

function sessionsOf({ session, inside = [] }: ToolNode): readonly SessionNode[] {
  return session ? [session, ...inside] : inside;
}
