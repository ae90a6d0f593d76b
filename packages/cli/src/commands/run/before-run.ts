// What is said before a run begins, or instead of it.

import { type Choice, type LoadedAgent, type Problem, toLine, toShort } from '@ai-agent/agents';
import { oneLine } from '@ai-agent/core';
import { exitCodes } from '../../exit-codes.ts';
import type { Terminal } from '../../terminal.ts';

export interface Before {
  readonly problems: readonly Problem[];
  /** What flags have to say. */
  readonly notes: readonly string[];
  readonly file: string;
  readonly isQuiet: boolean;
  /** @default false */
  readonly isPipeLeftOut?: boolean;
}

/** Everything is there, and nothing is asked. */
export function tellDryRun(loaded: LoadedAgent, before: Before, terminal: Terminal): number {
  tellBefore(loaded, before, terminal);
  const team = teamOf(loaded);
  const agents = team.size === 1 ? '1 agent loaded, with its' : `${team.size} agents loaded, with their`;
  terminal.stdout.write(`${oneLine(before.file)} is ready to run: ${agents} models and keys. Nothing was run.\n`);
  return exitCodes.ok;
}

/** What one should know of this run: which models it goes without, which it chose; the rest is for a check. */
export function tellBefore(loaded: LoadedAgent, before: Before, { stderr, input: { cwd } }: Terminal): void {
  if (before.isQuiet) return;
  const isOfRun = ({ code }: Problem) =>
    code === 'secret-missing' || code === 'model-unknown' || code === 'prompt-empty';
  const rest = before.problems.filter((problem) => !isOfRun(problem));
  for (const problem of before.problems.filter(isOfRun)) stderr.write(`${toLine(problem, cwd)}\n`);
  const [first] = rest;
  if (first && rest.length === 1) stderr.write(`${toLine(first, cwd)}\n`);
  else if (first) stderr.write(`${rest.length} warnings: ai-agent check ${oneLine(before.file)} says which.\n`);
  for (const line of choicesOf([loaded], cwd)) stderr.write(`${oneLine(line)}\n`);
  for (const note of before.notes) stderr.write(`${oneLine(note)}\n`);
  if (before.isPipeLeftOut)
    stderr.write('What is piped in is not read, because there is a prompt; put - where it belongs.\n');
}

/** What those run on that name no model, each file once: mostly all of them on the same. */
export function choicesOf(loaded: readonly LoadedAgent[], cwd: string): readonly string[] {
  const files = new Map<string, string[]>();
  for (const { file, choice } of teamOf(...loaded)) {
    if (!choice) continue;
    const what = `on ${choice.model}, because ${choice.why}.`;
    files.set(what, [...(files.get(what) ?? []), toShort(file, cwd)]);
  }
  return [...files].map(([what, [first, ...others]]) => {
    if (others.length === 0) return `${first} names no model: it runs ${what}`;
    const more = others.length === 1 ? others[0] : `${others.length} others`;
    return `${first} and ${more} name no model: they run ${what}`;
  });
}

/** The agents and everybody below them, each once. */
function teamOf(
  ...loaded: readonly LoadedAgent[]
): ReadonlySet<Pick<LoadedAgent, 'file' | 'children'> & { readonly choice?: Choice }> {
  const team = new Set(loaded);
  // What is added on the way is visited too.
  for (const { children } of team) for (const child of children) team.add(child);
  return team;
}
