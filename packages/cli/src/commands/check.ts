// `ai-agent check <files or folders…>`: everything that is wrong with agent files, all at once, without running any.

import { type Problem, toLine } from '@ai-agent/agents';
import { flagValue, flagValues, type Words } from '../arguments.ts';
import type { Terminal } from '../terminal.ts';
import { exitCodeFor, type Loading, loadAgents } from './load.ts';

export async function run(words: Words, terminal: Terminal): Promise<number> {
  const named = words.words.map(({ text }) => text);
  const load = (entries: readonly string[]) =>
    loadAgents({
      entries,
      flags: [],
      overrides: flagValues(words, '--override'),
      configFile: flagValue(words, '--config'),
      purpose: 'check',
    });
  const first = await load(named);
  const entries = isNothingNamed(first) ? ['.'] : named;
  const loading = entries === named ? first : await load(entries);
  const { problems, registry } = loading;
  if (flagValue(words, '--json') === undefined)
    terminal.stdout.write(toText(problems, registry.files.length, terminal.input.cwd));
  else terminal.stdout.write(`${JSON.stringify(toDocument(loading))}\n`);
  return exitCodeFor(problems, entries);
}

/** Neither on the command line nor in the configuration. */
function isNothingNamed({ registry, problems }: Loading): boolean {
  return registry.files.length === 0 && !problems.some(({ code }) => code === 'file-missing');
}

function toText(problems: readonly Problem[], files: number, cwd: string): string {
  const lines = problems.map((problem) => `${toLine(problem, cwd)}\n`).join('');
  const { errors, warnings } = countOf(problems);
  return `${lines}${counted(files, 'agent')} checked: ${counted(errors, 'error')}, ${counted(warnings, 'warning')}\n`;
}

function toDocument({ registry, problems }: Loading) {
  const agents = registry.agents.map(({ name, file, agent, children }) => ({
    name,
    file,
    description: agent.description ?? null,
    agents: children.map((child) => child.name),
  }));
  return { ...countOf(problems), files: registry.files, agents, problems };
}

function countOf(problems: readonly Problem[]) {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: problems.length - errors };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
