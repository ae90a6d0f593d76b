// The children whose work is missing from an answer, read from the op tree.

import { AgentError, type ErrorCode, type Failure, toFailure } from '../errors.ts';
import type { IncompleteChild, MissingCall } from '../missing-call.ts';
import { labelSessions } from './agent-labels.ts';
import type { SessionNode, ToolNode } from './op-tree.ts';

/**
 * All children below this session that failed, were cut off, were refused or asked a question without an answer, in call order,
 * nested ones included. A child is not listed:
 * - if a call with the same arguments completed, in the same turn or later;
 * - if its calls continue one conversation, and a later turn has a completed call of it;
 * - if its arguments were wrong or cut, and a later turn has a call of it: that call is listed instead if it fails.
 * Of equal calls that all failed, the last is listed. A refused answer to a question leaves that question open.
 */
export function incompleteIn(
  tree: SessionNode | undefined,
  { isInterrupted = false }: IncompleteOptions = {},
): readonly IncompleteChild[] {
  return tree ? missingIn(tree, { ...listingOf(tree), isInterrupted }).map(({ child }) => child) : [];
}

interface IncompleteOptions {
  /** True if the process ended, so that children that seem to run are lost. @default false */
  readonly isInterrupted?: boolean;
}

/**
 * Missing children of a session that pauses. `resumingChildId` is the id of the child that continues with the session. Other
 * children that wait keep their own list.
 */
export function missingAtPause(session: SessionNode | undefined, resumingChildId?: string): readonly MissingCall[] {
  if (!session) return [];
  const isListed = (one: SessionNode) => !isWaiting(one);
  return missingIn(session, { ...listingOf(session), isListed, isPausing: true, resumingChildId });
}

function isWaiting({ status }: SessionNode): boolean {
  return status === 'needs_user_input' || status === 'needs_client_tools';
}

/** Missing children of a session that ended without an answer: it failed, was cancelled, or its process is gone. */
export function missingWithoutAnswer(session: SessionNode | undefined): readonly MissingCall[] {
  if (!session || !isBroken(session)) return [];
  return missingIn(session, { ...listingOf(session), isInterrupted: true });
}

function isBroken({ status }: SessionNode): boolean {
  return status === 'running' || status === 'failed' || status === 'cancelled';
}

interface Listing extends IncompleteOptions {
  readonly labels: ReturnType<typeof labelSessions>;
  /** True for a session that a later one continues. */
  readonly isContinued: (session: SessionNode) => boolean;
  /** True for a session below whose missing children are listed. */
  readonly isListed: (session: SessionNode) => boolean;
  /** True if the session that is listed pauses: a child with a question waits for it to continue. */
  readonly isPausing?: boolean;
  /** The id of a child that continues with the session that pauses. */
  readonly resumingChildId?: string | undefined;
}

function listingOf(tree: SessionNode): Listing {
  const continued = new Set(continuedIn(tree));
  const isContinued = ({ trace }: SessionNode) => continued.has(trace.selfId);
  return { labels: labelSessions(allIn(tree)), isContinued, isListed: (session) => !isContinued(session) };
}

function missingIn(session: SessionNode, listing: Listing): readonly MissingCall[] {
  const calls = toolCallsIn(session);
  const before = session.continues?.missing ?? [];
  const hashOf = argumentsHashesIn(calls, before);
  const below = calls.map((node) =>
    sessionsOf(node)
      .filter(listing.isListed)
      .flatMap((inner) => missingIn(inner, listing)),
  );
  // The caller is asking these questions now.
  const isOpen = ({ child: { failure } }: MissingCall) => isWaiting(session) && failure?.code === 'question-left';
  const own = calls.map((node, i) => {
    const tool = toolOf(node);
    // The arguments of a partner contain the request, which differs in the next round.
    const argumentsHash = node.child && !node.partner ? hashOf(node) : node.op;
    const by = node.partner || argumentsHash === undefined ? { tool } : { tool, argumentsHash };
    const nested = (below[i] ?? []).map(({ child }) => ({ ...by, child }));
    return [...missingCall(session, node, { by, ...listing }), ...nested];
  });
  // The first group is that of the earlier session.
  const missing = lastOfEach([before.filter((one) => !isOpen(one)), ...own]).flatMap((group, i) =>
    group.map((call): PlacedCall => ({ call, at: i - 1 })),
  );
  const corrected = correctedIn(calls, missing);
  const isMadeUp = makesUpIn(calls, { hashOf, isWhole: (i) => below[i]?.length === 0 });
  return missing.filter((one) => !(one.call.isMistake ? corrected.has(one) : isMadeUp(one))).map(({ call }) => call);
}

/** `at` is the position of the call in its session; -1 for a call of an earlier session. */
interface PlacedCall {
  readonly call: MissingCall;
  readonly at: number;
}

/** Equal calls are one piece of missing work: only the last of them is listed. Mistakes are counted by `correctedIn`. */
function lastOfEach(calls: readonly (readonly MissingCall[])[]): readonly (readonly MissingCall[])[] {
  const later = new Set<string>();
  const kept = calls.toReversed().map((call) => {
    const left = call.filter((missing) => missing.isMistake || !later.has(keyOf(missing)));
    for (const missing of call) later.add(keyOf(missing));
    return left;
  });
  return kept.toReversed();
}

function keyOf({ tool, argumentsHash, child: { title } }: MissingCall): string {
  return JSON.stringify([tool, argumentsHash ?? title]);
}

