// `ai-agent <file> [prompt…]`, also `ai-agent run`: loads the file, reads the prompt, runs.

import { flags as agentFlags, type Choice, type LoadedAgent, type Problem, toLine, toShort } from '@ai-agent/agents';
import { flagValue, flagValues, type Words } from '../arguments.ts';
import { systemClock } from '../platform.ts';
import type { Terminal } from '../terminal.ts';
import { readAttachments } from './attachments.ts';
import { loadAgents, notOneFile, refuse } from './load.ts';
import { misuse } from './misuse.ts';
import { isPipeLeftOut, toPrompt } from './prompt-words.ts';
import { type Print, runAgent } from './run.ts';

export async function run(words: Words, terminal: Terminal): Promise<number> {
  const [file, ...rest] = words.words;
  const isJson = flagValue(words, '--json') !== undefined;
  const isEvents = flagValue(words, '--events') !== undefined;
  const refuseAs = (problem: string, help = 'ai-agent run --help') => misuse(terminal, problem, { help, isJson });
  if (!file) return refuseAs('Which agent? Name its file.');
  const not = notOneFile(file.text, terminal.input.cwd);
  if (not !== undefined) return refuseAs(not);
  if (isJson && isEvents) return refuseAs('Choose one of --json and --events.');
  const request = {
    entries: [file.text],
    flags: words.flags.filter(([flag]) => agentFlags.has(flag)),
    overrides: flagValues(words, '--override'),
    configFile: flagValue(words, '--config'),
    purpose: 'run',
  } as const;
  const { registry, problems } = await loadAgents(request);
  const [loaded, other] = registry.agents;
  if (!loaded || problems.some(({ severity }) => severity === 'error'))
    return refuse(problems, { entries: request.entries, isJson }, terminal);
  if (other) return refuseAs(`${file.text} holds several agents; name the file of one.`);
  const read = await toPrompt(rest, terminal.input);
  if ('problem' in read) return refuseAs(read.problem, `ai-agent ${file.text} --help`);
  const attached = readAttachments(flagValues(words, '--attach'), terminal.input.cwd);
  if ('problem' in attached) return refuseAs(attached.problem);
  const isQuiet = flagValue(words, '--quiet', '-q') !== undefined;
  if (!isQuiet)
    tellBefore(loaded, { problems, file: file.text, isPipeLeftOut: isPipeLeftOut(rest, terminal.input) }, terminal);
  const prompt = loaded.fillPrompt(read.prompt, systemClock.now());
  const print: Print = isJson ? 'json' : isEvents ? 'events' : 'answer';
  return runAgent({ loaded, prompt, attachments: attached.attachments, print, isQuiet }, terminal);
}

interface Before {
  readonly problems: readonly Problem[];
  readonly file: string;
  readonly isPipeLeftOut: boolean;
}

/** What one should know of this run: which models it goes without, which it chose; the rest is for a check. */
function tellBefore(loaded: LoadedAgent, before: Before, { stderr, input: { cwd } }: Terminal): void {
  const isOfRun = ({ code }: Problem) =>
    code === 'secret-missing' || code === 'model-unknown' || code === 'prompt-empty';
  const rest = before.problems.filter((problem) => !isOfRun(problem));
  for (const problem of before.problems.filter(isOfRun)) stderr.write(`${toLine(problem, cwd)}\n`);
  const [first] = rest;
  if (first && rest.length === 1) stderr.write(`${toLine(first, cwd)}\n`);
  else if (first) stderr.write(`${rest.length} warnings: ai-agent check ${before.file} says which.\n`);
  for (const { file, choice } of withoutModels(loaded))
    stderr.write(`${toShort(file, cwd)} names no model: it runs on ${choice.model}, because ${choice.why}.\n`);
  if (before.isPipeLeftOut)
    stderr.write('What is piped in is not read, because there is a prompt; put - where it belongs.\n');
}

/** Every file of the team that names no model, with what it runs on instead. */
function withoutModels(loaded: LoadedAgent): readonly { readonly file: string; readonly choice: Choice }[] {
  const team = new Set([loaded]);
  // What is added on the way is visited too.
  for (const { children } of team) for (const child of children) team.add(child);
  return [...team].flatMap(({ file, choice }) => (choice ? [{ file, choice }] : []));
}
