// `ai-agent demo`: one agent that asks two others at once, offline, so that anybody can watch the whole thing work.

import { type Agent, asTool, sleep } from '@ai-agent/core';
import { offlineDemo } from '@ai-agent/models';
import type { Words } from '../arguments.ts';
import { systemClock } from '../platform.ts';
import type { Terminal } from '../terminal.ts';
import { misuse } from './misuse.ts';
import { runAgent } from './run/run-agent.ts';
import { readTelling } from './run/run-settings.ts';

const defaultPrompt =
  'Write a release note and a support FAQ for version 2.4, which adds offline mode for all plans, fixes two login bugs on Android and drops support for Windows 8.';

export async function run(words: Words, terminal: Terminal): Promise<number> {
  const telling = readTelling(words);
  if ('problem' in telling) return misuse(terminal, telling.problem, { help: 'ai-agent demo --help' });
  const prompt =
    words.words
      .map(({ text }) => text)
      .join(' ')
      .trim() || defaultPrompt;
  const loaded = { agent: macroAgent(terminal.stderr.isTTY === true), session: { envOverlay: {} } };
  return runAgent({ loaded, prompt, ...telling }, terminal);
}

/** On a terminal the model takes its time, so that there is something to see. */
function macroAgent(isWatched: boolean): Agent {
  const pace = { pace: (signal: AbortSignal) => sleep(systemClock, 12, signal) };
  const model = offlineDemo(isWatched ? pace : {});
  const writer = (name: string, what: string): Agent => ({
    name,
    description: `Writes ${what} from what it is told about a release`,
    instructions: `You write ${what}. Keep to what you were told.`,
    model,
  });
  return {
    name: 'release_desk',
    description: 'Turns the facts of a release into texts',
    instructions: 'You run the release desk. Have the release note and the support FAQ written, then combine them.',
    model,
    tools: [asTool(writer('release_note', 'a release note')), asTool(writer('support_faq', 'a support FAQ'))],
  };
}
