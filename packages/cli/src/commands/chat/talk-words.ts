// What a talk says of itself: its greeting, a line below each answer, and how to go on with it.

import { type Outcome, oneLine, type Question, shortCost, shortTokens } from '@ai-agent/core';
import { inTime } from '../../render/figures.ts';
import { cut, paint } from '../../render/piece.ts';
import { toPrintable } from '../../render/printable.ts';
import { sizeOf } from '../../render/screen.ts';
import type { Terminal } from '../../terminal.ts';
import { bounded } from '../run/bounded.ts';
import { toStoreFlag } from '../run/kept-run.ts';
import { toForm } from '../run/question-form.ts';
import { toShellWord } from '../shell-word.ts';
import { answerOf, type Round } from './rounds.ts';
import type { Talk } from './talk.ts';

type Style = Pick<Terminal, 'stderr' | 'isColoured'>;

/** Lines of ours are dim, beside what agents say. */
export function sayDim(text: string, { stderr, isColoured }: Style): void {
  const width = Number.POSITIVE_INFINITY;
  for (const line of text.split('\n')) stderr.write(`${paint([{ text: line, colour: '2' }], { width, isColoured })}\n`);
}

/** Who it is, what one may say, and where to find the rest. */
export async function greet(talk: Talk, terminal: Style): Promise<void> {
  const { loaded, about, sessions } = talk.setting;
  const { agent, usage } = loaded;
  const what = agent.description === undefined ? '' : `: ${oneLine(toPrintable(agent.description))}`;
  terminal.stderr.write(`${oneLine(about.agent)}${what}\n`);
  if (usage !== undefined) sayDim(`For example: ${oneLine(toPrintable(usage))}`, terminal);
  const { input } = agent;
  if (input?.format === 'json') {
    const schema = input.schema ? `: ${bounded(oneLine(JSON.stringify(input.schema)), 1_000)}` : '';
    sayDim(`It takes JSON, over several lines if need be${schema}`, terminal);
  }
  await sessions?.tryOpen();
  const isKept = sessions && !sessions.unkept;
  tellUnkept(talk, terminal);
  sayDim(
    `Session ${talk.id}${isKept ? '' : ', which is not kept'}. /help says what you can do, Ctrl-D leaves.\n`,
    terminal,
  );
}

/** Once, why the talk is not kept. */
export function tellUnkept(talk: Talk, terminal: Style): void {
  const unkept = talk.whatIsUnkept();
  if (unkept) sayDim(`warning: ${oneLine(unkept.message)}\nWhat to do: ${oneLine(unkept.remedy)}`, terminal);
}

/** The last that was said, in brief. */
export function recall({ rounds, head, setting: { about } }: Talk, terminal: Style): void {
  const last = rounds.at(-1);
  if (!last) return;
  const before = rounds.length - 1;
  if (before > 0) sayDim(before === 1 ? '(1 message before)' : `(${before} messages before)`, terminal);
  sayDim(`you> ${brief(last.said, terminal)}`, terminal);
  const answer = endedAs(last, terminal);
  if (answer !== '') sayDim(`${oneLine(about.agent)}> ${answer}`, terminal);
  if (head?.status === 'interrupted') sayDim('It was interrupted there.', terminal);
  terminal.stderr.write('\n');
}

function endedAs({ outcome }: Round, terminal: Style): string {
  if (!outcome) return '';
  const answer = brief(answerOf(outcome), terminal);
  return answer === '' && 'failure' in outcome ? `(${outcome.status}: ${oneLine(outcome.failure.message)})` : answer;
}

const mostLines = 3;

/** Its first lines, each cut to the window. */
function brief(text: string, { stderr }: Style): string {
  const lines = toPrintable(text).trim().split('\n');
  const width = Math.max(20, sizeOf(stderr).columns - 12);
  const shown = lines.slice(0, mostLines).map((line) => cut(line, width));
  return [...shown, ...(lines.length > mostLines ? ['…'] : [])].join('\n');
}

/** What the next message answers. */
export function tellQuestion(question: Question, { stderr }: Style): void {
  stderr.write(`${toForm(question).lines.join('\n')}\n`);
}

/** `1.2 s · 310 tokens · $0.0012`, in one line. */
export function toFooter(outcome: Outcome): string {
  const { usage, startedAt, endedAt } = outcome;
  if (outcome.status === 'completed' && outcome.isCached) return 'from cache: no model was asked';
  return [
    inTime(endedAt - startedAt),
    shortTokens(usage),
    ...(usage.costUsd === 0 && usage.unknownCostCalls > 0 ? [] : [shortCost(usage)]),
  ].join(' · ');
}

/** Whether the talk got too long for its model on the way. */
export function hasSummedUp({ tree }: Outcome): boolean {
  return tree?.turns.some(({ step }) => (step as string | undefined) === 'summary') === true;
}

/** How to go on with it; nothing where nothing was kept. */
export function toFarewell(talk: Talk, file: string): string | undefined {
  const { sessions } = talk.setting;
  if (!sessions || sessions.unkept || !talk.head) return undefined;
  return `Go on with: ai-agent chat ${toShellWord(file)} --session ${talk.id}${toStoreFlag(sessions)}`;
}
