// What it says in the end: a report composed from results, or an answer taken from the request's own sentences.

import { defaultTexts, type OutputContract } from '@ai-agent/core';
import {
  type Brief,
  capitalize,
  cut,
  listed,
  pickLongest,
  readBrief,
  sentencesOf,
  toSentence,
  withoutMarks,
} from './brief.ts';
import { labelOf } from './calls.ts';
import type { Conversation, PastCall } from './conversation.ts';
import { readableOf, wordsIn } from './material.ts';

/** Under everything people read as a report, so that nobody takes it for thought. */
const closingLine = '(offline/demo: composed by rule, without a language model)';

const incomplete = 'A limit ended the work here, so this may be incomplete.';

export function composeReport(conversation: Conversation, format: OutputContract['format']): string {
  const { heading } = readBrief(wordsIn(conversation.prompt));
  const paragraphs = lastCalls(conversation).map((call) => toParagraph(call, heading, format));
  const missing = conversation.isLast ? [incomplete] : [];
  return [format === 'markdown' ? `# ${heading}` : heading, ...paragraphs, ...missing, closingLine].join('\n\n');
}

/** Results as they came, of what went well. */
export function resultsOf(conversation: Conversation): readonly string[] {
  return lastCalls(conversation).flatMap((call) => (call.isError ? [] : [withoutFrame(call.text)]));
}

/** Single statements from them. */
export function pointsOf(conversation: Conversation): readonly string[] {
  const sentences = resultsOf(conversation).flatMap((text) => statementsOf(wordsIn(text)).slice(0, 4));
  return [...new Set(sentences)].map((sentence) => cut(capitalize(sentence), 300));
}

/** Full sentences; of a text that has none, whatever it has. */
function statementsOf(text: string): readonly string[] {
  const all = sentencesOf(text).map((sentence) => sentence.replace(/^[QA]: /, ''));
  const full = all.filter((sentence) => /[.!…]["')\]]?$/.test(sentence));
  return full.length > 0 ? full : all;
}

/** One per tool: what it came to in the end. */
function lastCalls({ calls }: Conversation): readonly PastCall[] {
  return [...new Map(calls.map((call) => [call.name, call])).values()];
}

function toParagraph({ name, text, isError }: PastCall, heading: string, format: OutputContract['format']): string {
  const label = labelOf(name);
  const extract = isError ? failureOf(text) : extractOf(withoutFrame(readableOf(text)), heading, format);
  if (format === 'markdown') return `## ${label}${isError ? ' (failed)' : ''}\n\n${extract}`;
  if (isError) return `${label} failed: ${extract}`;
  return extract.includes('\n') ? `${label}:\n${extract}` : `${label}: ${extract}`;
}

/** A short result as it is, of a long one the beginning; without a heading that is ours. */
function extractOf(text: string, heading: string, format: OutputContract['format']): string {
  const lines = text.slice(0, 5000).split('\n');
  const own = lines.filter((line) => withoutMarks(line) !== heading);
  const shown = own.map(format === 'markdown' ? toMarkdown : (line) => line.replace(/^#+ |\*\*|`/g, ''));
  const whole = shown.join('\n').replace(/\n{3,}/g, '\n\n');
  return cut(whole.trim(), 600) || 'gave nothing back.';
}

/** A heading goes below ours; a line that is no part of a list becomes a paragraph, or it would run into the next. */
function toMarkdown(line: string): string {
  return /^\s*(?:[-*+|>]|\d+[.)]|$)/.test(line) ? line : `${line.replace(/^#+ /, '### ')}\n`;
}

function withoutFrame(text: string): string {
  return text.replaceAll(closingLine, '').trim();
}

/** The reason alone: the advice after it was for the model, and there is none here to take it. */
function failureOf(text: string): string {
  const reason = (text.split('\n', 1)[0] ?? '').replace(/^Failed(?: \([\w-]+\))?: /, '');
  return cut(reason || 'it gave no reason.', 300);
}

interface Asked {
  readonly system: string;
  readonly conversation: Conversation;
  readonly format: OutputContract['format'];
}

export function answerAlone({ system, conversation, format }: Asked): string {
  const { prompt, files, isLast } = conversation;
  const request = wordsIn(prompt).trim();
  const instructions = ownWords(system);
  const brief = readBrief(request, instructions);
  return [
    ...(extract(brief, format) ?? admission(request, instructions)),
    ...(files.length > 0 ? [`Not read, because nothing here can: ${listed(files)}.`] : []),
    ...(isLast ? [incomplete] : []),
    closingLine,
  ].join('\n\n');
}

/** What the request itself states; nothing when it is only a question or an order. */
function extract({ heading, topic, said, statements }: Brief, format: OutputContract['format']) {
  const most = statements.length < 4 ? statements.length : Math.min(4, Math.ceil(statements.length / 2));
  const picked = pickLongest(statements, most).map((sentence) => toSentence(cut(capitalize(sentence), 500)));
  const facts = [...(said.length > 0 ? [`${capitalize(topic)} ${listed(said)}.`] : []), ...picked].join(' ');
  if (facts === '') return undefined;
  if (topic === '') return [facts];
  const isDialogue = /faq|question/i.test(heading) && !heading.includes(' and ');
  const body = isDialogue ? [`Q: What does ${topic} bring?`, `A: ${facts}`] : [facts];
  return format === 'markdown' ? [`# ${heading}`, ...body] : [[heading, ...body].join('\n')];
}

function admission(request: string, instructions: string): readonly string[] {
  const [role = ''] = sentencesOf(instructions);
  const asked = cut(sentencesOf(request).at(-1) ?? request, 200);
  const rest = request.endsWith('?')
    ? `, so it has no answer to “${asked}”`
    : `, so it can only pass on what was asked: ${toSentence(readBrief(request).heading)}`;
  const sentences = [
    ...(role ? [`Instructed: “${toSentence(cut(role, 200))}”`] : []),
    `There is no language model behind this demonstration${rest}`,
  ];
  return [sentences.join(' ')];
}

/** The instructions without the sentences that core adds for tools and contracts. */
export function ownWords(system: string): string {
  const added = [defaultTexts.dataMark, defaultTexts.markdownContract, defaultTexts.jsonContract(undefined)];
  return system
    .split(/\n{2,}/)
    .filter((paragraph) => !added.some((text) => paragraph.startsWith(text.slice(0, 40))))
    .join('\n\n');
}
