// A report composed from results: the task as a heading, then what each tool gave, or why it gave nothing.

import type { OutputContract } from '@ai-agent/core';
import { headingOf } from './brief.ts';
import { labelOf } from './calls.ts';
import type { Conversation, PastCall } from './conversation.ts';
import { readableOf } from './material.ts';
import { capitalize, cut, firstSentences, listed, sentencesOf, withoutMarks } from './sentences.ts';

/** Under everything people read as a report, so that nobody takes it for thought. */
export const closingLine = '(offline/demo: composed by rule, without a language model)';

export const incomplete = 'A limit ended the work here, so this may be incomplete.';

export interface Section {
  readonly label: string;
  readonly text: string;
  readonly isFailed: boolean;
}

export function composeReport(conversation: Conversation, format: OutputContract['format']): string {
  const heading = headingOf(readableOf(conversation.prompt));
  const sections = joinEqual(sectionsOf(conversation)).map((section) => toParagraph(section, heading, format));
  const missing = conversation.isLast ? [incomplete] : [];
  return [format === 'markdown' ? `# ${heading}` : heading, ...sections, ...missing, closingLine].join('\n\n');
}

/** One per tool: what its last call came to. */
export function sectionsOf({ calls }: Conversation): readonly Section[] {
  const last = new Map<string, PastCall>();
  for (const call of calls) last.set(call.name, call);
  return [...last.values()].map((call) => ({
    label: labelOf(call.name),
    text: call.isError ? failureOf(call.text) : withoutFrame(readableOf(call.text)),
    isFailed: call.isError,
  }));
}

/** Single statements from what went well. */
export function pointsOf(conversation: Conversation): readonly string[] {
  const texts = sectionsOf(conversation).filter(({ isFailed }) => !isFailed);
  const sentences = texts.flatMap(({ text }) => statementsOf(text).slice(0, 4));
  return [...new Set(sentences)].map((sentence) => cut(capitalize(sentence), 300));
}

/** Full sentences that are no questions; of a text that has none, whatever it has. */
function statementsOf(text: string): readonly string[] {
  const all = sentencesOf(text);
  const full = all.filter((sentence) => /[.!…]["')\]]?$/.test(sentence));
  return (full.length > 0 ? full : all).map((sentence) => sentence.replace(/^[QA]: /, ''));
}

/** Those who said the same are heard once. */
function joinEqual(sections: readonly Section[]): readonly Section[] {
  const groups = Map.groupBy(sections, ({ text, isFailed }) => `${isFailed} ${text}`);
  return [...groups.values()].map((group) => ({
    ...(group[0] as Section),
    label: listed(group.map(({ label }) => label)),
  }));
}

function toParagraph({ label, text, isFailed }: Section, heading: string, format: OutputContract['format']): string {
  const extract = isFailed ? text : extractOf(text, heading, format);
  if (format === 'markdown') return `## ${label}${isFailed ? ' (failed)' : ''}\n\n${extract}`;
  if (isFailed) return `${label} failed: ${extract}`;
  return extract.includes('\n') ? `${label}:\n${extract}` : `${label}: ${extract}`;
}

/** A short result as it is; of a long one the first sentences. */
function extractOf(text: string, heading: string, format: OutputContract['format']): string {
  const lines = text.split('\n').filter((line) => withoutMarks(line) !== heading);
  const kept = format === 'markdown' ? lines.map(toMarkdown) : lines.map(unmarked);
  const whole = kept
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  if (whole === '') return 'gave nothing back.';
  return whole.length <= 600 ? whole : firstSentences(whole, 500);
}

/** A heading goes below ours; a line that is no part of a list becomes a paragraph, or it would run into the next. */
function toMarkdown(line: string): string {
  const lower = line.replace(/^#+ /, '### ');
  return /^\s*(?:[-*+|>]|\d+[.)]|$)/.test(line) ? lower : `${lower}\n`;
}

/** Lists stay lists; other marks of Markdown mean nothing in plain text. */
function unmarked(line: string): string {
  return /^\s*(?:[-*+]|\d+[.)])\s/.test(line) ? line.replace(/\*\*|`/g, '') : withoutMarks(line);
}

function withoutFrame(text: string): string {
  return text.replaceAll(closingLine, '').trim();
}

/** The reason alone: the advice after it was for the model, and there is none here to take it. */
function failureOf(text: string): string {
  const reason = (text.split('\n', 1)[0] ?? '').replace(/^Failed(?: \(\w+\))?: /, '');
  return cut(reason || 'it gave no reason.', 300);
}
