// `ai-agent <file> [prompt…]`, also `ai-agent run`: loads the file, reads the prompt, runs.

import { cacheFolderOf, type LoadedAgent, type NamedTools, type Problem, storeSettingsOf } from '@ai-agent/agents';
import { oneLine } from '@ai-agent/core';
import { flagValue, flagValues, type Word, type Words } from '../../arguments.ts';
import { homeFolder } from '../../assemble.ts';
import { exitCodes } from '../../exit-codes.ts';
import { type KeptAnswers, keepAnswers } from '../../kept-answers.ts';
import { KeptSessions } from '../../kept-sessions.ts';
import { leaveAtOnce } from '../../leave-at-once.ts';
import { systemClock } from '../../platform.ts';
import { chooseStore } from '../../store-choice.ts';
import type { Terminal } from '../../terminal.ts';
import { type Loading, notOneFile, refuse } from '../load.ts';
import { misuse } from '../misuse.ts';
import { readAttachments } from './attachments.ts';
import { tellBefore, tellDryRun } from './before-run.ts';
import { toOtherFile } from './going.ts';
import { aboutOf, keepRun } from './kept-run.ts';
import { loadOne } from './load-one.ts';
import { OutsideOfRun } from './outside-of-run.ts';
import { PluginsAtWork } from './plugins-at-work.ts';
import { isPipeLeftOut, toPrompt } from './prompt-words.ts';
import { runAgent } from './run-agent.ts';
import type { RunRequest } from './run-request.ts';
import { type RunSettings, readSettings } from './run-settings.ts';
import { startTraces, type Traces, withoutPanel } from './traces.ts';

/** `again` is said instead of what the words say, where the input of the agent is JSON. */
export async function run(words: Words, terminal: Terminal, again?: string): Promise<number> {
  const [file, ...said] = words.words;
  const isJson = flagValue(words, '--json') !== undefined;
  let leave: Loading['leave'] = () => {};
  const refuseAs = (problem: string, help = 'ai-agent run --help') => {
    leave();
    return misuse(terminal, problem, { help, isJson });
  };
  if (!file) return refuseAs('Which agent? Name its file.');
  const not = notOneFile(file.text, terminal.input.cwd);
  if (not !== undefined) return refuseAs(not);
  const settings = await readSettings(words, terminal.input.cwd);
  if ('problem' in settings) return refuseAs(settings.problem);
  const outside = new OutsideOfRun(terminal);
  const traces = await startTraces(words, terminal.stderr, outside.watched.secrets);
  const opened = await loadOne({ file: file.text, words, outside, traces, help: 'ai-agent run --help' }, terminal);
  if ('code' in opened) return opened.code;
  const { loaded, problems, tools, toolset, close } = opened;
  leave = opened.leave;
  const held = settings.holdFormat(loaded.agent);
  if ('problem' in held) return refuseAs(held.problem);
  const notes = held.note === undefined ? [] : [held.note];
  const before = { problems, notes, file: file.text, isQuiet: settings.detail === 'errors' };
  if (settings.isDryRun) {
    const wrong = await inspect(tools, toolset).finally(close).finally(leave);
    return wrong.length > 0
      ? refuse([...problems, ...wrong], { entries: [file.text], isJson }, terminal)
      : tellDryRun(loaded, before, terminal);
  }
  const sessions = toSessions(words, loaded, terminal);
  const isAgain = again !== undefined && loaded.agent.input?.format === 'json';
  const rest = isAgain ? [{ text: again, isLiteral: true }] : said;
  const read = await readPrompt(loaded, rest, { words, terminal });
  if ('problem' in read) return refuseAs(read.problem, read.isAboutPrompt ? `ai-agent ${file.text} --help` : undefined);
  tellBefore(loaded, { ...before, isPipeLeftOut: isPipeLeftOut(rest, terminal.input) }, terminal);
  const { output } = held;
  outside.startAtOnce(loaded.effective.said('mcpInitConcurrency')?.value);
  const plugins = new PluginsAtWork();
  const cache = keepAnswers(cacheFolderOf(loaded.configuration, homeFolder()));
  const asked = { loaded, ...read, ...(output ? { output } : {}), outside, plugins, cache };
  // Nothing was started before.
  return start(asked, { settings, traces, terminal, sessions })
    .finally(() => Promise.all([close(), tellUnkept(cache, before, terminal), tellUnkept(sessions, {}, terminal)]))
    .finally(() => (plugins.hasWork ? plugins.leave() : leave()));
}

