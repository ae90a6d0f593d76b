// What a run came to, as messages: the answer, how it ended where it is not simply there, a footer and buttons.

import { type Failure, type Outcome, type Question, type SessionHead, shortCost, shortTokens } from '@ai-agent/core';
import type { types } from '@slack/bolt';
import { endButtons } from '../act/buttons.ts';
import { choicesToRead, isCallCut, toQuestionBlocks } from '../act/question-blocks.ts';
import { toFenced } from '../blocks/fence.ts';
import { escapeMrkdwn, toPlain } from '../blocks/safe-text.ts';
import { type SlackMessage, toMessages } from '../blocks/to-messages.ts';
import type { SlackSettings } from '../settings.ts';
import { limitIn, timeIn } from './figures.ts';
import { incompleteInBrief } from './incomplete.ts';

export interface EndingOptions {
  readonly head: SessionHead;
  readonly asker: string;
  /** Sessions below the root. */
  readonly children: number;
  /** Of the timeline of this session. */
  readonly link: string | undefined;
  /** What somebody is called who stopped or cancelled it. @default nobody is known to have */
  readonly endedBy?: string | undefined;
}

export interface EndingMessages {
  readonly messages: readonly SlackMessage[];
  /** What goes with them, because they do not hold it. */
  readonly files: readonly AddedFile[];
  /** The same where Slack takes one of the messages only without its words. */
  readonly allFiles: readonly AddedFile[];
}

export interface AddedFile {
  readonly name: string;
  readonly text: string;
}

export function toEnding(outcome: Outcome, options: EndingOptions): EndingMessages {
  const { head, asker } = options;
  const about = { session: head.id, round: head.resumptions, asker };
  const said = markdownOf(outcome);
  const footer = toFooter(outcome, options);
  if (outcome.status === 'needs_user_input') {
    const asks = toQuestionBlocks(outcome.question, about);
    const { question } = outcome;
    const words = question.call ? toApprovalWords(question) : toQuestionWords(question);
    const isTold = said.trim() === question.text.trim() || said.trim() === '';
    const text = isTold ? words : `${said}\n\n${words}`;
    const tail = [
      ...(question.agentName === head.agent ? [] : [toNote(`${question.agentName} asks.`)]),
      ...asks,
      footer,
    ];
    return withWhole(text, tail, question);
  }
  const note = noteOf(outcome, options.endedBy);
  const tail = [...(note === undefined ? [] : [toNote(note)]), footer, endButtons(about)];
  return withWhole(said.trim() === '' ? emptyWords(outcome, options.endedBy) : said, tail);
}

/** Of the timeline of a session; undefined where there is no page. */
export function linkOf({ pageUrl }: SlackSettings, { id }: SessionHead): string | undefined {
  return pageUrl === undefined ? undefined : `${pageUrl.replace(/\/+$/, '')}/#/s/${id}`;
}

/** It was not brought to an end: it can be tried again. */
export function toCutOff(words: string, { head, asker }: Pick<EndingOptions, 'head' | 'asker'>): EndingMessages {
  return withWhole(words, [endButtons({ session: head.id, round: head.resumptions, asker })]);
}

/** Why it never began, or cannot be gone on with. */
export function toRefusal(failure: Refused): EndingMessages {
  const remedy = remedyOf(failure);
  return withWhole(failure.message, remedy === undefined ? [] : [toNote(remedy)]);
}

type Refused = Pick<Failure, 'message'> & Partial<Pick<Failure, 'code' | 'remedy' | 'retryAfterMs'>>;

/** In words for people who write here: what programs would do about it is not theirs to do. */
function remedyOf({ code, remedy, retryAfterMs }: Refused): string | undefined {
  if (code === 'agent-unknown')
    return 'Whoever runs the server names another one in the routing of Slack, or serves it.';
  if (retryAfterMs !== undefined) return `Ask again in ${timeIn(Math.max(1_000, retryAfterMs))}.`;
  return code === 'server-full' || code === 'session-busy' ? 'Ask again in a moment.' : remedy;
}