/** Wrong calls that a call of a later turn corrects. Each call corrects one: of its own title, or else the first. */
function correctedIn(calls: readonly ToolNode[], missing: readonly PlacedCall[]): ReadonlySet<PlacedCall> {
  const corrected = new Set<PlacedCall>();
  for (const [i, node] of calls.entries()) {
    const wrong = missing.filter((one) => {
      const isLater = i > one.at && turnOf(node) !== turnOf(calls[one.at]);
      return one.call.isMistake && one.call.tool === toolOf(node) && isLater && !corrected.has(one);
    });
    const first = wrong.find(({ call }) => call.child.title === node.title) ?? wrong[0];
    if (first) corrected.add(first);
  }
  return corrected;
}

interface MakingUp {
  readonly hashOf: (call: ToolNode) => string | undefined;
  /** True if nothing is missing below the call at this position. */
  readonly isWhole: (i: number) => boolean;
}

/** True for a child if a completed call of these makes up for it. */
function makesUpIn(calls: readonly ToolNode[], { hashOf, isWhole }: MakingUp) {
  const completed = [...calls.entries()].filter(
    ([, { child, status, session }]) => child && status === 'ok' && (session?.status ?? 'completed') === 'completed',
  );
  return ({ call: { tool, argumentsHash }, at }: PlacedCall): boolean =>
    completed.some(([i, node]) => {
      if (toolOf(node) !== tool) return false;
      const isSameTurn = i !== at && turnOf(node) === turnOf(calls[at]);
      if (argumentsHash === undefined) return i > at && !isSameTurn;
      return (i > at || (isSameTurn && isWhole(i))) && hashOf(node) === argumentsHash;
    });
}

function toolOf({ trace, label }: ToolNode): string {
  return trace.toolName ?? label;
}

/** The turn of a call is the first part of its operation, `turn.3` of `turn.3.tool.2`. */
function turnOf(node: ToolNode | undefined): string | undefined {
  return node?.op.split('.tool.', 1)[0];
}

/** The hash of the arguments of a call. A call that answers a question of a child has the hash of the first call of that child. */
function argumentsHashesIn(calls: readonly ToolNode[], earlier: readonly MissingCall[]) {
  const hashOf = ({ session, child }: ToolNode): string | undefined => {
    const continued = session?.continues?.sessionId;
    if (continued === undefined) return child?.argumentsHash;
    const first = calls.find((node) => node.session?.trace.selfId === continued);
    if (first) return hashOf(first);
    const missing = earlier.find((one) => one.child.sessionId === continued);
    return missing ? missing.argumentsHash : child?.argumentsHash;
  };
  return hashOf;
}

function missingCall(
  caller: SessionNode,
  node: ToolNode,
  { by, labels, ...listing }: Listing & { readonly by: Omit<MissingCall, 'child'> },
): readonly MissingCall[] {
  const end = endOf(caller, node, listing);
  if (!node.child || !end) return [];
  const { session, title } = node;
  const { status, failure } = end;
  const child: IncompleteChild = {
    path: session ? pathOf(session, labels) : `${pathOf(caller, labels)}:${node.child.agent}`,
    title,
    status,
    ...(session ? { sessionId: session.trace.selfId } : {}),
    ...(status === 'partial' && session?.limit !== undefined ? { limit: session.limit } : {}),
    ...(status !== 'partial' && failure ? { failure } : {}),
  };
  return [failure && mistakes.has(failure.code) ? { ...by, isMistake: true, child } : { ...by, child }];
}

interface ChildEnd {
  readonly status: IncompleteChild['status'];
  readonly failure?: Failure | undefined;
}

/** Undefined if nothing is missing, or not yet. */
function endOf(
  caller: SessionNode,
  node: ToolNode,
  { isContinued, isInterrupted, isPausing, resumingChildId }: Omit<Listing, 'labels' | 'isListed'>,
): ChildEnd | undefined {
  const { session, failure = session?.failure } = node;
  if (failure && refusedAnswer.has(failure.code)) return undefined;
  if (isInterrupted && node.status === 'running') return { status: 'failed', failure: interrupted };
  const isDone = caller.status === 'running' ? isInterrupted || isPausing : !isWaiting(caller);
  const isAsking = session?.status === 'needs_user_input' && session.trace.selfId !== resumingChildId;
  if (isDone && isAsking && !isContinued(session)) return { status: 'failed', failure: unanswered };
  const status = statusOf(node);
  return status && { status, failure };
}

/** Tells two agents of one name apart, as the ledger does. */
function pathOf({ trace }: SessionNode, labels: Listing['labels']): string {
  return labels.get(trace.selfId)?.callPath ?? trace.callPath;
}

function allIn(tree: SessionNode): readonly SessionNode[] {
  return [tree, ...toolCallsIn(tree).flatMap(sessionsOf).flatMap(allIn)];
}

const unanswered = toFailure(
  new AgentError('question-left', 'The sub-agent asked a question, and the agent that called it did not answer.', {
    remedy: 'Ask for this work again, and let the agent that calls it answer the question.',
  }),
);

const interrupted = toFailure(
  new AgentError('session-interrupted', 'The process ended before this call did.', {
    remedy: 'Ask for this work again: its result was not recorded.',
  }),
);

/** The model that made these mistakes reads them and calls again with other arguments. */
const mistakes: ReadonlySet<ErrorCode> = new Set(['tool-arguments-invalid', 'reply-cut']);

/** The question is still open, and its session is listed if it stays open. */
const refusedAnswer: ReadonlySet<ErrorCode> = new Set(['question-unknown', 'answer-invalid']);

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
