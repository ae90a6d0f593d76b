// A question as a person reads it, and what they type as the answer that it wants.

import { isObject, type Json, type JsonObject, type JsonSchema, oneLine, type Question } from '@ai-agent/core';
import { toPrintable } from '../../render/printable.ts';

export interface Form {
  readonly lines: readonly string[];
  readonly prompt: string;
  /** What an empty line means; without it, nothing yet. */
  readonly empty?: Json;
  read(line: string): Typed;
}

/** An answer, or a sentence about why it is none. */
export type Typed = { readonly answer: Json } | { readonly wrong: string };

export function toForm(question: Question): Form {
  if (question.type === 'approval') return approval(question);
  const { lines, ...form } = toValueForm(question.schema ?? { type: 'string' }, question.choices);
  return { ...form, lines: [...toHead(question), ...lines] };
}

/** Who asks what. */
export function toHead({ agentName, text }: Question): readonly string[] {
  return [`${oneLine(agentName)} asks:`, ...paragraph(text)];
}

/** One value of which this is known. Its lines say what it may be, where that takes any. */
export function toValueForm(schema: JsonSchema, given?: readonly string[]): Form {
  const wanted = { schema, ...(given ? { choices: given } : {}) };
  const lines = wantedBy(wanted);
  const choices = choicesOf(wanted);
  if (choices) return { ...choice(choices), lines };
  const { type } = schema as { readonly type?: unknown };
  if (type === 'string') return { lines, prompt: '> ', read: (line) => ({ answer: line }) };
  if (type === 'boolean') return { lines, prompt: '[yes/no] ', read: readYes };
  if (type === 'number' || type === 'integer') return { lines, prompt: 'A number: ', read: readNumber };
  return { lines, prompt: 'JSON: ', read: (line) => readJson(line, type) };
}

/** The same for whoever reads it later, and has nowhere to type. */
export function toLines(question: Question): readonly string[] {
  if (question.type === 'approval') return approval(question).lines;
  return [bounded(toPrintable(question.text), longestText), ...wantedBy(question)];
}

/** What an answer has to be, where that takes a line. */
function wantedBy(question: Wanted): readonly string[] {
  const choices = choicesOf(question);
  if (choices) return choices.map(numbered);
  const { type } = (question.schema ?? { type: 'string' }) as { readonly type?: unknown };
  if (['string', 'boolean', 'number', 'integer'].includes(type as string)) return [];
  return [`The answer is JSON: ${bounded(oneLine(JSON.stringify(question.schema)), 500)}`];
}

const longestText = 4_000;
const longestChoice = 300;
const mostArguments = 20;

/** Set in, so that no text of a model can pass for a line of ours. */
function paragraph(text: string): readonly string[] {
  return bounded(toPrintable(text), longestText)
    .split('\n')
    .map((line) => `  ${line}`);
}

/** Of what is longer the head and the tail: what matters may stand at the end. */
export function bounded(text: string, longest: number): string {
  if (text.length <= longest) return text;
  const tail = Math.floor(longest / 4);
  return `${text.slice(0, longest - tail)} … (${text.length - longest} characters left out) … ${text.slice(-tail)}`;
}

type Wanted = Pick<Question, 'choices' | 'schema'>;

function choicesOf({ choices, schema }: Wanted): readonly string[] | undefined {
  if (choices) return choices;
  const { enum: values } = (schema ?? {}) as { readonly enum?: unknown };
  const isList = Array.isArray(values) && values.length > 0 && values.every((value) => typeof value === 'string');
  return isList ? (values as string[]) : undefined;
}

function numbered(text: string, i: number): string {
  return `  ${i + 1}. ${bounded(oneLine(text), longestChoice)}`;
}

function choice(choices: readonly string[]): Omit<Form, 'lines'> {
  return {
    prompt: `1-${choices.length}: `,
    read(line) {
      const word = line.toLowerCase();
      // Words first: they may be numbers too.
      const chosen =
        choices.find((text) => text === line) ??
        choices.find((text) => text.trim().toLowerCase() === word) ??
        (/^\d+$/.test(line) ? choices[Number(line) - 1] : undefined);
      if (chosen !== undefined) return { answer: chosen };
      return { wrong: `Choose one of them: a number from 1 to ${choices.length}, or the word.` };
    },
  };
}

function readYes(line: string): Typed {
  if (/^(y|yes|true)$/i.test(line)) return { answer: true };
  return /^(n|no|false)$/i.test(line) ? { answer: false } : { wrong: 'Answer yes or no.' };
}

function readNumber(line: string): Typed {
  const number = Number(line);
  return Number.isFinite(number) ? { answer: number } : { wrong: 'Answer with a number.' };
}

/** A form that takes texts too, or says nothing about it, is left to judge by itself. */
function readJson(line: string, type: unknown): Typed {
  if (type !== 'object' && type !== 'array') return { answer: line };
  try {
    return { answer: JSON.parse(line) as Json };
  } catch {
    return { wrong: 'This is not JSON. Write it on one line.' };
  }
}

function approval({ agentName, text, call }: Question): Form {
  const asked = call
    ? [`${oneLine(agentName)} wants to call ${oneLine(call.tool)}:`, ...argumentLines(call.args)]
    : [`${oneLine(agentName)} asks for leave:`, ...paragraph(text)];
  const deny = (reason: string): JsonObject => ({ isApproved: false, reason });
  return {
    lines: asked,
    prompt: 'Allow it? [y/N] ',
    empty: deny(''),
    read(line) {
      if (/^(y|yes)$/i.test(line)) return { answer: true };
      const [, reason] = /^(?:no|n)(?:[\s,.:;-]+(?:because\s+)?(.*))?$/i.exec(line) ?? [undefined, undefined];
      if (reason !== undefined || /^(n|no)$/i.test(line)) return { answer: deny(reason ?? '') };
      return { wrong: 'Answer y or n; after n you may say why.' };
    },
  };
}

function argumentLines(args: JsonObject): readonly string[] {
  const all = Object.entries(isObject(args) ? args : {});
  if (all.length === 0) return ['  (no arguments)'];
  const shown = all.slice(0, mostArguments).map(([name, value]) => `  ${oneLine(name)}: ${toArgument(value)}`);
  const rest = all.slice(mostArguments);
  if (rest.length === 0) return shown;
  return [...shown, `  … and ${rest.length} arguments more: ${toArgument(Object.fromEntries(rest))}`];
}

/** Leave is given for what is read: nothing is pushed out of sight. */
function toArgument(value: Json | undefined): string {
  const text = oneLine(JSON.stringify(value) ?? '');
  return bounded(
    text.replace(blanks, (found) => ` ‹${found.length} spaces› `),
    longestText,
  );
}

/** More than anybody needs in a row; also letters that look like a space. */
const blanks = /[\p{Zs}\u115f\u1160\u2800\u3164\uffa0]{4,}/gu;
