// A form of several fields, asked one after the other: nobody has to write JSON for it.

import { isObject, type Json, type JsonObject, type JsonSchema, oneLine, type Question } from '@ai-agent/core';
import { bounded } from './bounded.ts';
import { type Form, toValueForm } from './question-form.ts';

export interface Field {
  readonly name: string;
  /** What is asked, set in; then what an answer may be. */
  readonly lines: readonly string[];
  readonly form: Pick<Form, 'prompt' | 'read'>;
  /** Whether an empty line leaves it out. */
  readonly isOptional: boolean;
}

const mostFields = 20;

/** Undefined for what is no form: not an object, without fields, or with too many. */
export function fieldsOf({ schema }: Pick<Question, 'schema'>): readonly Field[] | undefined {
  const { type, properties, required } = schema ?? {};
  if (type !== 'object' || !isObject(properties)) return undefined;
  const fields = Object.entries(properties);
  if (fields.length === 0 || fields.length > mostFields) return undefined;
  const needed = Array.isArray(required) ? required : [];
  return fields.map(([name, field]) =>
    toField(name, isObject(field) ? (field as JsonSchema) : {}, !needed.includes(name)),
  );
}

function toField(name: string, field: JsonSchema, isOptional: boolean): Field {
  const { title, description, default: usual } = field;
  const { lines, ...form } = toValueForm(field);
  const about = [title, description].filter((text) => typeof text === 'string' && text !== '').join(': ');
  const usually = usual === undefined ? 'leaves it out' : `for ${oneLine(JSON.stringify(usual))}`;
  const empty = isOptional ? ` (Enter ${usually})` : '';
  const head = `  ${oneLine(name)}${about === '' ? '' : `, ${bounded(oneLine(about), 500)}`}${empty}`;
  return { name, lines: [head, ...lines], form: form.isJson ? { ...form, read: readData(form) } : form, isOptional };
}

/** A field that says no type takes what is data as data, and the rest as text. */
function readData({ read }: Pick<Form, 'read'>): Form['read'] {
  return (line) => {
    const typed = read(line);
    if (!('answer' in typed) || typeof typed.answer !== 'string') return typed;
    try {
      return { answer: JSON.parse(typed.answer) as Json };
    } catch {
      return typed;
    }
  };
}

export interface Filling {
  /** The next line that was typed; nothing when no more will come. */
  readonly nextLine: (prompt: string) => Promise<string | undefined>;
  readonly say: (text: string) => void;
  /** What to do to give no answer at all, and what that comes to. */
  readonly without: string;
}

/** Every field in turn, onto what is known. Undefined when the person does without. */
export async function fillIn(
  fields: readonly Field[],
  filling: Filling,
  known: JsonObject = {},
): Promise<JsonObject | undefined> {
  const answer: Record<string, Json> = { ...known };
  for (const field of fields) {
    filling.say(field.lines.join('\n'));
    const value = await fillField(field, filling);
    if (value === 'nothing') return undefined;
    delete answer[field.name];
    if ('answer' in value) answer[field.name] = value.answer;
  }
  return answer;
}

/** Those that a complaint is about; all when it names none. */
export function fieldsIn(complaint: string, fields: readonly Field[]): readonly Field[] {
  const named = fields.filter(({ name }) => complaint.includes(`"${name}"`) || complaint.includes(`"${name}.`));
  return named.length === 0 ? fields : named;
}

type Filled = { readonly answer: Json } | { readonly isLeftOut: true } | 'nothing';

async function fillField({ form, isOptional }: Field, { nextLine, say, without }: Filling): Promise<Filled> {
  for (let isWarned = false; ; ) {
    const line = await nextLine(form.prompt);
    if (line === undefined) return 'nothing';
    if (line === '' && isOptional) return { isLeftOut: true };
    if (line === '' && isWarned) return 'nothing';
    isWarned = line === '';
    const typed = isWarned ? { wrong: `It is needed. Write it, or ${without}.` } : form.read(line);
    if ('answer' in typed) return typed;
    say(typed.wrong);
  }
}
