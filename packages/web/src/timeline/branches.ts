// The tree of a round as people read it: a sub-agent and the call that started it are one; a turn that is one model call is that call.

import {
  type Ledger,
  nameOfSession,
  noTotals,
  type OperationNode,
  type SessionNode,
  type ToolNode,
  type TurnNode,
} from '@ai-agent/core';
import type { LiveSigns } from '../session/live-signs.ts';
import type { Round } from '../session/round.ts';
import { type Figures, figuresOfTotals, sumFigures, unknownCall } from './figures.ts';
import { type Standing, standingOfCall, standingOfSession } from './row-status.ts';
import { toTitle } from './titles.ts';

export type RowKind = 'round' | 'session' | 'turn' | 'model' | 'tool';

export interface Branch {
  readonly id: string;
  readonly kind: RowKind;
  readonly label: string;
  /** Why it was called, what it said, or with what it was called. */
  readonly title: string;
  /** What it does at this moment. */
  readonly note?: string;
  readonly standing: Standing;
  /** When it was asked for, when work on it began, and when that ended. */
  readonly requestedAt: number;
  readonly startedAt?: number;
  readonly endedAt?: number;
  /** Missing where no model was asked. */
  readonly figures?: Figures;
  readonly node: RowNode;
  readonly isOpenAtFirst: boolean;
  readonly hasBelow: boolean;
  readonly below: () => readonly Branch[];
}

/** What it is made of, for its details. */
export interface RowNode {
  readonly session?: SessionNode;
  readonly turn?: TurnNode;
  readonly operation?: OperationNode;
}

export interface Surroundings {
  readonly ledger: Ledger;
  readonly live: LiveSigns;
  readonly isLive: boolean;
  /** Of its round: what it asked is asked no more where another came after it. */
  readonly isLast: boolean;
}

interface RootSurroundings extends Surroundings {
  readonly isOnly: boolean;
}

/** The root of a round; where there are several rounds it is named as one of them. */
export function branchOfRoot(round: Round, around: RootSurroundings): Branch | undefined {
  const session = round.tree.tree();
  if (!session) return undefined;
  const named = around.isOnly
    ? { kind: 'session' as const, label: nameOfSession(session) }
    : { kind: 'round' as const, label: `Round ${round.number}` };
  const shown = ofSession(session, { ...around, lastAt: round.lastAt });
  return {
    ...shown,
    ...named,
    title: shown.title || toTitle(session.input),
    // Nobody else starts it: what it waits for before it begins is not told by facts.
    requestedAt: session.startedAt,
    isOpenAtFirst: around.isLast,
  };
}

interface Around extends Surroundings {
  readonly lastAt: number;
}

function ofSession(session: SessionNode, around: Around): Branch {
  const { selfId } = session.trace;
  const { ledger, live, lastAt } = around;
  const standing = standingOfSession(session, around);
  const task = standing.status === 'running' ? live.taskOf(selfId) : undefined;
  return {
    id: selfId,
    kind: 'session',
    label: nameOfSession(session),
    title: toTitle(session.title ?? ''),
    ...(task ? { note: task } : {}),
    standing,
    requestedAt: session.startedAt,
    startedAt: session.startedAt,
    ...endOf(session.endedAt, standing, lastAt),
    ...withFigures(session.isCached ? noTotals : figuresOfTotals(ledger.bySession[selfId]?.subtree)),
    node: { session },
    isOpenAtFirst: true,
    hasBelow: session.turns.length > 0,
    below: () => session.turns.flatMap((turn) => ofTurn(turn, session, around)),
  };
}

/** Without a row of its own where it is nothing but one model call: fewer rows say the same. */
function ofTurn(turn: TurnNode, session: SessionNode, around: Around): readonly Branch[] {
  const [first] = turn.operations;
  const name = turn.step ? (stepNames[turn.step] ?? turn.step) : `Turn ${turn.number}`;
  if (first?.type === 'model' && turn.operations.length === 1) {
    const call = ofCall(first, turn, around);
    return [{ ...call, label: `${name} · ${call.label}` }];
  }
  const below = turn.operations.map((operation) => ofCall(operation, turn, around));
  const isOver = turn.endedAt !== undefined || session.status !== 'running';
  const standing: Standing = { status: isOver ? 'ok' : around.isLive ? 'running' : 'interrupted' };
  return [
    {
      id: `${session.trace.selfId} ${turn.step ?? 'turn'} ${turn.number}`,
      kind: 'turn',
      label: name,
      title: turn.limit === undefined ? '' : `the last one, by ${turn.limit}`,
      standing,
      requestedAt: turn.startedAt,
      startedAt: turn.startedAt,
      ...endOf(turn.endedAt, standing, around.lastAt),
      ...withFigures(sumFigures(below.map(({ figures }) => figures))),
      node: { session, turn },
      isOpenAtFirst: true,
      hasBelow: below.length > 0,
      below: () => below,
    },
  ];
}

