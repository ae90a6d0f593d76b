// `ai-agent <file> [prompt…]`, also `ai-agent run`: loads the file, reads the prompt, runs.

import { type Choice, type LoadedAgent, type Problem, toLine, toShort } from '@ai-agent/agents';
import { flagValue, flagValues, type Word, type Words } from '../arguments.ts';
import { exitCodes } from '../exit-codes.ts';
import { systemClock } from '../platform.ts';
import type { Terminal } from '../terminal.ts';
import { readAttachments } from './attachments.ts';
import { loadAgents, notOneFile, refuse } from './load.ts';
import { misuse } from './misuse.ts';
import { isPipeLeftOut, toPrompt } from './prompt-words.ts';
import { runAgent } from './run.ts';
import { type RunSettings, readSettings } from './run-settings.ts';
import { startTraces, type Traces, withoutPanel } from './traces.ts';

export async function run(words: Words, terminal: Terminal): Promise<number> {
  const [file, ...rest] = words.words;
  const isJson = flagValue(words, '--json') !== undefined;
  const refuseAs = (problem: string, help = 'ai-agent run --help') => misuse(terminal, problem, { help, isJson });
  if (!file) return refuseAs('Which agent? Name its file.');
  const not = notOneFile(file.text, terminal.input.cwd);
  if (not !== undefined) return refuseAs(not);
  const settings = await readSettings(words, terminal.input.cwd);
  if ('problem' in settings) return refuseAs(settings.problem);
  const traces = await startTraces(words, terminal.stderr);
  const { registry, problems } = await loadAgents({
    entries: [file.text],
    flags: words.flags,
    overrides: flagValues(words, '--override'),
    configFile: flagValue(words, '--config'),
    purpose: 'run',
    models: traces?.models,
  });
  const [loaded, other] = registry.agents;
  if (!loaded || problems.some(({ severity }) => severity === 'error'))
    return refuse(problems, { entries: [file.text], isJson }, terminal);
  if (other) return refuseAs(`${file.text} holds several agents; name the file of one.`);
  const held = settings.holdFormat(loaded.agent);
  if ('problem' in held) return refuseAs(held.problem);
  const notes = [...settings.notes, ...(held.note === undefined ? [] : [held.note])];
  const before = { problems, notes, file: file.text, isQuiet: settings.isQuiet };
  if (settings.isDryRun) return tellDryRun(loaded, before, terminal);
  const read = await readPrompt(loaded, rest, { words, terminal });
  if ('problem' in read) return refuseAs(read.problem, read.isAboutPrompt ? `ai-agent ${file.text} --help` : undefined);
  tellBefore(loaded, { ...before, isPipeLeftOut: isPipeLeftOut(rest, terminal.input) }, terminal);
  const { output } = held;
  return start({ loaded, ...read, ...(output ? { output } : {}) }, { settings, traces, terminal });
}

interface Reading {
  readonly words: Words;
  readonly terminal: Terminal;
}

async function readPrompt(loaded: LoadedAgent, said: readonly Word[], { words, terminal: { input } }: Reading) {
  const read = await toPrompt(said, input);
  if ('problem' in read) return { ...read, isAboutPrompt: true };
  const attached = await readAttachments(flagValues(words, '--attach'), input.cwd);
  if ('problem' in attached) return { ...attached, isAboutPrompt: false };
  const { attachments } = attached;
  return { prompt: loaded.fillPrompt(read.prompt, systemClock.now()), attachments };
}

type Asked = Pick<Parameters<typeof runAgent>[0], 'loaded' | 'prompt' | 'attachments' | 'output'>;

interface Starting {
  readonly settings: RunSettings;
  readonly traces: Traces | undefined;
  readonly terminal: Terminal;
}

async function start(asked: Asked, { settings, traces, terminal }: Starting): Promise<number> {
  const { print, isQuiet, isVerbose, showsTree, save } = settings;
  const onOutcome: Parameters<typeof runAgent>[0]['onOutcome'] = async (outcome) => {
    const saved = await save?.(outcome);
    if (saved && !(saved.isSaved && isQuiet)) terminal.stderr.write(saved.said);
  };
  const watching = traces?.onEvent ? { onEvent: traces.onEvent } : {};
  const request = { ...asked, print, isQuiet, isVerbose, showsTree, onOutcome, ...watching };
  return runAgent(request, traces ? withoutPanel(terminal) : terminal);
}

interface Before {
  readonly problems: readonly Problem[];
  /** What flags have to say. */
  readonly notes: readonly string[];
  readonly file: string;
  readonly isQuiet: boolean;
  /** @default false */
  readonly isPipeLeftOut?: boolean;
}

/** Everything is there, and nothing is asked. */
function tellDryRun(loaded: LoadedAgent, before: Before, terminal: Terminal): number {
  tellBefore(loaded, before, terminal);
  const team = teamOf(loaded);
  const agents = team.size === 1 ? '1 agent' : `${team.size} agents`;
  terminal.stdout.write(
    `${before.file} is ready to run: ${agents} loaded, with their models and keys. Nothing was run.\n`,
  );
  return exitCodes.ok;
}

/** What one should know of this run: which models it goes without, which it chose; the rest is for a check. */
function tellBefore(loaded: LoadedAgent, before: Before, { stderr, input: { cwd } }: Terminal): void {
  if (before.isQuiet) return;
  const isOfRun = ({ code }: Problem) =>
    code === 'secret-missing' || code === 'model-unknown' || code === 'prompt-empty';
  const rest = before.problems.filter((problem) => !isOfRun(problem));
  for (const problem of before.problems.filter(isOfRun)) stderr.write(`${toLine(problem, cwd)}\n`);
  const [first] = rest;
  if (first && rest.length === 1) stderr.write(`${toLine(first, cwd)}\n`);
  else if (first) stderr.write(`${rest.length} warnings: ai-agent check ${before.file} says which.\n`);
  for (const { file, choice } of teamOf(loaded))
    if (choice)
      stderr.write(`${toShort(file, cwd)} names no model: it runs on ${choice.model}, because ${choice.why}.\n`);
  for (const note of before.notes) stderr.write(`${note}\n`);
  if (before.isPipeLeftOut)
    stderr.write('What is piped in is not read, because there is a prompt; put - where it belongs.\n');
}

/** The agent and everybody below it, each once. */
function teamOf(
  loaded: LoadedAgent,
): ReadonlySet<Pick<LoadedAgent, 'file' | 'children'> & { readonly choice?: Choice }> {
  const team = new Set([loaded]);
  // What is added on the way is visited too.
  for (const { children } of team) for (const child of children) team.add(child);
  return team;
}
