// Runs an agent that is loaded: the answer goes to stdout, everything else to stderr.

import type { LoadedAgent } from '@ai-agent/agents';
import { type AgentEvent, type FilePart, finSummaryOf, type Outcome, oneLine } from '@ai-agent/core';
import { exitCodeOf } from '../exit-codes.ts';
import { AIAgentSession } from '../library.ts';
import { systemClock } from '../platform.ts';
import { showLive } from '../render/live.ts';
import { drawOpTree } from '../render/op-tree.ts';
import { toDocument } from '../render/outcome-document.ts';
import { toPrintable } from '../render/printable.ts';
import { sizeOf } from '../render/screen.ts';
import { toUsageTable } from '../render/usage-table.ts';
import type { Terminal } from '../terminal.ts';

export interface RunRequest {
  readonly loaded: LoadedAgent;
  readonly prompt: string;
  readonly attachments: readonly FilePart[];
  readonly print: Print;
  /** Nothing on stderr but what went wrong. */
  readonly isQuiet: boolean;
  /** Every step on stderr. */
  readonly isVerbose: boolean;
  /** The whole tree on stderr, at the end. */
  readonly hasTree: boolean;
}

/** What goes to stdout: the answer, the outcome as one document, or every event as a line. */
export type Print = 'answer' | 'json' | 'events';

export async function runAgent(request: RunRequest, terminal: Terminal): Promise<number> {
  const { loaded, prompt, attachments, print, isQuiet, isVerbose } = request;
  const isWatched = print === 'answer' && !isQuiet && terminal.stderr.isTTY === true && terminal.stdout.isTTY === true;
  const live = showLive({
    screen: terminal.stderr,
    isColoured: terminal.isColoured,
    now: systemClock.now,
    detail: isQuiet ? 'errors' : isVerbose ? 'all' : 'usual',
    answerTo: isWatched ? terminal.stdout : undefined,
  });
  const { agent, session: given } = loaded;
  const onEvent = (event: AgentEvent) => {
    live.onEvent(event);
    if (print === 'events') terminal.stdout.write(`${JSON.stringify(event)}\n`);
  };
  try {
    const session = new AIAgentSession({ ...given, agent, onEvent, attachments });
    const run = session.run(prompt);
    const release = terminal.onInterrupt((reason) => run.cancel(reason));
    const outcome = await run.outcome.finally(release);
    live.end();
    if (print === 'json') terminal.stdout.write(`${JSON.stringify(toDocument(outcome))}\n`);
    if (print === 'answer') writeAnswer(outcome, live.written(), terminal);
    tell(outcome, request, terminal);
    return exitCodeOf(outcome);
  } finally {
    live.end();
  }
}

/** A file or a pipe gets the answer as it is; a terminal gets no control sequences of a model. */
function writeAnswer(outcome: Outcome, written: string, { stdout, stderr }: Terminal): void {
  const { text, report } = outcome;
  // It has been read while it came.
  if (text.trim() !== '' && written.trim() === text.trim()) return;
  const answer = report === undefined ? text : JSON.stringify(report, null, stdout.isTTY ? 2 : undefined);
  if (answer === '') return;
  if (!isAnswer(outcome)) stderr.write(`What it had written:\n${toPrintable(answer)}\n`);
  else stdout.write(`${stdout.isTTY ? toPrintable(answer) : answer}\n`);
}

/** Whoever reads stdout gets what was promised, or nothing: no half answers, and nothing that breaks a contract. */
function isAnswer({ status, format, report }: Outcome): boolean {
  if (status !== 'completed' && status !== 'partial') return false;
  return format !== 'json' || report !== undefined;
}

function tell(outcome: Outcome, { isQuiet, hasTree }: RunRequest, terminal: Terminal): void {
  const { stderr } = terminal;
  if (outcome.status === 'partial') {
    const broken = isAnswer(outcome) ? '' : ' What it has so far does not keep its JSON contract.';
    stderr.write(`partial: the limit ${outcome.limit} ended the run.${broken}\n`);
  }
  if (outcome.status === 'needs_user_input')
    stderr.write(
      `needs_user_input: ${toPrintable(outcome.question.text)}\nWhat to do: ask again with the answer in the prompt.\n`,
    );
  if ('failure' in outcome) {
    const { class: kind, message, remedy } = outcome.failure;
    stderr.write(`${outcome.status} (${kind}): ${oneLine(message)}\nWhat to do: ${oneLine(remedy)}\n`);
  }
  if (hasTree && outcome.tree) stderr.write(`\n${drawOpTree(outcome.tree).join('\n')}\n`);
  if (!isQuiet) stderr.write(`\n${toUsage(outcome, terminal).join('\n')}\n`);
}

/** A table for whoever looks, lines for whoever reads them later. */
function toUsage({ ledger, startedAt, endedAt }: Outcome, { stderr, isColoured }: Terminal): readonly string[] {
  if (!stderr.isTTY) return finSummaryOf(ledger).lines.map(oneLine);
  return toUsageTable({ ledger, durationMs: endedAt - startedAt, width: sizeOf(stderr).columns - 1, isColoured });
}
