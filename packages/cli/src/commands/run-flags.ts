// The flags of a run: its own, and those of the options of agents, made of their table so that none is missing.

import { flags as agentFlags, groups, type Option, toFlag } from '@ai-agent/agents';
import type { Flag } from './flag.ts';

export const runFlags: readonly Flag[] = [
  { names: ['--json'], about: 'Print the whole outcome as one JSON document instead of the answer' },
  { names: ['--events'], about: 'Print every fact and hint as a line of JSON instead of the answer' },
  { names: ['--quiet', '-q'], about: 'Say nothing on stderr but what went wrong' },
  { names: ['--verbose', '-v'], about: 'Tell every step on stderr, turns and model calls too' },
  { names: ['--show-tree'], about: 'Draw the whole tree on stderr at the end, with every turn and call' },
  {
    names: ['--attach'],
    value: 'file',
    about: 'A picture, a PDF or a sound that goes with the prompt; may be repeated',
  },
];

/** Under the titles of their groups. */
export function agentFlagSections(): readonly { readonly title: string; readonly flags: readonly Flag[] }[] {
  const known = [...new Set(agentFlags.values())];
  return Object.entries(groups).flatMap(([group, title]) => {
    const flags = known.filter((option) => option.group === group).map(toAgentFlag);
    return flags.length === 0 ? [] : [{ title: `${title}, instead of what the file says`, flags }];
  });
}

function toAgentFlag(option: Option): Flag {
  const names: Flag['names'] = [toFlag(option.key), ...(option.alsoFlags ?? [])];
  return { names, value: placeholderOf(option), about: option.about };
}

/** What is written after a flag, in a word. */
function placeholderOf({ kind }: Option): string {
  if (kind.allowed.startsWith('a list')) return 'a,b';
  if (/^a (?:whole )?number/.test(kind.allowed)) return 'n';
  return kind.allowed.startsWith('a time') ? 'time' : 'value';
}
