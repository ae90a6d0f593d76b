// A question as a person reads it, and what they type as the answer that it wants.

import { isObject, type Json, type JsonObject, type JsonSchema, oneLine, type Question } from '@ai-agent/core';
import { toPrintable } from '../../render/printable.ts';
import { bounded } from './bounded.ts';
import { boundsOf, brokenBy, inWords } from './question-bounds.ts';
import { type Choice, choicesIn, chooseOne, chooseSeveral, type Typed, toChoice, toList } from './question-choices.ts';

export interface Form {
  readonly lines: readonly string[];
  readonly prompt: string;
  /** What an empty line means; without it, nothing yet. */
  readonly empty?: Json;
  /** Whether data is typed, of whatever type. @default false */
  readonly isJson?: boolean;
  read(line: string): Typed;
}

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
  const { read, ...asking } = toAsking(wanted);
  const bounds = boundsOf(schema);
  return {
    ...asking,
    lines: wantedBy(wanted),
    read(line) {
      const typed = read(line);
      const broken = 'answer' in typed ? brokenBy(typed.answer, bounds) : undefined;
      return broken === undefined ? typed : { wrong: broken };
    },
  };
}

function toAsking(wanted: Wanted): Omit<Form, 'lines'> {
  const [one, several] = [choicesOf(wanted), severalOf(wanted)];
  if (one) return chooseOne(one);
  if (several) return chooseSeveral(several);
  const type = typeOf(wanted);
  if (type === 'string') return { prompt: '> ', read: (line) => ({ answer: line }) };
  if (type === 'boolean') return { prompt: '[yes/no] ', read: readYes };
  if (type === 'number' || type === 'integer') return { prompt: 'A number: ', read: readNumber };
  return { prompt: 'JSON: ', isJson: true, read: (line) => readJson(line, type) };
}

/** The same for whoever reads it later, and has nowhere to type. */
export function toLines(question: Question): readonly string[] {
  if (question.type === 'approval') return approval(question).lines;
  return [bounded(toPrintable(question.text), longestText), ...wantedBy(question)];
}

/** What an answer has to be, where that takes a line. */
function wantedBy(wanted: Wanted): readonly string[] {
  const schema = wanted.schema ?? aText;
  const choices = choicesOf(wanted) ?? severalOf(wanted);
  const bounds = inWords(boundsOf(schema));
  const must = bounds === undefined ? [] : [`  ${bounds}`];
  if (choices) return [...toList(choices), ...must];
  if (['string', 'boolean', 'number', 'integer'].includes(String(typeOf(wanted)))) return must;
  return [`The answer is JSON: ${bounded(oneLine(JSON.stringify(schema)), 500)}`];
}

const aText: JsonSchema = { type: 'string' };

/** Of `string` or nothing: `string`. */
function typeOf({ schema = aText }: Wanted): unknown {
  const { type } = schema;
  const something = Array.isArray(type) ? type.filter((one) => one !== 'null') : [type];
  return something.length === 1 ? something[0] : type;
}

const longestText = 4_000;
const mostArguments = 20;

/** Set in, so that no text of a model can pass for a line of ours. */
function paragraph(text: string): readonly string[] {
  return bounded(toPrintable(text), longestText)
    .split('\n')
    .map((line) => `  ${line}`);
}

type Wanted = Pick<Question, 'choices' | 'schema'>;

function choicesOf({ choices, schema }: Wanted): readonly Choice[] | undefined {
  return choices ? choices.map((text) => toChoice(text)) : choicesIn(schema ?? {});
}

/** Of a list of words. */
function severalOf(wanted: Wanted): readonly Choice[] | undefined {
  const { items } = wanted.schema ?? {};
  return typeOf(wanted) === 'array' && isObject(items) ? choicesIn(items as JsonSchema) : undefined;
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
