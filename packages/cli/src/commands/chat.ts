// `ai-agent chat <file>`: a talk with an agent, at the terminal or line by line.

import { dirname, join } from 'node:path';
import { cacheFolderOf, type LoadedAgent } from '@ai-agent/agents';
import { flagValue, type Words } from '../arguments.ts';
import { homeFolder } from '../assemble.ts';
import { keepAnswers } from '../kept-answers.ts';
import type { KeptSessions } from '../kept-sessions.ts';
import { isAddress } from '../store-choice.ts';
import type { Terminal } from '../terminal.ts';
import { Talk, type TalkSetting } from './chat/talk.ts';
import type { Begun } from './chat/talk-store.ts';
import { sayDim, toFarewell } from './chat/talk-words.ts';
import { notOneFile } from './load.ts';
import { misuse } from './misuse.ts';
import { tellBefore } from './run/before-run.ts';
import { toOtherFile } from './run/going.ts';
import { aboutOf, findGoing } from './run/kept-run.ts';
import { loadOne } from './run/load-one.ts';
import { OutsideOfRun } from './run/outside-of-run.ts';
import { isStrict, tellUnkept, toSessions } from './run/run-file.ts';
import { type RunSettings, readSettings } from './run/run-settings.ts';
import { startTraces, withoutPanel } from './run/traces.ts';

const help = 'ai-agent chat --help';

export async function run(words: Words, terminal: Terminal): Promise<number> {
  const [file, other] = words.words;
  const refuse = (problem: string) =>
    misuse(terminal, problem, { help, isJson: flagValue(words, '--json') !== undefined });
  if (!file) return refuse('Which agent? Name its file.');
  if (other) return refuse(`A talk begins without a prompt; "${other.text}" can be said in it.`);
  const not = notOneFile(file.text, terminal.input.cwd);
  if (not !== undefined) return refuse(not);
  const settings = await readSettings(words, terminal.input.cwd);
  if ('problem' in settings) return refuse(settings.problem);
  const outside = new OutsideOfRun(terminal);
  const traces = await startTraces(words, terminal.stderr, outside.watched.secrets);
  const opened = await loadOne({ file: file.text, words, outside, traces, help }, terminal);
  if ('code' in opened) return opened.code;
  const { loaded, problems, close, leave } = opened;
  const held = settings.holdFormat(loaded.agent);
  if ('problem' in held) {
    leave();
    return refuse(held.problem);
  }
  const notes = held.note === undefined ? [] : [held.note];
  const before = { problems, notes, file: file.text, isQuiet: settings.detail === 'errors' };
  tellBefore(loaded, before, terminal);
  outside.startAtOnce(loaded.effective.said('mcpInitConcurrency')?.value);
  const sessions = toSessions(words, loaded, terminal);
  const cache = keepAnswers(cacheFolderOf(loaded.configuration, homeFolder()));
  const { print, detail, hasTree } = settings;
  const output = held.output ? { output: held.output } : {};
  const watching = traces?.onEvent ? { onEvent: traces.onEvent } : {};
  const setting: TalkSetting = {
    loaded,
    about: { ...aboutOf(loaded), ...output },
    sessions,
    request: {
      print,
      detail,
      hasTree,
      isStrict: isStrict(loaded),
      leavesLone: false,
      ...output,
      outside,
      cache,
      ...watching,
    },
  };
  let talk: Talk | undefined;
  try {
    talk = new Talk(setting, await findBegun(setting, settings, terminal));
    const code = await hold(talk, traces ? withoutPanel(terminal) : terminal);
    await talk.end(terminal);
    const farewell = toFarewell(talk, file.text);
    if (farewell !== undefined && detail !== 'errors') sayDim(farewell, terminal);
    return code;
  } finally {
    const isQuiet = talk?.isToldUnkept === true;
    await Promise.all([close(), tellUnkept(cache, before, terminal), tellUnkept(sessions, { isQuiet }, terminal)]);
    if (!talk?.leave()) leave();
  }
}

/** The session that is gone on with, when one was named. Throws `session-unknown`. */
async function findBegun(
  { sessions, about }: TalkSetting,
  { going, detail }: RunSettings,
  terminal: Terminal,
): Promise<Begun | undefined> {
  if (!going) return undefined;
  const found = await findGoing(sessions, about, going);
  const other = toOtherFile(found.head.source, about.source);
  if (other !== undefined && detail !== 'errors') sayDim(other, terminal);
  return { head: found.head, facts: await found.sessions.store.facts(found.head.id, 0) };
}

async function hold(talk: Talk, terminal: Terminal): Promise<number> {
  const { openKeyboard, input, stderr } = terminal;
  if (!openKeyboard || !input.isTerminal || !stderr.isTTY)
    return (await import('./chat/line-by-line.ts')).talkLineByLine(talk, terminal);
  const { talkAtTerminal } = await import('./chat/at-terminal.ts');
  const { sessions, loaded } = talk.setting;
  return talkAtTerminal(talk, { terminal, openKeyboard, historyFile: sessions && historyFileOf(sessions, loaded) });
}

/** Beside the store; of one that others use too, in the home of the user. */
function historyFileOf({ choice: { where } }: KeptSessions, { name }: LoadedAgent): string | undefined {
  const home = homeFolder();
  const folder = !isAddress(where) ? dirname(where) : home === undefined ? undefined : join(home, '.ai-agent');
  return folder && join(folder, 'typed', `${name.replace(/[^\w.-]+/g, '_')}.jsonl`);
}
