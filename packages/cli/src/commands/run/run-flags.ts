// The flags of a run: its own, and those of the options of agents, made of their table so that none is missing.

import { flags as agentFlags, groups, type Option, spellingsOf } from '@ai-agent/agents';
import type { Flag } from '../flag.ts';
import { storeFlags } from '../store-flags.ts';

/** How much is told of a run, whatever is run. */
export const tellingFlags: readonly Flag[] = [
  { names: ['--quiet', '-q'], about: 'Say nothing on stderr but what went wrong' },
  { names: ['--verbose', '-v'], about: 'Tell every step on stderr, turns and model calls too' },
  { names: ['--show-tree'], about: 'Draw the whole tree on stderr at the end, with every turn and call' },
];

export const runFlags: readonly Flag[] = [
  { names: ['--agent'], value: 'file', about: 'The file of the agent, instead of the first word' },
  { names: ['--json'], about: 'Print the whole outcome as one JSON document instead of the answer' },
  { names: ['--events'], about: 'Print every fact and hint as a line of JSON instead of the answer' },
  { names: ['--format'], value: 'id', about: 'What the answer is, when the file does not say: text, markdown or json' },
  ...tellingFlags,
  { names: ['--trace-llm'], about: 'Print every request to a model and every reply on stderr' },
  { names: ['--trace-sdk'], about: 'Print what goes over the wire to providers on stderr, without keys' },
  { names: ['--trace-mcp'], about: 'Print what is said to servers of tools and by them on stderr, without keys' },
  { names: ['--save-all'], value: 'folder', about: 'Write the conversation of every session into this folder' },
  { names: ['--continue'], about: 'Go on with the last session of this agent at the terminal' },
  { names: ['--session'], value: 'id', about: 'Go on with this session; the first letters of its id are enough' },
  ...storeFlags,
  { names: ['--dry-run'], about: 'Load and check everything as for a run, and run nothing; needs no prompt' },
  {
    names: ['--attach'],
    value: 'file',
    about: 'A picture, a PDF or a sound that goes with the prompt; may be repeated',
  },
  {
    names: ['--default-reasoning'],
    value: 'level',
    about: 'How hard agents think whose files do not say it, sub-agents too',
  },
  { names: ['--chat'], about: 'No effect: an answer needs no special form here' },
  { names: ['--no-chat'], about: 'No effect, as --chat' },
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
  const names = spellingsOf(option);
  const { about, isSwitch } = option;
  return isSwitch
    ? { names, about: `${about.replace(/\.$/, '')}; ${names.at(-1)} for no` }
    : { names, value: placeholderOf(option), about };
}

/** What is written after a flag, in a word. */
function placeholderOf({ kind }: Option): string {
  if (kind.allowed.startsWith('a list')) return 'a,b';
  if (/^a (?:whole )?number/.test(kind.allowed)) return 'n';
  return kind.allowed.startsWith('a time') ? 'time' : 'value';
}
