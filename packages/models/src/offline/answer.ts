// An answer without tools: taken from the request's own sentences, or an honest word that there is nothing to take.

import { defaultTexts, type OutputContract } from '@ai-agent/core';
import { type Brief, factsOf, headingOf, isOrder, productsFor, readBrief, topicOf } from './brief.ts';
import type { Conversation } from './conversation.ts';
import { readableOf } from './material.ts';
import { closingLine, incomplete } from './report.ts';
import { capitalize, contentWords, cut, listed, pickInformative, sentencesOf } from './sentences.ts';

export interface Asked {
  readonly system: string;
  readonly conversation: Conversation;
  readonly format: OutputContract['format'];
}

export function answerAlone(asked: Asked): string {
  const { files, isLast } = asked.conversation;
  const points = pointsAlone(asked);
  const unread = files.length > 0 ? [`Not read, because nothing here can: ${listed(files)}.`] : [];
  const missing = isLast ? [incomplete] : [];
  return [...(points.length > 0 ? points : [admission(asked)]), ...unread, ...missing, closingLine].join('\n\n');
}

/** What can be said by rule alone; nothing when the request is only a question or an order. */
export function pointsAlone({ conversation, system, format }: Asked): readonly string[] {
  const request = readableOf(conversation.prompt);
  const statements = statementsOf(request);
  const most = statements.length < 4 ? statements.length : Math.min(4, Math.ceil(statements.length / 2));
  const picked = pickInformative(statements, most).map((sentence) => toSentence(cut(capitalize(sentence), 500)));
  const brief = readBrief(request);
  if (brief && brief.facts.length > 0) return [...fromBrief(brief, system, format), ...picked];
  if (picked.length > 0) return format === 'json' ? picked : [picked.join(' ')];
  const known = pickKnown(request, system);
  return known ? [`The instructions say: ${known}`] : [];
}

/** The first sentence of the instructions, which by custom says who the agent is. */
function roleOf(system: string): string {
  return cut(sentencesOf(ownWords(system))[0] ?? '', 200);
}

function statementsOf(request: string): readonly string[] {
  return sentencesOf(request)
    .map((sentence) => (isOrder(sentence) ? afterColon(sentence) : sentence))
    .filter((sentence) => sentence.split(' ').length > 2 && !sentence.endsWith('?'));
}

/** `Summarise this: …` gives an order first, and then something to work on. */
function afterColon(sentence: string): string {
  const end = sentence.indexOf(': ');
  return end > 0 && end < 60 ? sentence.slice(end + 2).trim() : '';
}

function fromBrief(brief: Brief, system: string, format: OutputContract['format']): readonly string[] {
  const products = productsFor(system, brief);
  const title = capitalize(`${listed(products)} ${brief.about}`);
  const topic = topicOf(brief);
  const statement = `${capitalize(topic)} ${listed(brief.facts)}.`;
  if (format === 'json') return factsOf(brief);
  const isDialogue = products.length === 1 && /faq|question/i.test(title);
  const body = isDialogue ? [`Q: What does ${topic} bring?`, `A: ${statement}`] : [statement];
  return format === 'markdown' ? [`# ${title}`, ...body] : [[title, ...body].join('\n')];
}

/** A sentence of the instructions that shares enough words with the question to answer it. */
function pickKnown(request: string, system: string): string | undefined {
  const asked = new Set(contentWords(request));
  const known = sentencesOf(ownWords(system))
    .slice(1)
    .filter((sentence) => !isOrder(sentence));
  return known.find((sentence) => new Set(contentWords(sentence).filter((word) => asked.has(word))).size >= 2);
}

function admission({ conversation, system }: Asked): string {
  const role = roleOf(system);
  const request = readableOf(conversation.prompt).trim();
  return [
    ...(role ? [`Instructed: “${toSentence(role)}”`] : []),
    ...(request === '' ? ['Nothing was asked.'] : []),
    `There is no language model behind this demonstration${rest(request)}`,
  ].join(' ');
}

function rest(request: string): string {
  if (request === '') return '.';
  if (request.endsWith('?')) return `, so it has no answer to “${cut(sentencesOf(request).at(-1) ?? request, 200)}”`;
  return `, so it can only pass on what was asked: ${toSentence(headingOf(request))}`;
}

/** The instructions without the sentences that core adds for tools and contracts. */
function ownWords(system: string): string {
  const added = [defaultTexts.dataMark, defaultTexts.markdownContract, defaultTexts.jsonContract(undefined)];
  return system
    .split(/\n{2,}/)
    .filter((paragraph) => !added.some((text) => paragraph.startsWith(text.slice(0, 40))))
    .join('\n\n');
}

function toSentence(text: string): string {
  return /[.!?…]["')\]]?$/.test(text) ? text : `${text}.`;
}
