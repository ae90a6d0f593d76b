// A frontmatter with every option and what holds: to read, and to paste into a new file, where it loads.

import { type Agent, defaultBudget, defaultLimits, levelsOf } from '@ai-agent/core';
import { stringify } from 'yaml';
import { cache } from './options/agent-kinds.ts';
import type { Effective } from './options/effective.ts';
import { duration, unitsMs } from './options/kinds.ts';
import { type Group, groups, type Option } from './options/option.ts';
import { options } from './options/table.ts';

/** Between two lines of three dashes. What nobody said and nothing holds for is null, which is the same as leaving it out. */
export function toTemplate({ effective, agent }: Shown): string {
  const known = new Map<string, unknown>([
    ['input', { format: 'text' }],
    ['output', { format: 'text' }],
    ['maxDepth', Math.max(defaultLimits.maxDepth, levelsOf(agent))],
    ['budget.descendants', defaultBudget.descendants],
  ]);
  const heldOf = (option: Option) => {
    const held = effective.value(option);
    return held === undefined ? known.get(option.key) : held;
  };
  const sections = (Object.keys(groups) as Group[]).map((group) => {
    const rows = options.filter((option) => option.group === group && option.said.includes('file'));
    return [`# ${groups[group]}`, ...toLines(rows, heldOf)].join('\n');
  });
  return `---\n${sections.join('\n')}\n---\n`;
}

interface Shown {
  readonly effective: Effective;
  readonly agent: Agent;
}

type HeldOf = (option: Option) => unknown;

/** Options with a dot in their key stand inside an object of their own. */
function toLines(rows: readonly Option[], heldOf: HeldOf): readonly string[] {
  const lines: string[] = [];
  let inside = '';
  for (const option of rows) {
    const [outer = '', inner] = option.key.split('.');
    if (inner !== undefined && outer !== inside) lines.push(`${outer}:`);
    inside = inner === undefined ? '' : outer;
    const line = toLine(option, inner ?? outer, heldOf(option));
    lines.push(inner === undefined ? line : line.replace(/^/gm, '  '));
  }
  return lines;
}

/** Null was said to send none; nothing was said at all is undefined. */
function toLine(option: Option, key: string, held: unknown): string {
  const value = held === null ? 'none' : held === undefined ? null : inUnits(option, held);
  const text = stringify({ [key]: value }, { lineWidth: 0 }).trimEnd();
  return held === undefined && option.otherwise !== undefined ? `${text} # ${option.otherwise}` : text;
}

/** Times as people write them. */
function inUnits({ kind }: Option, value: unknown): unknown {
  if ((kind !== duration && kind !== cache) || typeof value !== 'number') return value;
  const unit = ['d', 'h', 'm', 's'].find((one) => value % (unitsMs[one] as number) === 0);
  return unit === undefined ? value : `${value / (unitsMs[unit] as number)}${unit}`;
}