const stepNames: Readonly<Record<string, string>> = {
  advisors: 'Advisors',
  router: 'Router',
  handoff: 'Handoff',
  summary: 'Summary',
};

function ofCall(operation: OperationNode, turn: TurnNode, around: Around): Branch {
  const { live, isLive, lastAt } = around;
  const { selfId } = operation.trace;
  const { op, requestedAt } = operation;
  const isWaiting = operation.status === 'running' && isLive && live.isWaiting(selfId, op, requestedAt);
  const known = standingOfCall(operation, isLive);
  const standing: Standing = isWaiting ? { status: 'waiting' } : known;
  const startedAt = operation.startedAt ?? live.workOf(selfId, op)?.startedAt ?? (isWaiting ? undefined : requestedAt);
  const call = {
    id: `${selfId} ${op}`,
    standing,
    requestedAt,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...endOf(operation.endedAt, standing, lastAt),
    isOpenAtFirst: true,
  };
  if (operation.type === 'tool') return ofTool(operation, { ...call, node: { turn, operation } }, around);
  const wait = operation.status === 'running' && isLive ? live.waitOf(selfId, turn.number) : undefined;
  return {
    ...call,
    kind: 'model',
    label: `${operation.provider}/${operation.model}`,
    title: toTitle(operation.output ?? ''),
    ...(wait ? { note: waitWords[wait.reason] ?? `waits: ${wait.reason}` } : {}),
    // What was cut off with its process was asked, and nobody knows what it used.
    ...((operation.status === 'running' && isLive) || standing.status === 'refused'
      ? {}
      : { figures: operation.total ?? unknownCall }),
    node: { turn, operation },
    hasBelow: false,
    below: () => [],
  };
}

const waitWords: Readonly<Record<string, string>> = {
  retry: 'waits to try again',
  fallback: 'goes over to the next model',
  rate_limit: 'waits: its provider wants a pause',
  queue: 'waits: others are first',
  budget: 'waits: the budget is promised to others',
};

type Call = Omit<Branch, 'kind' | 'label' | 'title' | 'hasBelow' | 'below'>;

function ofTool(tool: ToolNode, call: Call, around: Around): Branch {
  const { live, ledger } = around;
  const { session, inside = [] } = tool;
  const isAgent = session !== undefined || tool.trace.toolName?.startsWith('agent__') === true;
  const progress = tool.status === 'running' ? live.progressOf(tool.trace.selfId, tool.op) : undefined;
  const named = {
    kind: isAgent ? ('session' as const) : ('tool' as const),
    label: session ? nameOfSession(session) : tool.instance,
    title: toTitle(tool.title ?? '') || (isAgent || tool.input === '{}' ? '' : toTitle(tool.input)),
    ...(progress ? { note: progress } : {}),
  };
  if (!session) {
    const figures = inside.map(({ trace }) => figuresOfTotals(ledger.bySession[trace.selfId]?.subtree));
    return {
      ...call,
      ...named,
      ...withFigures(sumFigures(figures)),
      hasBelow: inside.length > 0,
      below: () => inside.map((one) => ofSession(one, around)),
    };
  }
  // The call says how long it waited, the session how it went; its id is that of the call, which is there first.
  const shown = ofSession(session, around);
  return {
    ...shown,
    ...named,
    id: call.id,
    ...(shown.note ? { note: shown.note } : {}),
    requestedAt: call.requestedAt,
    node: { ...call.node, session },
  };
}

/** What was cut off ends where the last was known of it. */
function endOf(endedAt: number | undefined, { status }: Standing, lastAt: number): { readonly endedAt?: number } {
  if (endedAt !== undefined) return { endedAt };
  return status === 'running' || status === 'waiting' ? {} : { endedAt: lastAt };
}

function withFigures(figures: Figures | undefined): { readonly figures?: Figures } {
  return figures ? { figures } : {};
}
