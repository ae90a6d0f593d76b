// The tree of a run as the panel shows it: an item per session, with its name, its title and its figures.

import {
  addTotals,
  nameOfSession,
  noTotals,
  oneLine,
  type SessionNode,
  shortCost,
  shortTokens,
  type ToolNode,
  type Totals,
} from '@ai-agent/core';
import type { Activity } from './activity.ts';
import { inTime } from './figures.ts';
import type { Piece } from './piece.ts';
import { toRolePrefix } from './role.ts';
import { toToolNames } from './tool-names.ts';

export interface Item {
  readonly mark: Piece;
  /** What it is to the one that called, before its name; empty for a sub-agent. */
  readonly role: string;
  readonly name: string;
  readonly title: string;
  /** In their order; where room is scarce the least important go first. */
  readonly figures: readonly Figure[];
  readonly below: readonly Item[];
  /** Those it stands for, when it is one line for many. */
  readonly parts?: readonly Item[];
  /** It, and everything below it. */
  readonly isOver: boolean;
  readonly hasFailed: boolean;
  /** With everything below it, however it is folded. */
  readonly sessions: number;
  /** Of those, the ones that failed. */
  readonly failures: number;
  /** Usage of the session and everything below it so far. */
  readonly amount: Totals;
}

export interface Figure {
  readonly piece: Piece;
  /** The higher, the longer it stays. */
  readonly weight: number;
}

export interface ItemStyle {
  readonly activity: Activity;
  readonly now: number;
  /** By their ids, as `idsOver` has them: what was shown for good and need not be shown again. */
  readonly isShown: (id: string) => boolean;
  /** It is left standing, and what is said comes below. @default false */
  readonly isLeft?: boolean;
  /** The one that says it and those it answers for, as `speakersOf` has them. @default the root alone */
  readonly speakers?: ReadonlySet<string>;
}

export function toItem(session: SessionNode, style: ItemStyle): Item {
  const below = toolsOf(session).flatMap((tool) => toToolItem(tool, style));
  const isRunning = session.status === 'running';
  const failed = hasFailed(session.status);
  const amount = amountOf(session);
  return {
    mark: isRunning ? runningMark(session, style) : markOf(session.status),
    role: toRolePrefix(session.partner),
    name: oneLine(nameOfSession(session)),
    title: session.title === null ? '' : oneLine(session.title),
    figures: figuresOf(session, amount, style),
    below,
    isOver: !isRunning && below.every(({ isOver }) => isOver),
    hasFailed: failed,
    sessions: below.reduce((sum, { sessions }) => sum + sessions, 1),
    failures: below.reduce((sum, { failures }) => sum + failures, failed ? 1 : 0),
    amount,
  };
}

/** Everything below a session that is over: sessions, and calls that never became one. */
export function idsOver(session: SessionNode): readonly string[] {
  return toolsOf(session).flatMap((tool) => {
    const { status } = tool.session ?? tool;
    const below = sessionsOf(tool).flatMap((one) => [
      ...(one === tool.session || one.status === 'running' ? [] : [one.trace.selfId]),
      ...idsOver(one),
    ]);
    return status === 'running' ? below : [idOf(tool), ...below];
  });
}

/** From this session down to the one that says its answer; none when that is not below it. */
export function speakersOf(session: SessionNode, speaker: string): readonly string[] {
  const { selfId } = session.trace;
  if (selfId === speaker) return [selfId];
  const below = toolsOf(session).flatMap((tool) => sessionsOf(tool).flatMap((one) => speakersOf(one, speaker)));
  return below.length > 0 ? [selfId, ...below] : [];
}

/** The one that does the work of a call, or those that the tool ran during its own. */
function sessionsOf({ session, inside = [] }: ToolNode): readonly SessionNode[] {
  return session ? [session] : inside;
}

function toolsOf({ turns }: SessionNode): readonly ToolNode[] {
  return turns.flatMap(({ operations }) => operations).filter((operation) => operation.type === 'tool');
}

/** That of the session that does it; else of the one that asked for it, with the place of the call. */
function idOf({ session, trace, op }: ToolNode): string {
  return session ? session.trace.selfId : `${trace.selfId} ${op}`;
}

/** Calls that no session does are told by the line of their session; one that never became a session has its own. */
function toToolItem(tool: ToolNode, style: ItemStyle): readonly Item[] {
  if (style.isShown(idOf(tool))) return [];
  if (tool.session) return [toItem(tool.session, style)];
  if (tool.inside) return tool.inside.flatMap((one) => (style.isShown(one.trace.selfId) ? [] : [toItem(one, style)]));
  if (!isOfAgent(tool) || tool.status === 'ok') return [];
  const isOver = tool.status !== 'running';
  const words = isOver ? `${tool.status}${tool.failure ? ` (${tool.failure.class})` : ''}` : 'waits for a place';
  return [
    {
      mark: markOf(isOver ? 'failed' : 'waiting'),
      role: toRolePrefix(tool.partner),
      name: oneLine(tool.instance),
      title: tool.title === null ? '' : oneLine(tool.title),
      figures: figure(5, words, isOver ? '31' : undefined),
      below: [],
      isOver,
      hasFailed: isOver,
      sessions: 1,
      failures: isOver ? 1 : 0,
      amount: noTotals,
    },
  ];
}

