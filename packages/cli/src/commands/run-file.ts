// `ai-agent <file> [prompt…]`, also `ai-agent run`: loads the file, reads the prompt, runs.

import { flags as agentFlags, type Choice, groups, type LoadedAgent, toFlag, toLine, toShort } from '@ai-agent/agents';
import { type FlagForms, flagValue, flagValues, type Words } from '../arguments.ts';
import { systemClock } from '../platform.ts';
import type { Terminal } from '../terminal.ts';
import { loadAgents, notOneFile, refuse } from './load.ts';
import { misuse } from './misuse.ts';
import { toPrompt } from './prompt-words.ts';
import { type Print, runAgent } from './run.ts';

const own: readonly (readonly [flag: string, form: 'value' | 'alone', about: string])[] = [
  ['--json', 'alone', 'Print the whole outcome as one JSON document instead of the answer'],
  ['--events', 'alone', 'Print every fact and hint as a line of JSON instead of the answer'],
  ['--quiet', 'alone', 'Say nothing on stderr but what went wrong; also -q'],
  ['--config', 'value', 'A configuration file above all others'],
  ['--override', 'value', 'An option of every agent, as key=value; may be repeated'],
];

/** Every flag of a run: its own, and those of the options of agents. */
export const runFlags: FlagForms = new Map([
  ...own.map(([flag, form]) => [flag, form] as const),
  ['-q', 'alone'],
  ...[...agentFlags.keys()].map((flag) => [flag, 'value'] as const),
]);

export async function runFile(words: Words, terminal: Terminal): Promise<number> {
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
  for (const problem of problems) terminal.stderr.write(`${toLine(problem, terminal.input.cwd)}\n`);
  for (const { file: path, choice } of withoutModels(loaded))
    terminal.stderr.write(
      `${toShort(path, terminal.input.cwd)} names no model: it runs on ${choice.model}, because ${choice.why}.\n`,
    );
  const prompt = loaded.fillPrompt(read.prompt, systemClock.now());
  const print: Print = isJson ? 'json' : isEvents ? 'events' : 'answer';
  return runAgent({ loaded, prompt, print, isQuiet: flagValue(words, '--quiet', '-q') !== undefined }, terminal);
}

/** Every file of the team that names no model, with what it runs on instead. */
function withoutModels({ file, choice, children }: LoadedAgent): readonly { file: string; choice: Choice }[] {
  const below = children.flatMap(withoutModels);
  const all = choice ? [{ file, choice }, ...below] : below;
  return all.filter((one, i) => all.findIndex((other) => other.file === one.file) === i);
}

/** Made of the table, so that no flag is missing. */
export function runHelp(): string {
  const lines = (rows: readonly (readonly [string, string])[]) =>
    rows.map(([flag, about]) => `  ${flag.padEnd(27)} ${about}`).join('\n');
  const known = [...new Set(agentFlags.values())];
  const sections = Object.entries(groups).flatMap(([group, title]) => {
    const rows = known
      .filter((option) => option.group === group)
      .map(({ key, about }) => [toFlag(key), about] as const);
    return rows.length === 0 ? [] : [`${title}, instead of what the file says:\n${lines(rows)}`];
  });
  return `Usage: ai-agent <file> [prompt…]

Runs an agent file. The answer goes to stdout, the rest to stderr. The prompt is text, @file, or - for
the standard input; without one, what is piped in. Flags may stand anywhere; -- ends them.

Options:
${lines(own.map(([flag, , about]) => [flag, about] as const))}
  -h, --help                  What this agent is: description, usage, every option with its value

${sections.join('\n\n')}

Exit codes: 0 done, 1 set-up, 2 model, 3 tool, 4 usage, 5 a limit ended it, 6 it asks something, 130 cancelled

Examples:
  ai-agent hello.ai "Good morning"
  ./hello.ai "Good morning"
  cat report.txt | ai-agent summary.ai
  ai-agent desk.ai --max-turns 5 --json @request.txt
  ai-agent desk.ai --override models=offline/demo "Try it without a key"
`;
}
