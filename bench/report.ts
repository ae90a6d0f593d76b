// The lines as a table for people.

import type { Line } from './goals.ts';

/** Without verdicts when the round was too small to give any. */
export function toTable(lines: readonly Line[], { hasVerdict }: { readonly hasVerdict: boolean }): string {
  const rows = [
    ['', 'floor', 'ai-agent', 'ratio', 'spread', 'goal', ''],
    ...lines.map((line) => [
      line.what,
      line.floor === undefined ? '' : toFigure(line.floor, line.unit),
      toFigure(line.ours, line.unit),
      line.ratio ? `${line.ratio.value.toFixed(2)} ×` : '',
      toSpread(line),
      toGoal(line),
      hasVerdict ? (line.isMet ? 'pass' : 'MISS') : '',
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (cell: string, column: number) => {
    const width = widths[column] ?? 0;
    return column === 0 ? cell.padEnd(width) : cell.padStart(width);
  };
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}

function toSpread({ ratio }: Line): string {
  if (!ratio || ratio.least === ratio.most) return '';
  return `${ratio.least.toFixed(2)} to ${ratio.most.toFixed(2)}`;
}

function toFigure(value: number, unit: string): string {
  if (!unit) return value.toLocaleString('en');
  return `${value.toFixed(unit === 'B' ? 0 : 2)} ${unit}`;
}

function toGoal({ goal, unit }: Line): string {
  if (goal.is === 'exactly') return toFigure(goal.value, '');
  return goal.is === 'at most' ? `≤ ${toFigure(goal.value, unit)}` : `≤ ${goal.value} ×`;
}
