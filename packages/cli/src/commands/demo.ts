// `ai-agent demo`: one agent that asks two others at once, offline, so that anybody can watch the whole thing work.

import { type Agent, asTool, finSummaryOf, type Outcome, oneLine, sleep } from '@ai-agent/core';
import { offlineDemo } from '@ai-agent/models';
import type { Words } from '../arguments.ts';
import { exitCodeOf } from '../exit-codes.ts';
import { AIAgentSession } from '../library.ts';
import { systemClock } from '../platform.ts';
import { showLive } from '../render/live.ts';
import { toPrintable } from '../render/printable.ts';
import type { Terminal } from '../terminal.ts';

const defaultPrompt =
  'Write a release note and a support FAQ for version 2.4, which adds offline mode for all plans, fixes two login bugs on Android and drops support for Windows 8.';

export async function run({ words }: Words, terminal: Terminal): Promise<number> {
  const prompt =
    words
      .map(({ text }) => text)
      .join(' ')
      .trim() || defaultPrompt;
  const agent = macroAgent(terminal.stderr.isTTY === true);
  const live = showLive({
    screen: terminal.stderr,
    isColoured: terminal.isColoured,
    now: systemClock.now,
    answerTo: terminal.stderr.isTTY && terminal.stdout.isTTY ? terminal.stdout : undefined,
  });
  try {
    const run = new AIAgentSession({ agent, onEvent: (event) => live.onEvent(event) }).run(prompt);
    const release = terminal.onInterrupt((reason) => run.cancel(reason));
    const outcome = await run.outcome.finally(release);
    live.end();
    tell(outcome, terminal);
    return exitCodeOf(outcome);
  } finally {
    live.end();
  }
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

function tell(outcome: Outcome, { stdout, stderr }: Terminal): void {
  if (outcome.text) stdout.write(`${toPrintable(outcome.text)}\n`);
  if (outcome.status === 'partial') stderr.write(`partial: the limit ${outcome.limit} ended the run.\n`);
  if ('failure' in outcome) {
    const { class: kind, message, remedy } = outcome.failure;
    stderr.write(`${outcome.status} (${kind}): ${oneLine(message)}\nWhat to do: ${oneLine(remedy)}\n`);
  }
  stderr.write(`\n${finSummaryOf(outcome.ledger).lines.map(oneLine).join('\n')}\n`);
}
