// `ai-agent check <files or folders…>`: everything that is wrong with agent files, all at once, without running any.

import { type NamedModel, type NamedTools, type Problem, toLine } from '@ai-agent/agents';
import { flagValue, type Words } from '../arguments.ts';
import { exitCodes } from '../exit-codes.ts';
import { toPrintable } from '../render/printable.ts';
import { toJson } from '../render/to-json.ts';
import type { Terminal } from '../terminal.ts';
import type { Asked, Connection, Outside } from './connections.ts';
import { findAgents, type Search } from './find-agents.ts';
import { exitCodeFor, type Loading, toMissingText } from './load.ts';
import { teamByName } from './team.ts';
import { untilInterrupted } from './until-interrupted.ts';

export function run(words: Words, terminal: Terminal): Promise<number> {
  return untilInterrupted(terminal, (signal) => check(words, terminal, signal));
}

async function check(words: Words, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const mayConnect = flagValue(words, '--connect') !== undefined;
  const models: NamedModel[] = [];
  const tools: NamedTools[] = [];
  const onTools: Search['onTools'] = (named) => tools.push(named);
  const hearing: Partial<Search> = mayConnect ? { onModel: (model) => models.push(model) } : {};
  const found = await findAgents(words, { purpose: 'check', onTools, ...hearing });
  try {
    const { toolset } = found;
    const inspected = mayConnect ? [] : await inspect(tools, { toolset, signal });
    const connected = mayConnect ? await connect({ models, tools, toolset, signal }, terminal) : undefined;
    const isStrict = flagValue(words, '--warnings-as-errors') !== undefined;
    const judge = (problems: readonly Problem[]) => (isStrict ? problems.map(toErrorProblem) : problems);
    const loading = { ...found, problems: judge([...found.problems, ...inspected]) };
    const asked = connected && { ...connected, problems: judge(connected.problems) };
    if (flagValue(words, '--json') === undefined)
      terminal.stdout.write(toPrintable(toText(loading, asked, terminal.input.cwd)));
    else terminal.stdout.write(`${toJson(toDocument(loading, asked), terminal.stdout)}\n`);
    const code = exitCodeFor(loading.problems, loading.entries);
    // Where a model was named does not matter here: a provider that cannot be reached is no misuse of the command.
    return code === exitCodes.ok && countOf(asked?.problems ?? []).errors > 0 ? exitCodes.byClass.config : code;
  } finally {
    await found.close();
    found.leave();
  }
}

function toErrorProblem(problem: Problem): Problem {
  return { ...problem, severity: 'error' };
}

async function inspect(tools: readonly NamedTools[], asking: Pick<Outside, 'toolset' | 'signal'>) {
  if (tools.length === 0) return [];
  const { inspectTools } = await import('./tool-connections.ts');
  return inspectTools(tools, asking);
}

async function connect(outside: Outside, terminal: Terminal): Promise<Asked> {
  const { askConnections } = await import('./connections.ts');
  return askConnections(outside, terminal);
}

function toText({ problems: found, registry }: Loading, asked: Asked | undefined, cwd: string): string {
  const problems = [...found, ...(asked?.problems ?? [])];
  const lines = problems.map((problem) => `${toLine(problem, cwd)}\n`).join('');
  // The message of a problem in a file already contains the fix.
  const outside = [...found.filter(({ code }) => code === 'tool-source-failed'), ...(asked?.problems ?? [])];
  const remedies = new Set(outside.map(({ remedy }) => `What to do: ${remedy}\n`));
  const { errors, warnings } = countOf(problems);
  const counts = [counted(errors, 'error'), counted(warnings, 'warning')].join(', ');
  const files = counted(registry.files.length, 'agent');
  const missing = toMissingText(problems, cwd);
  return `${lines}${[...remedies].join('')}${missing}${files} checked: ${counts}${asked ? `; ${toReached(asked)}` : ''}\n`;
}

function toReached({ connections }: Asked): string {
  const counts = Object.entries(words).flatMap(([kind, [noun, done]]) => {
    const those = connections.filter((one) => one.kind === kind);
    const reached = those.filter(({ status }) => status === 'ok').length;
    return those.length === 0 ? [] : [`${reached} of ${counted(those.length, noun)} ${done}`];
  });
  return counts.length === 0 ? 'nobody to ask' : counts.join(', ');
}

const words: Readonly<Record<Connection['kind'], readonly [noun: string, done: string]>> = {
  model: ['model', 'reached'],
  server: ['server', 'reached'],
  rest: ['REST tool', 'read'],
  openapi: ['API', 'read'],
};

function toDocument({ registry, problems: found }: Loading, asked: Asked | undefined) {
  const agents = registry.agents.map((loaded) => ({
    name: loaded.name,
    file: loaded.file,
    description: loaded.agent.description ?? null,
    ...teamByName(loaded),
  }));
  const problems = [...found, ...(asked?.problems ?? [])];
  const document = { ...countOf(problems), files: registry.files, agents, problems };
  return asked ? { ...document, connections: asked.connections } : document;
}

function countOf(problems: readonly Problem[]) {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return { errors, warnings: problems.length - errors };
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
