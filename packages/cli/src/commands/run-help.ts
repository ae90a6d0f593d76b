// The flags of a run, and its help: made of the table of options, so that none is missing.

import { flags as agentFlags, groups, type Option, toFlag } from '@ai-agent/agents';
import type { FlagForms } from '../arguments.ts';

/** A flag, what stands after it if anything, and what it is for. */
const own: readonly (readonly [flag: string, value: string, about: string])[] = [
  ['--json', '', 'Print the whole outcome as one JSON document instead of the answer'],
  ['--events', '', 'Print every fact and hint as a line of JSON instead of the answer'],
  ['--quiet', '', 'Say nothing on stderr but what went wrong; also -q'],
  ['--attach', 'file', 'A picture, a PDF or a sound that goes with the prompt; may be repeated'],
  ['--config', 'file', 'A configuration file above all others'],
  ['--override', 'key=value', 'An option of every agent; may be repeated'],
];

/** Every flag of a run: its own, and those of the options of agents. */
export const runFlags: FlagForms = new Map([
  ...own.map(([flag, value]) => [flag, value === '' ? 'alone' : 'value'] as const),
  ['-q', 'alone'],
  ...[...agentFlags.keys()].map((flag) => [flag, 'value'] as const),
]);

/** What is written after a flag, in a word. */
function placeholderOf({ kind }: Option): string {
  if (kind.allowed.startsWith('a list')) return 'a,b';
  if (/^a (?:whole )?number/.test(kind.allowed)) return 'n';
  return kind.allowed.startsWith('a time') ? 'time' : 'value';
}

export function runHelp(): string {
  const lines = (rows: readonly (readonly [string, string])[]) =>
    rows.map(([flag, about]) => `  ${flag.padEnd(34)} ${about}`).join('\n');
  const known = [...new Set(agentFlags.values())];
  const sections = Object.entries(groups).flatMap(([group, title]) => {
    const rows = known
      .filter((option) => option.group === group)
      .map((option) => [`${toFlag(option.key)} <${placeholderOf(option)}>`, option.about] as const);
    return rows.length === 0 ? [] : [`${title}, instead of what the file says:\n${lines(rows)}`];
  });
  return `Usage: ai-agent <file> [prompt…]

Runs an agent file. The answer goes to stdout, the rest to stderr. The prompt is text, @file, or - for
the standard input; without one, what is piped in. Flags may stand anywhere; -- ends them.

Options:
${lines(own.map(([flag, value, about]) => [value === '' ? flag : `${flag} <${value}>`, about] as const))}
  -h, --help                         What this agent is: description, usage, every option with its value

${sections.join('\n\n')}

Exit codes: 0 done, 1 set-up, 2 model, 3 tool, 4 usage, 5 a limit ended it, 6 it asks something, 130 cancelled

Examples:
  ai-agent hello.ai "Good morning"
  ./hello.ai "Good morning"
  cat report.txt | ai-agent summary.ai
  ai-agent desk.ai --max-turns 5 --json @request.txt
  ai-agent describe.ai --attach photo.jpg "What is on it?"
  ai-agent desk.ai --override models=offline/demo "Try it without a key"
`;
}
