// Rows as aligned columns: as wide as they are, or cut so that each row is one line of a terminal.

import { oneLine } from '@ai-agent/core';
import { cut, padded, widthOf } from './piece.ts';

export interface ColumnsStyle {
  /** Columns of the terminal; undefined to cut nothing. */
  readonly width: number | undefined;
  /** Columns that are never cut, from zero. @default none */
  readonly whole?: readonly number[];
}

const gap = 2;
/** No column but the last is cut below this. */
const narrowest = 8;

/** Every row has as many cells as the first. The last column gets what the others leave. */
export function drawColumns(rows: readonly (readonly string[])[], { width, whole = [] }: ColumnsStyle): string {
  const cells = rows.map((row) => row.map(oneLine));
  const natural = (cells[0] ?? []).map((_, i) => Math.max(...cells.map((row) => widthOf(row[i] ?? ''))));
  const widths = width === undefined ? natural : fit(natural, width - 1, whole);
  return cells
    .map((row) => row.map((cell, i) => padded(cut(cell, widths[i] ?? 0), widths[i] ?? 0)).join(' '.repeat(gap)))
    .map((line) => `${width === undefined ? line.trimEnd() : cut(line.trimEnd(), width - 1)}\n`)
    .join('');
}

/** The widest gives way first, so that short columns stay whole. */
function fit(natural: readonly number[], width: number, whole: readonly number[]): readonly number[] {
  const widths = [...natural];
  const room = () => width - gap * (widths.length - 1) - widths.reduce((sum, one) => sum + one, 0);
  for (let missing = -room(); missing > 0; missing = -room()) {
    const widest = Math.max(0, ...widths.filter((_, i) => !whole.includes(i)));
    if (widest <= narrowest) break;
    widths[widths.findLastIndex((one, i) => one === widest && !whole.includes(i))] = widest - 1;
  }
  return widths;
}
