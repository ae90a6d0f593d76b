// A question as a form: a field for each property of a plain object, else one field for text or JSON.

import { isObject, type Json, type Question } from '@ai-agent/core';
import type { types } from '@slack/bolt';
import { toPlain } from '../blocks/safe-text.ts';
import type { Thread } from '../run/threads.ts';
import { type About, readAbout, readValue } from './buttons.ts';
import { allowedIn, type Field, fieldsOf, inputId, toField, toOne } from './form-fields.ts';

export const formId = 'answer_form';

/** Where the question stands; it comes back with the form. */
export interface FormPlace {
  readonly about: About;
  readonly thread: Thread;
  readonly messageTs: string;
}

/** A form that was sent. */
export interface Form extends FormPlace {
  readonly firstField: string;
  /** Those that there are. */
  names(question: Question): readonly string[];
  /** Its fields as the answer; what is wrong by the id of the field. */
  read(question: Question): { readonly answer: Json } | { readonly refused: Readonly<Record<string, string>> };
}

export function toForm(question: Question, place: FormPlace): types.ModalView {
  const fields = fieldsOf(question.schema);
  const isOne = fields === undefined;
  const blocks = isOne ? [toOne(question)] : fields.map(toField);
  return {
    type: 'modal',
    callback_id: formId,
    title: { type: 'plain_text', text: 'Answer', emoji: false },
    submit: { type: 'plain_text', text: 'Send', emoji: false },
    close: { type: 'plain_text', text: 'Close', emoji: false },
    private_metadata: JSON.stringify({
      ...place.about,
      ...place,
      about: undefined,
      first: isOne ? 'answer' : fields[0]?.name,
    }),
    blocks: [
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: toPlain(question.text, 2_500) }] }],
      },
      ...blocks,
    ],
  };
}

/** Undefined for one that is not ours. */
export function readForm(view: unknown): Form | undefined {
  const { callback_id, private_metadata, state } = view as Record<string, unknown>;
  const read = readValue(private_metadata);
  const about = readAbout(private_metadata);
  const thread = read?.thread as Thread | undefined;
  if (callback_id !== formId || !about || !thread) return undefined;
  const values = (isObject(state) ? state.values : undefined) as Values | undefined;
  return {
    about,
    thread,
    messageTs: String(read?.messageTs),
    firstField: String(read?.first ?? 'answer'),
    names: ({ schema }) => fieldsOf(schema)?.map(({ name }) => name) ?? [],
    read: ({ schema }) => readFields(fieldsOf(schema), values ?? {}),
  };
}

type Values = Readonly<Record<string, Readonly<Record<string, Filled>>>>;

interface Filled {
  readonly value?: unknown;
  readonly selected_option?: Chosen | null;
  readonly selected_options?: readonly Chosen[] | null;
}

type Chosen = { readonly value?: unknown };

function readFields(fields: readonly Field[] | undefined, values: Values): ReturnType<Form['read']> {
  if (!fields) return { answer: String(values.answer?.[inputId]?.value ?? '') };
  const answer: [string, Json][] = [];
  const refused: [string, string][] = [];
  for (const field of fields) {
    const { name, kind } = field;
    const said = saidIn(values, name);
    if (isLeftOut(field, said)) continue;
    const read = readField(field, said);
    if (read === undefined) refused.push([name, kind === 'number' ? 'This is no number.' : 'This is no JSON.']);
    else answer.push([name, read]);
  }
  // Made of pairs, so that every name is only a name: `__proto__` too.
  return refused.length > 0 ? { refused: Object.fromEntries(refused) } : { answer: Object.fromEntries(answer) };
}

/** None of several is an answer, where one is wanted; so is nothing, where null may be said. */
function isLeftOut({ isRequired, isNullable }: Field, said: string | readonly string[]): boolean {
  return said.length === 0 && !(isRequired && (isNullable || said !== ''));
}

/** Empty where it was left empty; of several that were chosen, each. */
function saidIn(values: Values, name: string): string | readonly string[] {
  if (!Object.hasOwn(values, name)) return '';
  const { value, selected_option, selected_options } = values[name]?.[inputId] ?? {};
  if (selected_options) return selected_options.map((chosen) => String(chosen.value));
  return String(selected_option?.value ?? value ?? '');
}

function readField(field: Field, said: string | readonly string[]): Json | undefined {
  const { kind } = field;
  if (said.length === 0 && field.isNullable) return null;
  if (typeof said !== 'string') return allowedIn(field).filter((_, index) => said.includes(String(index)));
  if (kind === 'text') return said;
  if (kind === 'boolean') return said === '0';
  if (kind === 'choice') return allowedIn(field)[Number(said)];
  if (kind === 'number') return Number.isFinite(Number(said)) ? Number(said) : undefined;
  try {
    return JSON.parse(said) as Json;
  } catch {
    return undefined;
  }
}
