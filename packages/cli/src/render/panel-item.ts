// The tree of a run as the panel shows it: an item per session, with its name, its title and its figures.

import { oneLine, type SessionNode, type ToolNode } from '@ai-agent/core';
import type { Activity } from './activity.ts';
import { inMoney, inTime, inTokens } from './figures.ts';
import type { Piece } from './piece.ts';

export interface Item {
  readonly mark: Piece;
  readonly name: string;
  readonly title: string;
  /** In their order; where room is scarce the least important go first. */
  readonly figures: readonly Figure[];
  readonly below: readonly Item[];
  /** It, and everything below it. */
  readonly isOver: boolean;
  readonly hasFailed: boolean;
  readonly amount: Amount;
}

export interface Figure {
  readonly piece: Piece;
  /** The higher, the longer it stays. */
  readonly weight: number;
}

/** What a session and everything below it used so far. */
export interface Amount {
  readonly tokens: number;
  readonly costUsd: number;
  /** Model calls whose cost nobody knows. */
  readonly unknown: number;
}

export interface ItemStyle {
  readonly activity: Activity;
  readonly now: number;
  /** Sessions that were shown for good, and need not be shown again. */
  readonly isShown: (sessionId: string) => boolean;
  /** It is left standing, and what the root says comes below. @default false */
  readonly isLeft?: boolean;
}

export function toItem(session: SessionNode, style: ItemStyle): Item {
  const { activity, now, isLeft } = style;
  const below = session.turns
    .flatMap((turn) => turn.operations)
    .filter((operation): operation is ToolNode => operation.type === 'tool')
    .flatMap((tool) => toToolItem(tool, style));
  const isRunning = session.status === 'running';
  const amount = amountOf(session);
  return {
    mark: markOf(session.status, isRunning && !isLeft && !activity.of(session, now).isWaiting ? now : undefined),
    name: oneLine(session.trace.instanceName),
    title: session.title === null ? '' : oneLine(session.title),
    figures: figuresOf(session, amount, style),
    below,
    isOver: !isRunning && below.every(({ isOver }) => isOver),
    hasFailed: hasFailed(session.status),
    amount,
  };
}

/** Calls that no session does are told by the line of their session; one that never became a session has its own. */
function toToolItem(tool: ToolNode, style: ItemStyle): readonly Item[] {
  if (tool.session) return style.isShown(tool.session.trace.selfId) ? [] : [toItem(tool.session, style)];
  if (!isOfAgent(tool) || tool.status === 'ok') return [];
  const isOver = tool.status !== 'running';
  const words = isOver ? `${tool.status}${tool.failure ? ` (${tool.failure.class})` : ''}` : 'waits for a place';
  return [
    {
      mark: markOf(isOver ? 'failed' : 'waiting'),
      name: oneLine(tool.instance),
      title: tool.title === null ? '' : oneLine(tool.title),
      figures: [{ piece: { text: words, ...(isOver ? { colour: '31' as const } : {}) }, weight: 5 }],
      below: [],
      isOver,
      hasFailed: isOver,
      amount: nothing,
    },
  ];
}

/** Every call of an agent has a title: its reason. */
function isOfAgent({ title }: ToolNode): boolean {
  return title !== null;
}

function figuresOf(session: SessionNode, amount: Amount, style: ItemStyle): readonly Figure[] {
  const failed = failedCalls(session);
  return [
    ...(session.status === 'running' ? progressOf(session, style) : endOf(session)),
    ...figure(4, failed > 0 ? `${failed} failed` : '', '31'),
    ...figure(2, amount.tokens > 0 ? inTokens(amount.tokens) : ''),
    ...figure(2, amount.costUsd > 0 ? inMoney(amount.costUsd) : ''),
    ...figure(7, inTime((session.endedAt ?? style.now) - session.startedAt)),
  ];
}

function figure(weight: number, text: string, colour?: Piece['colour']): readonly Figure[] {
  return text === '' ? [] : [{ weight, piece: { text, ...(colour ? { colour } : {}) } }];
}

function progressOf(session: SessionNode, { activity, isLeft, now }: ItemStyle): readonly Figure[] {
  const turn = session.turns.at(-1)?.number ?? 0;
  if (isLeft && session.trace.parentId === null) return figure(3, `turn ${turn}`);
  const { words, isWaiting, isUrgent } = activity.of(session, now);
  const colour = isUrgent ? '33' : isWaiting ? undefined : '36';
  return [...figure(3, turn > 0 ? `turn ${turn}` : 'starts'), ...figure(5, oneLine(words), colour)];
}

function endOf(session: SessionNode): readonly Figure[] {
  const turns = session.turns.at(-1)?.number ?? 0;
  const colour = hasFailed(session.status) ? '31' : '33';
  return [...figure(6, endingOf(session), colour), ...figure(1, turns === 1 ? '1 turn' : `${turns} turns`)];
}

/** That it is done is what its mark says. */
function endingOf({ status, limit, failure }: SessionNode): string {
  if (status === 'completed') return '';
  const why = limit ?? (status === 'failed' ? failure?.class : undefined);
  return `${status.replaceAll('_', ' ')}${why === undefined ? '' : ` (${why})`}`;
}

/** Calls of plain tools: those of agents have lines of their own. */
function failedCalls({ turns }: SessionNode): number {
  return turns
    .flatMap(({ operations }) => operations)
    .filter((operation) => operation.type === 'tool' && !isOfAgent(operation))
    .filter(({ status }) => status === 'failed' || status === 'refused').length;
}

function hasFailed(status: SessionNode['status']): boolean {
  return status === 'failed' || status === 'cancelled';
}

const nothing: Amount = { tokens: 0, costUsd: 0, unknown: 0 };

/** What has ended knows it; of what runs, the calls that have ended are added up. */
export function amountOf({ usage, turns }: SessionNode): Amount {
  if (usage)
    return {
      tokens: usage.inputTokens + usage.outputTokens,
      costUsd: usage.costUsd,
      unknown: usage.unknownCostCalls,
    };
  return turns
    .flatMap(({ operations }) => operations)
    .reduce<Amount>((sum, operation) => {
      if (operation.type === 'tool') return operation.session ? sumOf(sum, amountOf(operation.session)) : sum;
      const { usage: used, costUsd = 0 } = operation;
      const tokens = (used?.inputTokens ?? 0) + (used?.outputTokens ?? 0);
      return sumOf(sum, { tokens, costUsd, unknown: used && operation.costUsd === undefined ? 1 : 0 });
    }, nothing);
}

export function sumOf(a: Amount, b: Amount): Amount {
  return { tokens: a.tokens + b.tokens, costUsd: a.costUsd + b.costUsd, unknown: a.unknown + b.unknown };
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** What works turns round; what waits stands still. */
function markOf(status: SessionNode['status'] | 'waiting', turningAt?: number): Piece {
  if (turningAt !== undefined)
    return { text: frames[Math.floor(turningAt / 100) % frames.length] ?? '●', colour: '36' };
  if (status === 'running') return { text: '●', colour: '36' };
  if (status === 'waiting') return { text: '○', colour: '2' };
  if (status === 'completed') return { text: '✓', colour: '32' };
  return hasFailed(status) ? { text: '✗', colour: '31' } : { text: '◐', colour: '33' };
}
