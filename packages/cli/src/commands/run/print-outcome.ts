// What a run came to, printed: the answer or the document on stdout, the rest on stderr.

import { finSummaryOf, jsonReportOf, type Outcome, oneLine, type Question, toOutcomeDocument } from '@ai-agent/core';
import { toIncompleteLines } from '../../render/incomplete-lines.ts';
import type { Live } from '../../render/live.ts';
import { toPrintable } from '../../render/printable.ts';
import { sizeOf } from '../../render/screen.ts';
import { toJson } from '../../render/to-json.ts';
import type { Terminal } from '../../terminal.ts';
import type { RunRequest } from './run-request.ts';

export interface Printing {
  readonly request: Pick<RunRequest, 'print' | 'hasTree' | 'isStrict' | 'kept'>;
  readonly terminal: Terminal;
  /** Knows what was read while it came. */
  readonly live: Pick<Live, 'isRead'>;
  /** What the root had begun to write and never finished. */
  readonly draft: string;
}

export async function printOutcome(outcome: Outcome, { request, terminal, live, draft }: Printing): Promise<void> {
  const { print = 'answer', kept } = request;
  if (print === 'json') terminal.stdout.write(`${toJson(toDocument(outcome, request), terminal.stdout)}\n`);
  if (outcome.status === 'partial' && outcome.text !== draft && !live.isRead(draft)) writeDraft(draft, terminal);
  if (print === 'answer' && !live.isRead(outcome.text)) writeAnswer(outcome, terminal);
  // What is said of it is true by then.
  const isKept = await kept?.isKept();
  await tell(outcome, { ...request, ...(isKept ? {} : { kept: undefined }) }, terminal);
}

/** Over all of its rounds the session has one id. */
function toDocument(outcome: Outcome, { kept }: Printing['request']): object {
  return { ...toOutcomeDocument(outcome), ...(kept ? { sessionId: kept.id } : {}) };
}

/** What it used, and where it can be read again. */
export async function tellUsage(
  outcome: Outcome,
  { kept }: Pick<RunRequest, 'kept'>,
  terminal: Terminal,
): Promise<void> {
  terminal.stderr.write(`\n${(await toUsage(outcome, terminal)).join('\n')}\n`);
  if (await kept?.isKept()) terminal.stderr.write(`session ${kept?.inWords}\n`);
}

/** What it was about to say when it was told to stop, and did not say again. */
function writeDraft(text: string, { stderr }: Terminal): void {
  if (text !== '') stderr.write(`What it was writing when it was stopped:\n${toPrintable(text)}\n`);
}

/** A file or a pipe gets the answer as it is; a terminal gets no control sequences of a model. */
function writeAnswer(outcome: Outcome, { stdout, stderr }: Terminal): void {
  const report = jsonReportOf(outcome);
  const answer = report === undefined ? outcome.text : JSON.stringify(report, null, stdout.isTTY ? 2 : undefined);
  if (answer === '') return;
  if (!isAnswer(outcome)) stderr.write(`What it had written:\n${toPrintable(answer)}\n`);
  else stdout.write(`${stdout.isTTY ? toPrintable(answer) : answer}\n`);
}

/** Whoever reads stdout gets what was promised, or nothing: no half answers, and nothing that breaks a contract. */
function isAnswer({ status, format, report }: Outcome): boolean {
  if (status !== 'completed' && status !== 'partial') return false;
  return format !== 'json' || report !== undefined;
}

/** Of what is not kept nothing is said. */
interface Told extends Omit<Printing['request'], 'kept'> {
  readonly kept?: RunRequest['kept'] | undefined;
}

async function tell(outcome: Outcome, { hasTree, isStrict, kept }: Told, { stderr }: Terminal): Promise<void> {
  for (const line of toIncompleteLines(outcome)) stderr.write(`${line}\n`);
  if (isStrict && outcome.status === 'completed' && outcome.incomplete.length > 0)
    stderr.write('strict: exit code 5, because work is missing from this answer.\n');
  if (outcome.status === 'partial') {
    const broken = isAnswer(outcome) ? '' : ' What it has so far does not keep its JSON contract.';
    const why = outcome.limit === 'stop' ? 'it was stopped' : `the limit ${outcome.limit} ended the run`;
    stderr.write(`partial: ${why}.${broken}\n`);
  }
  if (outcome.status === 'needs_user_input') {
    const { toLines } = await import('./question-form.ts');
    const asked = toLines(outcome.question).join('\n');
    stderr.write(`needs_user_input: ${asked}\nWhat to do: ${whatToDo(outcome.question, kept)}\n`);
  }
  if ('failure' in outcome) {
    const { class: kind, message, remedy } = outcome.failure;
    stderr.write(`${outcome.status} (${kind}): ${oneLine(message)}\nWhat to do: ${oneLine(remedy)}\n`);
  }
  if (hasTree && outcome.tree) {
    const { drawOpTree } = await import('../../render/op-tree.ts');
    stderr.write(`\n${drawOpTree(outcome.tree).join('\n')}\n`);
  }
}

/** Without a store, leave is a person's to give: no prompt of a new run could. */
function whatToDo({ type }: Question, kept: RunRequest['kept']): string {
  if (kept) return `Answer it: ${kept.resumeWith(type === 'approval' ? '--answer yes' : '--answer "…"')}`;
  return type === 'approval'
    ? 'Run it at a terminal, or take the tool out of `ask` in permissions.'
    : 'Ask again with the answer in the prompt.';
}

/** A table for whoever looks, lines for whoever reads them later. */
async function toUsage(outcome: Outcome, { stderr, isColoured }: Terminal): Promise<readonly string[]> {
  const { ledger, startedAt, endedAt } = outcome;
  if (!stderr.isTTY) return finSummaryOf(ledger).lines.map(oneLine);
  if (outcome.status === 'completed' && outcome.isCached) return ['from cache: no model was asked'];
  const { toUsageTable } = await import('../../render/usage-table.ts');
  return toUsageTable({ ledger, durationMs: endedAt - startedAt, width: sizeOf(stderr).columns - 1, isColoured });
}