/** In the place of a message that Slack does not take: its words are in the file, its buttons are here. */
export function toStandIn({ blocks }: SlackMessage): SlackMessage {
  const words = 'Slack did not take this part of the answer as it is: the whole of it is in the file.';
  return {
    text: words,
    blocks: [toNote(words), ...blocks.filter(({ type }) => type === 'actions' || type === 'context')],
  };
}

export function toNote(text: string): types.ContextBlock {
  return { type: 'context', elements: [{ type: 'plain_text', text: toPlain(text, 1_900), emoji: false }] };
}

function withWhole(text: string, tail: readonly types.KnownBlock[], question?: Question): EndingMessages {
  const { messages, isCut } = toMessages(text, { tail });
  const answer = { name: 'answer.md', text };
  const call = question?.call && { name: 'call.json', text: `${JSON.stringify(question.call, null, 2)}\n` };
  return {
    messages,
    files: [...(isCut ? [answer] : []), ...(call && question && isCallCut(question) ? [call] : [])],
    allFiles: [answer, ...(call ? [call] : [])],
  };
}

/** The call itself stands below, as data: in words of Markdown it would be read otherwise than it is run. */
function toApprovalWords({ agentName, call }: Question): string {
  return `${agentName} wants to call \`${call?.tool}\`. May it?`;
}

/** As code: choices are read as they are, whatever signs are in them. */
function toQuestionWords(question: Question): string {
  const choices = choicesToRead(question);
  return choices === undefined ? question.text : `${question.text}\n\n${toFenced(choices.join('\n'))}`;
}

/** A report is shown as the data that it is. */
function markdownOf({ text, report, format }: Outcome): string {
  if (report === undefined || format !== 'json') return text;
  return toFenced(JSON.stringify(report, null, 2), 'json');
}

function emptyWords(outcome: Outcome, endedBy: string | undefined): string {
  if (outcome.status === 'failed') return `Failed: ${outcome.failure.message}`;
  if (outcome.status === 'cancelled') return cancelledWords(endedBy);
  return outcome.status === 'partial' ? 'It ended early, without an answer.' : 'It ended without a word.';
}

function cancelledWords(endedBy: string | undefined): string {
  return endedBy === undefined ? 'Cancelled.' : `Cancelled by ${endedBy}.`;
}

/** How it ended, where it is not simply an answer. */
function noteOf(outcome: Outcome, endedBy: string | undefined): string | undefined {
  const hasText = markdownOf(outcome).trim() !== '';
  if (outcome.status === 'partial') return partialNote(outcome.limit, endedBy);
  if (outcome.status === 'cancelled') {
    const why = endedBy === undefined ? [outcome.failure.message] : [];
    return [...(hasText ? [cancelledWords(endedBy)] : []), ...why].join(' ') || undefined;
  }
  if (outcome.status === 'failed') return failureNote(outcome.failure, hasText);
  return outcome.status === 'completed' && outcome.isCached ? 'An earlier answer, given again.' : undefined;
}

function partialNote(limit: string, endedBy: string | undefined): string {
  if (limit !== 'stop') return `Cut short by its limit of ${limitIn(limit)}: this is what it had.`;
  return `It was stopped${endedBy === undefined ? '' : ` by ${endedBy}`}: this is what it had.`;
}

function failureNote({ message, remedy, code }: Failure, hasText: boolean): string {
  const what = hasText ? `Failed (${code}): ${message}` : `Failed (${code}).`;
  return remedy ? `${what} ${remedy}` : what;
}

function toFooter(outcome: Outcome, { head, children, link }: EndingOptions): types.ContextBlock {
  const { usage, startedAt, endedAt } = outcome;
  const below = children === 0 ? undefined : children === 1 ? '1 sub-agent' : `${children} sub-agents`;
  const figures = [
    head.agent,
    shortCost(usage),
    shortTokens(usage),
    timeIn(endedAt - startedAt),
    below,
    incompleteInBrief(outcome),
  ];
  const words = escapeMrkdwn(figures.filter((one) => one !== undefined).join(' · '));
  const timeline = link === undefined ? '' : ` · <${link}|Timeline>`;
  return { type: 'context', elements: [{ type: 'mrkdwn', text: `${words}${timeline}`, verbatim: true }] };
}
