// `ai-agent list [files, folders or globs…]`: the agents there are, a line for each.

import { type LoadedAgent, type Problem, toLine, toShort } from '@ai-agent/agents';
import { flagValue, type Words } from '../arguments.ts';
import { drawColumns } from '../render/columns.ts';
import { toJson } from '../render/to-json.ts';
import type { Terminal } from '../terminal.ts';
import { type Found, findAgents, toRequest } from './find-agents.ts';
import { exitCodeFor, loadAgents } from './load.ts';
import { teamByName, teamInWords } from './team.ts';

/** Whoever lists the files of others must not run their code. */
const search = { purpose: 'check', mayImport: false } as const;

export async function run(words: Words, terminal: Terminal): Promise<number> {
  const found = await findAgents(words, search);
  const listed = await toListed(found, words);
  const { stdout, stderr, input } = terminal;
  // To look into a folder and find nothing is no mistake, unless somebody named it.
  const problems = words.words.length > 0 ? found.problems : found.problems.filter((one) => !isNothingHere(one));
  if (flagValue(words, '--json') !== undefined)
    stdout.write(`${toJson({ agents: listed.map(toEntry), problems }, stdout)}\n`);
  else if (listed.length > 0) stdout.write(toTable(listed, terminal));
  const files = new Set(listed.map(({ file }) => file));
  for (const problem of problems)
    if (problem.severity === 'error' && !files.has(problem.file)) stderr.write(`${toLine(problem, input.cwd)}\n`);
  if (listed.length === 0) stderr.write('There is no agent here. ai-agent init writes one to start from.\n');
  return exitCodeFor(problems, found.entries);
}

function isNothingHere({ code, file }: Problem): boolean {
  return code === 'file-missing' && file === '.';
}

/** A file, with its agent or with what is wrong. */
type Listed = { readonly file: string } & (
  | { readonly loaded: LoadedAgent; readonly problem?: undefined }
  | { readonly loaded?: undefined; readonly problem: Problem | undefined }
);

/** Every file that was looked into: first those that nobody names, which people run; parents before their teams. */
async function toListed({ registry, problems }: Found, words: Words): Promise<readonly Listed[]> {
  const { files } = registry;
  // Members of a team are known when they are named themselves; also those of a parent that is not sound.
  const isWhole = registry.agents.length === files.length;
  const each = isWhole ? registry : (await loadAgents(toRequest(files, words, search))).registry;
  const named = new Set(each.agents.flatMap(({ children }) => children.map((child) => child.file)));
  const inOrder = [...files.filter((file) => !named.has(file)), ...files.filter((file) => named.has(file))];
  return inOrder.map((file) => {
    const loaded = each.agents.find((one) => one.file === file);
    if (loaded) return { file, loaded };
    return { file, problem: problems.find((one) => one.severity === 'error' && one.file === file) };
  });
}

function toEntry({ file, loaded, problem }: Listed) {
  if (!loaded) return { name: null, file, problem: problem ?? null };
  const { name, agent } = loaded;
  return {
    name,
    file,
    description: agent.description ?? null,
    models: modelsOf(loaded),
    runsOn: runsOn(loaded) ?? null,
    ...teamByName(loaded),
  };
}

/** Those that its file or a default names. */
function modelsOf({ effective }: LoadedAgent): readonly string[] {
  return (effective.said('models')?.value as readonly string[] | undefined) ?? [];
}

/** What a file without models runs on because a key is set; the rest is found out by a run. */
function runsOn({ choice }: LoadedAgent): string | undefined {
  return choice?.model === 'offline/demo' ? undefined : choice?.model;
}

const heads = ['NAME', 'FILE', 'MODELS', 'TEAM', 'DESCRIPTION'];

function toTable(listed: readonly Listed[], { stdout, input }: Terminal): string {
  const rows = listed.map((one) => toRow(one, input.cwd));
  return drawColumns([heads, ...rows], { width: stdout.isTTY ? stdout.columns || 80 : undefined });
}

function toRow({ file, loaded, problem }: Listed, cwd: string): readonly string[] {
  const path = toShort(file, cwd);
  if (!loaded) return ['-', path, '-', '-', `error: ${problem ? toWords(problem) : 'in a file that it needs'}`];
  const { name, agent } = loaded;
  const models = modelsOf(loaded).join(', ') || [runsOn(loaded) ?? [], '(none named)'].flat().join(' ');
  return [name, path, models, teamInWords(loaded).join(', ') || '-', firstLineOf(agent.description ?? '') || '-'];
}

function toWords({ line, key, message }: Problem): string {
  return `${line === undefined ? '' : `line ${line}: `}${key === undefined ? '' : `${key}: `}${message}`;
}

function firstLineOf(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
