// Runs an agent that is loaded: the answer goes to stdout, everything else to stderr.

import type { LoadedAgent } from '@ai-agent/agents';
import {
  type AgentEvent,
  type FilePart,
  finSummaryOf,
  type Outcome,
  type OutputContract,
  oneLine,
} from '@ai-agent/core';
import { exitCodeOf } from '../exit-codes.ts';
import { AIAgentSession } from '../library.ts';
import { systemClock } from '../platform.ts';
import { type Live, showLive } from '../render/live.ts';
import { toDocument } from '../render/outcome-document.ts';
import { toPrintable } from '../render/printable.ts';
import type { Terminal } from '../terminal.ts';

export interface RunRequest {
  readonly loaded: LoadedAgent;
  readonly prompt: string;
  readonly attachments: readonly FilePart[];
  readonly print: Print;
  /** Nothing on stderr but what went wrong. */
  readonly isQuiet: boolean;
  /** More on stderr while it works. @default false */
  readonly isVerbose?: boolean;
  /** The whole tree on stderr at the end. @default false */
  readonly showsTree?: boolean;
  /** What the answer has to be. @default what the agent says */
  readonly output?: OutputContract;
  /** Hears every event, before anybody else. */
  readonly onEvent?: (event: AgentEvent) => void;
  /** Gets the outcome, whatever it is, before it is printed. Does not throw. */
  readonly onOutcome?: (outcome: Outcome) => Promise<void>;
}

/** What goes to stdout: the answer, the outcome as one document, or every event as a line. */
export type Print = 'answer' | 'json' | 'events';

export async function runAgent(request: RunRequest, terminal: Terminal): Promise<number> {
  const { loaded, prompt, attachments, print, isQuiet, output } = request;
  const live = isQuiet ? nobody : showLive(terminal.stderr, { isColoured: terminal.isColoured, now: systemClock.now });
  const { agent, session: given } = loaded;
  const onEvent = (event: AgentEvent) => {
    request.onEvent?.(event);
    live.onEvent(event);
    if (print === 'events') terminal.stdout.write(`${JSON.stringify(event)}\n`);
  };
  try {
    const session = new AIAgentSession({ ...given, agent, onEvent, attachments, ...(output ? { output } : {}) });
    const run = session.run(prompt);
    const release = terminal.onInterrupt((reason) => run.cancel(reason));
    const outcome = await run.outcome.finally(release);
    live.end();
    await request.onOutcome?.(outcome);
    if (print === 'json') terminal.stdout.write(`${JSON.stringify(toDocument(outcome))}\n`);
    if (print === 'answer') writeAnswer(outcome, terminal);
    tell(outcome, request, terminal);
    return exitCodeOf(outcome);
  } finally {
    live.end();
  }
}

const nobody: Live = { onEvent: () => {}, end: () => {} };

/** A file or a pipe gets the answer as it is; a terminal gets no control sequences of a model. */
function writeAnswer(outcome: Outcome, { stdout, stderr }: Terminal): void {
  const { text, report } = outcome;
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

function tell(outcome: Outcome, { isQuiet }: RunRequest, { stderr }: Terminal): void {
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
  if (!isQuiet) stderr.write(`\n${finSummaryOf(outcome.ledger).lines.map(oneLine).join('\n')}\n`);
}
