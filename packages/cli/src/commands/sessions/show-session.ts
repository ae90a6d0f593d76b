// `ai-agent sessions show <id>`: what a session is, what came of it, who worked on it, for how long and for how much.

import { jsonReportOf, oneLine, textOf, toOutcomeDocument } from '@ai-agent/core';
import { flagValue, type Misuse, type Words } from '../../arguments.ts';
import { exitCodes } from '../../exit-codes.ts';
import { toIncompleteLines } from '../../render/incomplete-lines.ts';
import { toKeptTree } from '../../render/kept-tree.ts';
import { drawOpTree } from '../../render/op-tree.ts';
import { toPrintable } from '../../render/printable.ts';
import { sizeOf } from '../../render/screen.ts';
import { toJson } from '../../render/to-json.ts';
import { toUsageTable } from '../../render/usage-table.ts';
import type { Terminal } from '../../terminal.ts';
import { toLines } from '../run/question-form.ts';
import { isUnfinished, type KeptSession, type Round } from './kept-session.ts';
import { toHeading } from './round-heading.ts';
import { toSpan } from './session-span.ts';
import { resumeWith, withSession } from './with-session.ts';

export function run(words: Words, terminal: Terminal): Promise<number | Misuse> {
  return withSession(words, terminal, async (session, { storeFlag }) => {
    const { stdout } = terminal;
    if (flagValue(words, '--json') !== undefined) stdout.write(`${toJson(toDocument(session), stdout)}\n`);
    else stdout.write(`${toText(session, storeFlag, terminal).join('\n')}\n`);
    return exitCodes.ok;
  });
}

/** The outcome is that of the last round; the times, ledger and usage are those of all. */
export function toDocument({ head, rounds, ledger }: KeptSession): object {
  const last = rounds.at(-1);
  const trees = rounds.map(({ tree }) => tree ?? null);
  return {
    text: last ? lastSaid(last.messages) : '',
    incomplete: last?.incomplete ?? [],
    ...(last?.outcome ? toOutcomeDocument(last.outcome) : {}),
    ...head,
    ...(rounds[0]?.tree ? { startedAt: rounds[0].tree.startedAt } : {}),
    workMs: workMsOf(rounds),
    sessionId: head.id,
    rounds: head.resumptions + 1,
    usage: ledger.total,
    ledger,
    trace: last?.tree?.trace ?? null,
    tree: last?.tree ?? null,
    earlier: trees.slice(0, -1),
  };
}

function toText(session: KeptSession, storeFlag: string, terminal: Terminal): readonly string[] {
  const { rounds } = session;
  return [
    ...toHead(session),
    ...toWaits(session, storeFlag),
    ...rounds.flatMap((round) => toRound(round, rounds.length > 1)),
    '',
    ...toFigures(session, terminal),
  ];
}

function toHead({ head }: KeptSession): readonly string[] {
  const { id, agent, source, status, limit, incompleteCount, resumptions, owner, user, headend, title, failure } = head;
  const whose = [owner ?? 'none', ...(user === undefined ? [] : [`for ${user}`])].join(' ');
  const ended = limit === undefined ? status : `${status} (${limit})`;
  const rows: readonly (readonly [string, string])[] = [
    ['session', id],
    ['agent', source === undefined ? agent : `${agent} (${source})`],
    ['status', incompleteCount === undefined ? ended : `${ended}, incomplete`],
    ['begun', toSpan(head)],
    ['rounds', String(resumptions + 1)],
    ['belongs to', `${whose}, through ${headend}`],
    ...(title === undefined || title === '' ? [] : [['asked', title] as const]),
    ...(failure ? [['failed', `${failure.class}: ${failure.message}`] as const] : []),
  ];
  return rows.map(([name, value]) => `${name.padEnd(11)} ${oneLine(value)}`);
}

function toWaits({ head }: KeptSession, storeFlag: string): readonly string[] {
  const how = (words: string) => `${resumeWith(head, words)}${storeFlag}`;
  if (head.question) {
    const answer = head.question.type === 'approval' ? '--answer yes' : '--answer "…"';
    return ['', 'It asks:', ...toLines(head.question).map(toPrintable), `Answer it: ${how(answer)}`];
  }
  return isUnfinished(head) ? ['', `Go on with it: ${how('"…"')}`, 'The message may be left out.'] : [];
}

function toRound(round: Round, isNumbered: boolean): readonly string[] {
  const { tree, outcome, messages } = round;
  const heading = isNumbered ? [toHeading(round)] : [];
  const drawn = tree ? drawOpTree(toKeptTree(tree, { isBrief: true, isInterrupted: false })) : [];
  const answer = outcome ? answerOf(outcome) : lastSaid(messages);
  const missing = toIncompleteLines(outcome ?? { status: 'failed', incomplete: round.incomplete });
  return ['', ...heading, ...drawn, ...(answer === '' ? [] : ['', toPrintable(answer)]), ...missing];
}

function answerOf(outcome: NonNullable<Round['outcome']>): string {
  const report = jsonReportOf(outcome);
  return report === undefined ? outcome.text : JSON.stringify(report, null, 2);
}

/** Of one that broke off. */
function lastSaid(messages: Round['messages']): string {
  const last = messages.findLast((message) => message.role === 'assistant');
  return last?.role === 'assistant' ? textOf(last) : '';
}

function toFigures({ rounds, ledger }: KeptSession, { stdout }: Terminal): readonly string[] {
  if (ledger.entries.length === 0) return [];
  const width = stdout.isTTY ? sizeOf(stdout).columns - 1 : 200;
  return toUsageTable({
    ledger,
    durationMs: workMsOf(rounds),
    width,
    isColoured: false,
  });
}

/** While somebody worked on it: not while it waited for the next round. */
function workMsOf(rounds: readonly Round[]): number {
  return rounds.reduce((sum, { workMs }) => sum + workMs, 0);
}
