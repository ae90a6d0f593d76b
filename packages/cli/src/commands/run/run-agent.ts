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
import { exitCodeOf } from '../../exit-codes.ts';
import { systemClock } from '../../platform.ts';
import type { LiveOptions } from '../../render/live.ts';
import { toDocument } from '../../render/outcome-document.ts';
import type { Detail } from '../../render/plain-lines.ts';
import { toPrintable } from '../../render/printable.ts';
import { sizeOf } from '../../render/screen.ts';
import { showLive } from '../../render/show-live.ts';
import type { Terminal } from '../../terminal.ts';
import { runAttended } from './run-attended.ts';
import { Written } from './written.ts';

export interface RunRequest {
  readonly loaded: Pick<LoadedAgent, 'agent' | 'session'>;
  readonly prompt: string;
  /** @default none */
  readonly attachments?: readonly FilePart[];
  /** @default 'answer' */
  readonly print?: Print;
  /** How much is told on stderr while it runs; with `errors` only what went wrong. @default 'usual' */
  readonly detail?: Detail;
  /** The whole tree on stderr, at the end. @default false */
  readonly hasTree?: boolean;
  /** What the answer has to be. @default what the agent says */
  readonly output?: OutputContract;
  /** Hears every event, before anybody else. @default nobody */
  readonly onEvent?: (event: AgentEvent) => void;
  /** Gets the outcome, whatever it is, before it is printed. Does not throw. @default nobody */
  readonly onOutcome?: (outcome: Outcome) => Promise<void>;
}

/** What goes to stdout: the answer, the outcome as one document, or every event as a line. */
export type Print = 'answer' | 'json' | 'events';

export async function runAgent(request: RunRequest, terminal: Terminal): Promise<number> {
  const { loaded, prompt, attachments = [], print = 'answer', output } = request;
  const live = await showLive(toLiveOptions(request, terminal));
  const config = { ...loaded.session, agent: loaded.agent, attachments, ...(output ? { output } : {}) };
  const written = new Written();
  const onEvent = (event: AgentEvent) => {
    request.onEvent?.(event);
    live.onEvent(event);
    written.onEvent(event);
    if (print === 'events') terminal.stdout.write(`${JSON.stringify(event)}\n`);
  };
  try {
    const ended = await runAttended({ ...config, onEvent }, prompt, { terminal, live });
    live.end();
    const outcome = written.addTo(ended);
    await request.onOutcome?.(outcome);
    if (print === 'json') terminal.stdout.write(`${JSON.stringify(toDocument(outcome))}\n`);
    if (!live.isRead(written.text) && outcome.status === 'partial' && outcome.text !== written.text)
      writeDraft(written.text, terminal);
    if (print === 'answer' && !live.isRead(outcome.text)) writeAnswer(outcome, terminal);
    await tell(outcome, request, terminal);
    return exitCodeOf(outcome);
  } finally {
    live.end();
  }
}

/** Where both are one screen the answer is read while it comes; events that pass there leave no room for a panel. */
function toLiveOptions({ print = 'answer', detail = 'usual' }: RunRequest, terminal: Terminal): LiveOptions {
  const { stdout, stderr, isColoured } = terminal;
  const isOneScreen = stderr.isTTY === true && stdout.isTTY === true;
  return {
    screen: print === 'events' && isOneScreen ? { write: (text) => stderr.write(text) } : stderr,
    isColoured,
    now: systemClock.now,
    detail,
    answerTo: print === 'answer' && isOneScreen ? stdout : undefined,
  };
}

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

async function tell(outcome: Outcome, { detail, hasTree }: RunRequest, terminal: Terminal): Promise<void> {
  const { stderr } = terminal;
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
  if (hasTree && outcome.tree) {
    const { drawOpTree } = await import('../../render/op-tree.ts');
    stderr.write(`\n${drawOpTree(outcome.tree).join('\n')}\n`);
  }
  if (detail !== 'errors') stderr.write(`\n${(await toUsage(outcome, terminal)).join('\n')}\n`);
}

/** A table for whoever looks, lines for whoever reads them later. */
async function toUsage(
  { ledger, startedAt, endedAt }: Outcome,
  { stderr, isColoured }: Terminal,
): Promise<readonly string[]> {
  if (!stderr.isTTY) return finSummaryOf(ledger).lines.map(oneLine);
  const { toUsageTable } = await import('../../render/usage-table.ts');
  return toUsageTable({ ledger, durationMs: endedAt - startedAt, width: sizeOf(stderr).columns - 1, isColoured });
}
