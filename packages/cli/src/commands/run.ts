// Runs an agent that is loaded: the answer goes to stdout, everything else to stderr.

import type { LoadedAgent } from '@ai-agent/agents';
import { type AgentEvent, type FilePart, finSummaryOf, type Outcome, oneLine } from '@ai-agent/core';
import { exitCodeOf } from '../exit-codes.ts';
import { systemClock } from '../platform.ts';
import { type Live, showLive } from '../render/live.ts';
import { toDocument } from '../render/outcome-document.ts';
import { toPrintable } from '../render/printable.ts';
import type { Terminal } from '../terminal.ts';
import { runAttended } from './run-attended.ts';
import { Written } from './written.ts';

export interface RunRequest {
  readonly loaded: Pick<LoadedAgent, 'agent' | 'session'>;
  readonly prompt: string;
  readonly attachments: readonly FilePart[];
  readonly print: Print;
  /** Nothing on stderr but what went wrong. */
  readonly isQuiet: boolean;
}

/** What goes to stdout: the answer, the outcome as one document, or every event as a line. */
export type Print = 'answer' | 'json' | 'events';

export async function runAgent(request: RunRequest, terminal: Terminal): Promise<number> {
  const { loaded, prompt, attachments, print, isQuiet } = request;
  const live = isQuiet ? nobody : showLive(terminal.stderr, { isColoured: terminal.isColoured, now: systemClock.now });
  const { agent, session } = loaded;
  const written = new Written();
  const onEvent = (event: AgentEvent) => {
    live.onEvent(event);
    written.onEvent(event);
    if (print === 'events') terminal.stdout.write(`${JSON.stringify(event)}\n`);
  };
  try {
    const ended = await runAttended({ ...session, agent, onEvent, attachments }, prompt, { terminal, live });
    live.end();
    const outcome = written.addTo(ended);
    if (print === 'json') terminal.stdout.write(`${JSON.stringify(toDocument(outcome))}\n`);
    if (outcome.status === 'partial' && outcome.text !== written.text) writeDraft(written.text, terminal);
    if (print === 'answer') writeAnswer(outcome, terminal);
    tell(outcome, request, terminal);
    return exitCodeOf(outcome);
  } finally {
    live.end();
  }
}

const nobody: Live = { onEvent: () => {}, aside: () => () => {}, end: () => {} };

/** What it was about to say when it was told to stop, and did not say again. */
function writeDraft(text: string, { stderr }: Terminal): void {
  if (text !== '') stderr.write(`What it was writing when it was stopped:\n${toPrintable(text)}\n`);
}

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
    const why = outcome.limit === 'stop' ? 'it was stopped' : `the limit ${outcome.limit} ended the run`;
    stderr.write(`partial: ${why}.${broken}\n`);
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
