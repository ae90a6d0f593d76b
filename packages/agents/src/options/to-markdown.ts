// The table of options as docs/agent-files.md has it.

import { spellingsOf } from './command-line.ts';
import { type Group, groups, type Option, type Where } from './option.ts';
import { options } from './table.ts';

export function toMarkdown(): string {
  return (Object.keys(groups) as Group[])
    .map((group) => {
      const rows = options.filter((option) => option.group === group && option.said.includes('file'));
      return `### ${groups[group]}\n\n| key | what it is | allowed | default | said elsewhere |\n| --- | --- | --- | --- | --- |\n${rows.map(toRow).join('\n')}\n`;
    })
    .join('\n');
}

function toRow(option: Option): string {
  const { key, about, kind } = option;
  return `| ${[`\`${key}\``, about, kind.allowed, defaultOf(option), elsewhereOf(option)].map(escapeCell).join(' | ')} |`;
}

function defaultOf({ default: value, otherwise }: Option): string {
  return value === undefined ? (otherwise ?? 'none') : `\`${String(value)}\``;
}

/** Where it is said beside the file. */
export function elsewhereOf(option: Option): string {
  const { said, defaultFlag } = option;
  const flags = [...spellingsOf(option), ...(defaultFlag === undefined ? [] : [defaultFlag])];
  const places: Partial<Record<Where, string>> = {
    flag: flags.map((flag) => `\`${flag}\``).join(', '),
    override: '`--override`',
    defaults: '`defaults`',
  };
  return said.flatMap((where) => places[where] ?? []).join(', ') || 'nowhere';
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