/** Every call of an agent has a title, its reason; those of partners are the house's. */
function isOfAgent({ title, partner }: ToolNode): boolean {
  return title !== null || partner !== undefined;
}

function figuresOf(session: SessionNode, amount: Totals, style: ItemStyle): readonly Figure[] {
  const failed = failedCalls(session);
  // The line is not drawn again, so growing sums would stay there.
  const sums = isSpeaking(session, style)
    ? []
    : [...amountFigures(amount), ...figure(7, inTime((session.endedAt ?? style.now) - session.startedAt))];
  return [
    ...(session.status === 'running' ? progressOf(session, style) : endOf(session)),
    ...figure(4, failed > 0 ? `${failed} failed` : '', '31'),
    ...sums,
  ];
}

/** `+?` marks a sum that misses requests. A cost of which nothing is known is left out. */
export function amountFigures(amount: Totals): readonly Figure[] {
  const { inputTokens, outputTokens, costUsd, unknownUsageCalls } = amount;
  const tokens = inputTokens + outputTokens;
  return [
    ...figure(2, tokens > 0 || unknownUsageCalls > 0 ? shortTokens(amount) : ''),
    ...figure(2, costUsd > 0 ? shortCost(amount) : ''),
  ];
}

/** None when there is nothing to say. */
export function figure(weight: number, text: string, colour?: Piece['colour']): readonly Figure[] {
  return text === '' ? [] : [{ weight, piece: { text, ...(colour ? { colour } : {}) } }];
}

function progressOf(session: SessionNode, style: ItemStyle): readonly Figure[] {
  const { activity, now } = style;
  const turn = turnsOf(session);
  if (isSpeaking(session, style)) return figure(3, turn > 0 ? `turn ${turn}` : '');
  const { words, isWaiting, isUrgent } = activity.of(session, now);
  const colour = isUrgent ? '33' : isWaiting ? undefined : '36';
  const first = session.turns.length > 0 ? '' : 'starts';
  const [begun, status] = [turn > 0 ? `turn ${turn}` : first, activity.statusOf(session)];
  return [...figure(3, begun), ...figure(5, oneLine(words), colour), ...figure(3, status)];
}

/** Of the model: the steps of the house are none. */
function turnsOf({ turns }: SessionNode): number {
  return turns.reduce((sum, { step }) => (step === undefined ? sum + 1 : sum), 0);
}

/** Its words stand below, and so do those of the one that answers for it. */
function isSpeaking({ status, trace: { parentId, selfId } }: SessionNode, { isLeft, speakers }: ItemStyle): boolean {
  return isLeft === true && status === 'running' && (parentId === null || speakers?.has(selfId) === true);
}

function endOf(session: SessionNode): readonly Figure[] {
  if (session.isCached) return figure(6, 'from cache');
  const turns = turnsOf(session);
  const colour = hasFailed(session.status) ? '31' : '33';
  return [
    ...figure(6, endingOf(session), colour),
    ...figure(3, toToolNames(toolsOf(session).filter((tool) => !isOfAgent(tool)))),
    ...figure(1, turns === 1 ? '1 turn' : `${turns} turns`),
  ];
}

/** That it is done is what its mark says. */
function endingOf({ status, limit, failure }: SessionNode): string {
  if (status === 'completed') return '';
  const why = limit ?? (status === 'failed' ? failure?.class : undefined);
  return `${status.replaceAll('_', ' ')}${why === undefined ? '' : ` (${why})`}`;
}

/** Calls of plain tools: those of agents have lines of their own. */
function failedCalls(session: SessionNode): number {
  return toolsOf(session)
    .filter((tool) => !isOfAgent(tool))
    .filter(({ status }) => status === 'failed' || status === 'refused').length;
}

function hasFailed(status: SessionNode['status']): boolean {
  return status === 'failed' || status === 'cancelled';
}

/** Usage of a session that has ended; for one that runs, the sum of the calls that have ended. */
export function amountOf({ usage, turns }: SessionNode): Totals {
  if (usage) return usage;
  return turns
    .flatMap(({ operations }) => operations)
    .reduce<Totals>((sum, operation) => {
      if (operation.type === 'tool') return sessionsOf(operation).map(amountOf).reduce(addTotals, sum);
      return operation.total ? addTotals(sum, operation.total) : sum;
    }, noTotals);
}

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/** What works turns round; what waits stands still; who is left standing while it speaks has its words below. */
function runningMark(session: SessionNode, style: ItemStyle): Piece {
  const { activity, now, isLeft } = style;
  if (isSpeaking(session, style)) return { text: '▾', colour: '2' };
  if (isLeft || activity.of(session, now).isWaiting) return markOf('running');
  return { text: frames[Math.floor(now / 100) % frames.length] ?? '●', colour: '36' };
}

function markOf(status: SessionNode['status'] | 'waiting'): Piece {
  if (status === 'running') return { text: '●', colour: '36' };
  if (status === 'waiting') return { text: '○', colour: '2' };
  if (status === 'completed') return { text: '✓', colour: '32' };
  return hasFailed(status) ? { text: '✗', colour: '31' } : { text: '◐', colour: '33' };
}
