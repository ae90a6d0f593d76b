// What a shell needs to know to complete a command line: every command with its flags, and what may follow each.

import { flags as agentFlags } from '@ai-agent/agents';
import type { Flag } from '../flag.ts';

/** What the words of a command are: an agent and its prompt, agents, one agent, a folder, or one of these. */
export type Takes = 'run' | 'agents' | 'agent' | 'folder' | readonly string[];

/** A row of the table of commands, as far as it matters here. */
export interface Row {
  readonly about: string;
  readonly takes?: Takes;
  readonly flags: readonly Flag[];
  readonly sections?: readonly { readonly flags: readonly Flag[] }[];
}

export interface Completed {
  readonly name: string;
  readonly about: string;
  readonly takes: Takes | undefined;
  readonly flags: readonly CompletedFlag[];
}

export interface CompletedFlag {
  readonly names: readonly string[];
  readonly about: string;
  /** What comes after it: nothing, a file, one of these words, or something that only its author knows. */
  readonly value: 'none' | 'file' | 'unknown' | readonly string[];
}

const help: Flag = { names: ['--help', '-h'], about: 'Show the help' };

export function completed(commands: Readonly<Record<string, Row>>): readonly Completed[] {
  return Object.entries(commands).map(([name, { about, takes, flags, sections = [] }]) => ({
    name,
    about,
    takes,
    flags: [...flags, ...sections.flatMap((section) => section.flags), help].map((flag) => ({
      names: flag.names,
      about: flag.about,
      value: toValue(flag),
    })),
  }));
}

/** The words `help`, and the flags that stand without a command. */
export const alone = { help: 'Show the help of a command', version: ['--version', '-V'] } as const;

/** Flags of any command that have a value, in every spelling. */
export function valuedFlags(known: readonly Completed[]): readonly string[] {
  const valued = known.flatMap(({ flags }) => flags).filter(({ value }) => value !== 'none');
  return [...new Set(valued.flatMap(({ names }) => names))];
}

/** Flags whose values are files, though the table calls them names. */
const agentLists = ['--agents', '--advisors', '--handoff'];

function toValue({ names: [name], value, words }: Flag): CompletedFlag['value'] {
  if (value === undefined) return 'none';
  if (value === 'file' || agentLists.includes(name)) return 'file';
  return words ?? wordsIn(agentFlags.get(name)?.kind.allowed ?? '') ?? 'unknown';
}

/** `one of none, low, high, or default to …` has them. */
function wordsIn(allowed: string): readonly string[] | undefined {
  const [, list, last] = /^one of ((?:[\w-]+, )*[\w-]+)(?:, or ([\w-]+)\b.*)?$/.exec(allowed) ?? [];
  return list === undefined ? undefined : [...list.split(', '), ...(last === undefined ? [] : [last])];
}
