// Usage of a run as a table for people: a row per agent, then the total.

import { type Ledger, noTotals, oneLine, type SessionTotals, shortCost, shortCount, type Totals } from '@ai-agent/core';
import { inTime } from './figures.ts';
import { cut, type Paint, padded, paint, widthOf } from './piece.ts';
import { toRolePrefix } from './role.ts';

export interface UsageTable extends Paint {
  readonly ledger: Ledger;
  /** From the start of the run to its end. */
  readonly durationMs: number;
}

interface Row {
  /** Before its name, where there is room for both. */
  readonly role: string;
  readonly name: string;
  readonly cells: readonly string[];
}

const heads = ['runs', 'calls', 'tools', 'in', 'cached', 'out', 'cost', 'time'] as const;

type Head = (typeof heads)[number];

/** Where the window is narrow these go first. */
const expendable: readonly Head[] = ['cached', 'runs', 'tools', 'calls', 'in', 'out'];

export function toUsageTable({ ledger, durationMs, width, isColoured }: UsageTable): readonly string[] {
  const sessions = Object.values(ledger.bySession);
  const runsOf = (name: string) => sessions.filter(({ agent }) => agent === name).length;
  const rows = inOrderOfStart(ledger).map(([name, totals]) => ({
    role: roleOf(sessions, name),
    name: oneLine(name),
    cells: cellsOf(totals, runsOf(name), ownTime(ledger, name)),
  }));
  const total = { role: '', name: 'total', cells: cellsOf(ledger.total, sessions.length, durationMs) };
  const all = [...rows, total];
  const wanted = heads.filter((head) => head !== 'cached' || ledger.total.cacheReadTokens > 0);
  const columns = fitting(all, width, wanted);
  const [head = '', ...lines] = drawn(all, columns, width);
  return [
    paint([{ text: head, colour: '2' }], { width, isColoured }),
    ...lines.map((line, i) =>
      paint([{ text: line, ...(i === all.length - 1 ? { colour: '1' } : {}) }], { width, isColoured }),
    ),
  ];
}

/** Agents in the order their sessions started, agents without any call included. */
function inOrderOfStart({ bySession, byName }: Ledger): readonly (readonly [string, Totals])[] {
  const names = new Set([...Object.values(bySession).map(({ agent }) => agent), ...Object.keys(byName)]);
  return [...names].map((name) => [name, byName[name] ?? noTotals]);
}

/** Of an agent, its calls added up without those that other agents did; of the run it is that of the clock. */
function ownTime({ entries, bySession }: Ledger, name: string): number {
  return entries
    .filter(
      (entry) =>
        bySession[entry.trace.selfId]?.agent === name && !(entry.type === 'tool' && entry.sessionId !== undefined),
    )
    .reduce((sum, { latencyMs }) => sum + latencyMs, 0);
}

/** An agent that was not the same to everybody has its figures once, and stands without. */
function roleOf(sessions: readonly SessionTotals[], name: string): string {
  const roles = new Set(sessions.filter(({ agent }) => agent === name).map(({ partner }) => partner));
  return roles.size === 1 ? toRolePrefix([...roles][0]) : '';
}

function cellsOf(totals: Totals, runs: number, durationMs: number): readonly string[] {
  const { modelCalls, toolCalls, inputTokens, cacheReadTokens, outputTokens, unknownUsageCalls } = totals;
  // A sum that misses calls is no sum.
  const more = unknownUsageCalls > 0 ? '+?' : '';
  return [
    String(runs),
    String(modelCalls),
    String(toolCalls),
    `${shortCount(inputTokens)}${more}`,
    shortCount(cacheReadTokens),
    `${shortCount(outputTokens)}${more}`,
    shortCost(totals, 'unknown'),
    inTime(durationMs),
  ];
}

/** The columns for which there is room; the name keeps at least ten. */
function fitting(rows: readonly Row[], width: number, wanted: readonly Head[]): readonly number[] {
  let columns = wanted.map((head) => heads.indexOf(head));
  const needed = () => columns.reduce((sum, i) => sum + widthOfColumn(rows, i) + 2, 10);
  for (const name of expendable) {
    if (needed() <= width) break;
    columns = columns.filter((i) => heads[i] !== name);
  }
  return columns;
}

function widthOfColumn(rows: readonly Row[], i: number): number {
  return Math.max(widthOf(heads[i] ?? ''), ...rows.map(({ cells }) => widthOf(cells[i] ?? '')));
}

function drawn(rows: readonly Row[], columns: readonly number[], width: number): readonly string[] {
  const figures = columns.reduce((sum, i) => sum + widthOfColumn(rows, i) + 2, 0);
  const longest = Math.max(...rows.map(({ role, name }) => widthOf(`${role}${name}`)), 'agent'.length);
  const first = Math.max(5, Math.min(longest, width - figures));
  const line = (name: string, cells: readonly string[]) =>
    `${padded(cut(name, first), first)}${columns.map((i) => `  ${padded(cells[i] ?? '', widthOfColumn(rows, i), 'right')}`).join('')}`;
  const shown = ({ role, name }: Row) => (widthOf(`${role}${name}`) <= first ? `${role}${name}` : name);
  return [line('agent', heads), ...rows.map((row) => line(shown(row), row.cells))];
}