/** For the servers to end, and the exit code to be known. */
const endsInMs = 1_000;

/** It costs no answer; what is said of an answer that is not kept, which is only the time of the next one, may be left out. */
export async function tellUnkept(
  kept: Pick<KeptAnswers, 'settled'> | undefined,
  { isQuiet = false }: { readonly isQuiet?: boolean },
  { stderr }: Terminal,
): Promise<void> {
  const unkept = await kept?.settled();
  if (!unkept) return;
  const { message, remedy, isStuck } = unkept;
  if (!isQuiet) stderr.write(`warning: ${oneLine(message)}\nWhat to do: ${oneLine(remedy)}\n`);
  // Nobody can call it off, and it would keep the process.
  if (isStuck) setTimeout(() => leaveAtOnce(Number(process.exitCode ?? 0)), endsInMs).unref();
}

/** Documents that a run would read first. */
async function inspect(tools: readonly NamedTools[], toolset: Loading['toolset']): Promise<readonly Problem[]> {
  if (tools.length === 0) return [];
  const { inspectTools } = await import('../tool-connections.ts');
  return inspectTools(tools, { toolset, signal: new AbortController().signal });
}

interface Reading {
  readonly words: Words;
  readonly terminal: Terminal;
}

async function readPrompt(loaded: LoadedAgent, said: readonly Word[], { words, terminal: { input } }: Reading) {
  const read = await toPrompt(said, input);
  if ('problem' in read) return { ...read, isAboutPrompt: true };
  const attached = readAttachments(flagValues(words, '--attach'), input.cwd);
  if ('problem' in attached) return { ...attached, isAboutPrompt: false };
  const { attachments } = attached;
  return { prompt: loaded.fillPrompt(read.prompt, systemClock.now()), attachments };
}

/** Set by the agent that is run; its sub-agents do not decide the exit code. */
export function isStrict({ effective }: LoadedAgent): boolean {
  return effective.said('strict')?.value === true;
}

/** Nothing is opened yet. */
export function toSessions(
  words: Words,
  { configuration }: LoadedAgent,
  { input }: Terminal,
): KeptSessions | undefined {
  const home = homeFolder();
  const choice = chooseStore(words, storeSettingsOf(configuration, home), { cwd: input.cwd, homeFolder: home });
  return choice && new KeptSessions(choice);
}

interface Asked extends Pick<RunRequest, 'attachments' | 'output' | 'outside' | 'cache'> {
  readonly loaded: LoadedAgent;
  readonly prompt: string;
  readonly plugins: PluginsAtWork;
}

interface Starting {
  readonly settings: RunSettings;
  readonly traces: Traces | undefined;
  readonly terminal: Terminal;
  readonly sessions: KeptSessions | undefined;
}

async function start(asked: Asked, { settings, traces, terminal, sessions }: Starting): Promise<number> {
  const { print, detail, hasTree, save, going } = settings;
  const { loaded, prompt, output, attachments = [] } = asked;
  const about = { ...aboutOf(loaded), ...(output ? { output } : {}) };
  const kept = await keepRun(sessions, about, { agent: loaded.agent, prompt, going, hasFiles: attachments.length > 0 });
  const other = toOtherFile(kept?.source, loaded.file);
  if (other !== undefined && detail !== 'errors') terminal.stderr.write(`${other}\n`);
  const onOutcome: RunRequest['onOutcome'] = async (outcome) => {
    const saved = await save?.(outcome);
    if (saved && !(saved.isSaved && detail === 'errors')) terminal.stderr.write(saved.said);
  };
  const watching = traces?.onEvent ? { onEvent: traces.onEvent } : {};
  const request = {
    ...asked,
    prompt: kept?.prompt ?? prompt,
    print,
    detail,
    hasTree,
    isStrict: isStrict(loaded),
    onOutcome,
    ...watching,
    ...(kept ? { kept } : {}),
  };
  const code = await runAgent(request, traces ? withoutPanel(terminal) : terminal);
  asked.plugins.release();
  // Whoever ended it does not want to wait.
  if (code !== exitCodes.byClass.cancelled) await asked.plugins.wait(terminal);
  return code;
}
