// `ai-agent sessions list|show|tree|export|delete|resume`: the sessions that are kept, whoever they belong to.

import type { Words } from '../arguments.ts';
import type { Terminal } from '../terminal.ts';
import { misuse } from './misuse.ts';
import { isSubject, strayFlag, subjects } from './sessions/session-flags.ts';
import type { Subcommand } from './sessions/subcommand.ts';

export async function run({ words, flags }: Words, terminal: Terminal): Promise<number> {
  const [first, ...rest] = words;
  const isJson = flags.some(([name]) => name === '--json');
  const refuse = (problem: string) => misuse(terminal, problem, { help: 'ai-agent sessions --help', isJson });
  const all = Object.keys(subjects).join(', ');
  const name = first?.text ?? 'list';
  if (!isSubject(name)) return refuse(`sessions knows ${all}; "${name}" is none of them.`);
  const stray = strayFlag(name, flags);
  if (stray !== undefined) return refuse(`sessions ${name} has no option ${stray}.`);
  const asked = { words: rest, flags };
  const result = await (await load[name]()).run(asked, terminal);
  return typeof result === 'number' ? result : refuse(result.problem);
}

/** Each is loaded when it is asked for. */
const load: Readonly<Record<keyof typeof subjects, () => Promise<Subcommand>>> = {
  list: () => import('./sessions/list-sessions.ts'),
  show: () => import('./sessions/show-session.ts'),
  tree: () => import('./sessions/show-tree.ts'),
  export: () => import('./sessions/export-session.ts'),
  delete: () => import('./sessions/delete-sessions.ts'),
  resume: () => import('./sessions/resume-session.ts'),
};
