// A frontmatter with every option and what holds: to read, and to paste into a new file, where it loads.

import { stringify } from 'yaml';
import type { Effective } from './options/effective.ts';
import { unitsMs } from './options/kinds.ts';
import { type Group, groups, type Option } from './options/option.ts';
import { options } from './options/table.ts';

/** Between two lines of three dashes. What nobody said is null, which is the same as leaving it out. */
export function toTemplate(effective: Effective): string {
  const sections = (Object.keys(groups) as Group[]).map((group) => {
    const rows = options.filter((option) => option.group === group && option.said.includes('file'));
    return [`# ${groups[group]}`, ...toLines(rows, effective)].join('\n');
  });
  return `---\n${sections.join('\n')}\n---\n`;
}

/** Options with a dot in their key stand inside an object of their own. */
function toLines(rows: readonly Option[], effective: Effective): readonly string[] {
  const lines: string[] = [];
  let inside = '';
  for (const option of rows) {
    const [outer = '', inner] = option.key.split('.');
    if (inner !== undefined && outer !== inside) lines.push(`${outer}:`);
    inside = inner === undefined ? '' : outer;
    lines.push(toLine(option, inner ?? outer, effective).replace(/^/gm, inner === undefined ? '' : '  '));
  }
  return lines;
}

function toLine(option: Option, key: string, effective: Effective): string {
  const held = effective.value(option);
  const isUnset = held === null;
  const value = isUnset ? 'none' : held === undefined ? null : inUnits(option, held);
  const text = stringify({ [key]: value }, { lineWidth: 0 }).trimEnd();
  const isShort = !text.includes('\n');
  return held === undefined && isShort && option.otherwise !== undefined ? `${text} # ${option.otherwise}` : text;
}

/** Times as people write them. */
function inUnits({ kind }: Option, value: unknown): unknown {
  if (!kind.allowed.startsWith('a time') || typeof value !== 'number') return value;
  const unit = ['h', 'm', 's'].find((one) => value % (unitsMs[one] as number) === 0);
  return unit === undefined ? value : `${value / (unitsMs[unit] as number)}${unit}`;
}
