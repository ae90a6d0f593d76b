// A reply in words as the answer that it means: a choice however it is written or by its place, yes and no as people say them.

import { AgentError, type Json, type Question, readAnswer } from '@ai-agent/core';
import { fieldsOf } from './form-fields.ts';
import { choicesOf } from './question-blocks.ts';

/** The same, for who waits for it. Throws `answer-invalid` where words are no answer, with what to do instead. */
export function readReply(question: Question, words: string, all: string): Json {
  const answer = toAnswer(question, words, all);
  const trouble = typeof answer === 'string' ? troubleWith(question, answer) : undefined;
  if (trouble === undefined) return answer;
  throw new AgentError('answer-invalid', trouble, { remedy: 'It still waits for that.' });
}

function troubleWith(question: Question, words: string): string | undefined {
  if (question.type === 'approval') return 'Say yes or no, or press a button.';
  if (fieldsOf(question.schema) === undefined || fits(question, words)) return undefined;
  return 'This is answered in a form: press Answer, and fill it in.';
}

/** Who can write data may. */
function fits(question: Question, words: string): boolean {
  try {
    readAnswer(question, words);
    return true;
  } catch {
    return false;
  }
}

/** What cannot be read is given as it is: then whoever reads it says what is wrong with it. `all` is that with what came along, where words of one's own are an answer. */
export function toAnswer(question: Question, words: string, all = words): Json {
  const said = words.trim();
  const { type, schema } = question;
  if (type === 'approval') return toApproval(said) ?? said;
  if (schema?.type === 'boolean') return yes.test(said) ? true : bareNo.test(said) ? false : said;
  const choices = choicesOf(question);
  const label = toChoice(
    choices.map((choice) => choice.label),
    said,
  );
  const isFree = schema === undefined || schema.type === 'string';
  return choices.find((choice) => choice.label === label)?.answer ?? (isFree ? all.trim() : said);
}

const yes =
  /^(?:y|yes|yep|yeah|ok|okay|sure|true|approve|approved|allow|go ahead|do it)(?:[\s,]+(?:please|thanks|thank you|go ahead|do it|approved?))*[.!]*$/i;
const noWords = "(?:n|no|nope|false|deny|denied|decline|declined|refuse|reject|do not|don['’]t)";
const no = new RegExp(String.raw`^${noWords}\b[\s,.:;!-]*(.*)$`, 'is');
const bareNo = new RegExp(String.raw`^${noWords}(?:[\s,]+(?:please|thanks|thank you))*[.!]*$`, 'i');

/** Leave is given by a plain yes alone; a no may say why. */
function toApproval(said: string): Json | undefined {
  if (yes.test(said)) return { isApproved: true, reason: '' };
  const [, reason] = no.exec(said) ?? [];
  return reason === undefined ? undefined : { isApproved: false, reason: reason.trim() };
}

function toChoice(choices: readonly string[], said: string): string | undefined {
  const plain = toPlain(said);
  const same = choices.filter((choice) => toPlain(choice) === plain);
  const [only] = choices.includes(said) ? [said] : same.length === 1 ? same : [];
  // Where choices are numbers, a number is meant as one of them.
  if (only !== undefined || choices.some(isNumber)) return only;
  return /^\d{1,4}$/.test(plain) ? choices[Number(plain) - 1] : undefined;
}

function isNumber(choice: string): boolean {
  return /^[+-]?\d+(?:[.,]\d+)*$/.test(toPlain(choice));
}

function toPlain(text: string): string {
  return text
    .trim()
    .replace(/[.!]+$/, '')
    .toLowerCase();
}
