// The flags of `ai-agent sessions`, and which of its words takes which.

import { sessionStatuses } from '@ai-agent/core';
import type { Flag } from '../flag.ts';
import { tellingFlags } from '../run/run-flags.ts';
import { storeFlags } from '../store-flags.ts';
import { headends } from './headends.ts';

const filters: readonly Flag[] = [
  { names: ['--agent'], value: 'name', about: 'list, delete: of this agent' },
  {
    names: ['--status'],
    value: 'a,b',
    words: sessionStatuses,
    about: `list, delete: that stand so: ${sessionStatuses.join(', ')}`,
  },
  {
    names: ['--since'],
    value: 'when',
    about: 'list, delete: begun since: 2h, 7d, today, yesterday, 2026-01-31, 2026-01-31T09:30',
  },
  { names: ['--until'], value: 'when', about: 'list, delete: begun before that' },
  {
    names: ['--owner'],
    value: 'key',
    about:
      'list, delete: of this key of a server; @terminal for those of the terminal, @library for those of programs, none for those without a key',
  },
  { names: ['--user'], value: 'name', about: 'list, delete: of this user of a key; none for those of a key alone' },
  {
    names: ['--headend'],
    value: 'name',
    words: headends,
    about: `list, delete: that came this way: ${headends.join(', ')}`,
  },
];

const own = {
  limit: { names: ['--limit'], value: 'n', about: 'list: so many of the newest; 20 unless said' },
  all: { names: ['--all'], about: 'list: all of them; delete: also without a filter' },
  olderThan: { names: ['--older-than'], value: 'time', about: 'delete: begun longer ago: 30d, 12h' },
  yes: { names: ['--yes', '-y'], about: 'delete: without asking; export: over a file that is there' },
  format: {
    names: ['--format'],
    value: 'id',
    words: ['json', 'markdown'],
    about: 'export: json has every fact, markdown what was said; json unless said, or the file ends with .md',
  },
  output: {
    names: ['--output', '-o'],
    value: 'file',
    about: 'export: into this file instead of stdout; in a folder, as its id',
  },
  answer: { names: ['--answer'], value: 'text', about: 'resume: the answer to its question' },
  agentFile: {
    names: ['--agent-file'],
    value: 'file',
    about: 'resume: the file of its agent, where the session does not know it, or it is on another machine',
  },
  strict: {
    names: ['--strict', '--no-strict'],
    about:
      'resume: exit code 5 when work of a sub-agent is missing from the answer, as for run; --no-strict turns it off',
  },
  events: { names: ['--events'], about: 'resume: every fact and hint as a line of JSON, as for run' },
} satisfies Record<string, Flag>;

const json: Flag = { names: ['--json'], about: 'One JSON document' };
const config: Flag = { names: ['--config'], value: 'file', about: 'A configuration file above all others' };
const override: Flag = { names: ['--override'], value: 'key=value', about: 'resume: an option of every agent' };
const store = storeFlags.filter(({ names }) => names[0] === '--store');

export const sessionFlags: readonly Flag[] = [
  json,
  ...filters,
  ...Object.values(own),
  ...tellingFlags.map((flag) => ({ ...flag, about: `resume: as for run. ${flag.about}` })),
  ...store,
  config,
  override,
];

const everywhere = [json, ...store, config];

export const subjects = {
  list: [...everywhere, ...filters, own.limit, own.all],
  show: everywhere,
  tree: everywhere,
  export: [...everywhere, own.format, own.output, own.yes],
  delete: [...everywhere, ...filters, own.olderThan, own.all, own.yes],
  resume: [...everywhere, own.answer, own.agentFile, own.strict, own.events, ...tellingFlags, override],
} satisfies Record<string, readonly Flag[]>;

export type Subject = keyof typeof subjects;

export function isSubject(word: string): word is Subject {
  return Object.hasOwn(subjects, word);
}

/** The first flag that this word does not take. */
export function strayFlag(subject: Subject, flags: readonly (readonly [string, string])[]): string | undefined {
  const known = new Set<string>((subjects[subject] as readonly Flag[]).flatMap(({ names }) => names));
  return flags.map(([name]) => name).find((name) => !known.has(name));
}
