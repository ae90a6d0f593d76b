// A form of several fields, asked one after the other: nobody has to write JSON for it.

import { isObject, type Json, type JsonObject, type JsonSchema, oneLine, type Question } from '@ai-agent/core';
import { bounded, type Form, toValueForm } from './question-form.ts';

export interface Field {
  readonly name: string;
  /** What is asked, set in; then what an answer may be. */
  readonly lines: readonly string[];
  readonly form: Pick<Form, 'prompt' | 'read'>;
  /** Whether an empty line leaves it out. */
  readonly isOptional: boolean;
}

const mostFields = 20;

/** Undefined for what is no form: not an object, without fields, or with fields inside fields. */
export function fieldsOf({ schema }: Pick<Question, 'schema'>): readonly Field[] | undefined {
  const { type, properties, required } = schema ?? {};
  if (type !== 'object' || !isObject(properties)) return undefined;
  const fields = Object.entries(properties);
  if (fields.length === 0 || fields.length > mostFields || !fields.every(([, field]) => isPlain(field)))
    return undefined;
  const needed = Array.isArray(required) ? required : [];
  return fields.map(([name, field]) => toField(name, field as JsonSchema, !needed.includes(name)));
}

function isPlain(field: unknown): boolean {
  if (!isObject(field)) return false;
  return ['string', 'number', 'integer', 'boolean'].includes(String(field.type)) || wordsIn(field) !== undefined;
}

function toField(name: string, field: JsonSchema, isOptional: boolean): Field {
  const { title, description, default: usual } = field;
  const words = wordsIn(field);
  const { lines, ...form } = toValueForm(words ? { ...field, type: 'string', enum: words } : field);
  const about = [title, description].filter((text) => typeof text === 'string' && text !== '').join(': ');
  const usually = usual === undefined ? 'leaves it out' : `for ${oneLine(JSON.stringify(usual))}`;
  const empty = isOptional ? ` (Enter ${usually})` : '';
  const head = `  ${oneLine(name)}${about === '' ? '' : `, ${bounded(oneLine(about), 500)}`}${empty}`;
  return { name, lines: [head, ...lines], form, isOptional };
}

/** What a field may be, in words: `enum`, or a list of `const` with titles. */
function wordsIn({ enum: values, oneOf }: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const given = Array.isArray(oneOf) ? oneOf.map((one) => (isObject(one) ? one.const : undefined)) : values;
  const isWords = Array.isArray(given) && given.length > 0 && given.every((one) => typeof one === 'string');
  return isWords ? (given as readonly string[]) : undefined;
}

export interface Filling {
  /** The next line that was typed; nothing when no more will come. */
  readonly nextLine: (prompt: string) => Promise<string | undefined>;
  readonly say: (text: string) => void;
}

/** Every field in turn. Undefined when the person does without. */
export async function fillIn(fields: readonly Field[], filling: Filling): Promise<JsonObject | undefined> {
  const answer: Record<string, Json> = {};
  for (const field of fields) {
    filling.say(field.lines.join('\n'));
    const value = await fillField(field, filling);
    if (value === 'nothing') return undefined;
    if ('answer' in value) answer[field.name] = value.answer;
  }
  return answer;
}

type Filled = { readonly answer: Json } | { readonly isLeftOut: true } | 'nothing';

async function fillField({ form, isOptional }: Field, { nextLine, say }: Filling): Promise<Filled> {
  for (let isWarned = false; ; ) {
    const line = await nextLine(form.prompt);
    if (line === undefined) return 'nothing';
    if (line === '' && isOptional) return { isLeftOut: true };
    if (line === '' && isWarned) return 'nothing';
    isWarned = line === '';
    const typed = isWarned
      ? { wrong: 'It is needed. Press Enter once more to go on without any answer.' }
      : form.read(line);
    if ('answer' in typed) return typed;
    say(typed.wrong);
  }
}
