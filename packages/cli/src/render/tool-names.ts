// The tools that a session used, as its line in the panel names them: `search ×2, fetch`.

import { oneLine, type ToolNode } from '@ai-agent/core';
import { cut, widthOf } from './piece.ts';

/** Columns. A longer list would leave too few for the title. */
const widest = 24;

/** In the order of their first calls, as many as fit: `search ×2, fetch +3` leaves out three. Refused calls used no tool. */
export function toToolNames(calls: readonly ToolNode[]): string {
  const used = calls.filter(({ status }) => status !== 'refused');
  const names = countNames(used.map(({ label }) => oneLine(label)));
  for (let shown = names.length; shown > 0; shown--) {
    const text = `${names.slice(0, shown).join(', ')}${shown < names.length ? ` +${names.length - shown}` : ''}`;
    if (widthOf(text) <= widest) return text;
  }
  const more = names.length > 1 ? ` +${names.length - 1}` : '';
  return `${cut(names[0] ?? '', widest - more.length)}${more}`;
}

/** `search ×2` for a name that comes twice. */
export function countNames(names: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => (count === 1 ? name : `${name} ×${count}`));
}
