// `ai-agent check <files or folders…>`: everything that is wrong with agent files, all at once, without running any.

import { type Problem, toLine } from '@ai-agent/agents';
import { flagValue, type Words } from '../arguments.ts';
import type { Terminal } from '../terminal.ts';
import { findAgents } from './find-agents.ts';
import { exitCodeFor, type Loading } from './load.ts';

export async function run(words: Words, terminal: Terminal): Promise<number> {
  const loading = await findAgents(words, 'check');
  const { problems, registry } = loading;
  if (flagValue(words, '--json') === undefined)
    terminal.stdout.write(toText(problems, registry.files.length, terminal.input.cwd));
  else terminal.stdout.write(`${JSON.stringify(toDocument(loading))}\n`);
  return exitCodeFor(problems, loading.entries);
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
