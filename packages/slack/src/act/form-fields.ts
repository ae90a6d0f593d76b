// The fields of a form: one for each property of a plain object, as Slack draws and bounds them.

import { isObject, type Json, type JsonObject, type JsonSchema, type Question } from '@ai-agent/core';
import type { types } from '@slack/bolt';
import { limits } from '../blocks/limits.ts';
import { cleanText, cut, toPlain } from '../blocks/safe-text.ts';
import { withoutNull } from './nullable.ts';
import { areNumbered, toNumbered, toOptions } from './options.ts';

/** A form with more fields is not filled in: its JSON is written. */
const mostFields = 20;

/** Of the one thing that stands in each. */
export const inputId = 'input';

export interface Field {
  readonly name: string;
  readonly schema: JsonObject;
  readonly isRequired: boolean;
  /** Whether null is an answer: `schema` is what it is beside that. */
  readonly isNullable: boolean;
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'choices' | 'json';
}

/** Undefined where it is no plain object. */
export function fieldsOf(schema: JsonSchema | undefined): readonly Field[] | undefined {
  if (!isObject(schema) || schema.type !== 'object' || !isObject(schema.properties)) return undefined;
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(schema.properties).map(([name, property]) => {
    const own = withoutNull((isObject(property) ? property : {}) as JsonObject);
    return { name, ...own, isRequired: required.includes(name), kind: kindOf(own.schema) };
  });
  const fits =
    fields.length > 0 &&
    fields.length <= mostFields &&
    fields.every(({ name }) => name !== '' && name.length <= limits.blockId);
  return fits ? fields : undefined;
}

function kindOf(schema: JsonObject): Field['kind'] {
  const { type } = schema;
  if (choosable(schema)) return 'choice';
  if (type === 'array' && isObject(schema.items) && choosable(schema.items as JsonObject)) return 'choices';
  if (type === 'string') return 'text';
  if (type === 'number' || type === 'integer') return 'number';
  return type === 'boolean' ? 'boolean' : 'json';
}

/** As many as a list of Slack's takes. */
function choosable({ enum: allowed }: JsonObject): boolean {
  return Array.isArray(allowed) && allowed.length > 0 && allowed.length <= limits.select.options;
}

/** What there is to choose from. */
export function allowedIn({ kind, schema }: Pick<Field, 'kind' | 'schema'>): readonly Json[] {
  return (kind === 'choices' ? (schema.items as JsonObject).enum : schema.enum) as readonly Json[];
}

/** Whether it may be left as it is: of several, none is an answer too, unless one is wanted. */
function mayBeEmpty({ kind, schema: { minItems }, isRequired, isNullable }: Field): boolean {
  return !isRequired || isNullable || (kind === 'choices' && !(typeof minItems === 'number' && minItems >= 1));
}

export function toOne({ schema, choices }: Question): types.InputBlock {
  const isData = isObject(schema) && schema.type !== 'string';
  const hint = choices ? `One of: ${choices.join(', ')}` : isData ? 'As JSON.' : undefined;
  const first = isObject(schema) ? toWritten(isData ? 'json' : 'text', schema as JsonObject) : undefined;
  return toInput({ name: 'answer', label: 'Your answer', hint, isRequired: true }, toTextInput(true, first));
}

export function toField(field: Field): types.InputBlock {
  const { name, schema, kind } = field;
  const label = typeof schema.title === 'string' && schema.title.trim() !== '' ? schema.title : name;
  const said = typeof schema.description === 'string' ? schema.description : undefined;
  const hint = kind === 'json' ? [said, 'As JSON.'].filter(Boolean).join(' ') : said;
  const choices = choicesIn(field);
  return toInput({ name, label, hint, choices, isRequired: !mayBeEmpty(field) }, elementOf(kind, schema));
}

function choicesIn(field: Pick<Field, 'kind' | 'schema'>): readonly string[] {
  const isChoice = field.kind === 'choice' || field.kind === 'choices';
  return isChoice ? allowedIn(field).map((one) => (typeof one === 'string' ? one : JSON.stringify(one))) : [];
}

function elementOf(kind: Field['kind'], schema: JsonObject): types.InputBlock['element'] {
  const { type, default: usual } = schema;
  if (kind === 'boolean') return toSelect(['Yes', 'No'], [true, false].indexOf(usual as boolean));
  if (kind === 'choice' || kind === 'choices') {
    const allowed = allowedIn({ kind, schema });
    const written = allowed.map((one) => JSON.stringify(one));
    const words = choicesIn({ kind, schema });
    const placeOf = (one: Json | undefined) => (one === undefined ? -1 : written.indexOf(JSON.stringify(one)));
    if (kind === 'choice') return toSelect(words, placeOf(usual));
    return toMultiSelect(words, Array.isArray(usual) ? usual.map(placeOf) : [], schema.maxItems);
  }
  const first = toWritten(kind, schema);
  if (kind !== 'number') return toTextInput(kind === 'json' || (first?.includes('\n') ?? false), first);
  const initial = first === undefined ? {} : { initial_value: first };
  return {
    type: 'number_input',
    action_id: inputId,
    is_decimal_allowed: type === 'number',
    ...toBound('min_value', schema.minimum, type === 'integer'),
    ...toBound('max_value', schema.maximum, type === 'integer'),
    ...initial,
  };
}

/** Slack says what is too small or too large while it is typed. */
function toBound(
  name: 'min_value' | 'max_value',
  bound: Json | undefined,
  isWhole: boolean,
): Partial<Record<typeof name, string>> {
  return typeof bound === 'number' && isWritable(bound, isWhole) ? { [name]: String(bound) } : {};
}

/** The default as somebody would write it; undefined when there is none that fits. */
function toWritten(kind: 'text' | 'number' | 'json', schema: JsonObject): string | undefined {
  const { default: usual, type } = schema;
  if (usual === undefined) return undefined;
  if (kind === 'text' && typeof usual !== 'string') return undefined;
  if (kind === 'number' && !(isWritable(usual, type === 'integer') && isWithin(usual as number, schema)))
    return undefined;
  const written = cleanText(typeof usual === 'string' && kind === 'text' ? usual : JSON.stringify(usual));
  return written !== '' && written.length <= limits.input.plainText ? written : undefined;
}

function isWithin(value: number, { minimum, maximum }: JsonObject): boolean {
  return !(typeof minimum === 'number' && value < minimum) && !(typeof maximum === 'number' && value > maximum);
}

/** Very large and very small ones are written with an exponent, which no field takes. */
function isWritable(value: Json, isWhole: boolean): boolean {
  return typeof value === 'number' && (isWhole ? /^-?\d+$/ : /^-?\d+(?:\.\d+)?$/).test(String(value));
}

/** `first`: which of them is chosen before anybody has; none of them where there is no such one. */
function toSelect(words: readonly string[], first: number): types.StaticSelect {
  const options = toOptions(words);
  const initial = options[first];
  return { type: 'static_select', action_id: inputId, options, ...(initial && { initial_option: initial }) };
}

/** `first`: those that are chosen before anybody has, all of them or none. */
function toMultiSelect(words: readonly string[], first: readonly number[], most?: Json): types.MultiStaticSelect {
  const options = toOptions(words);
  const initial = options.filter((_, index) => first.includes(index));
  const areKnown = initial.length > 0 && initial.length === first.length;
  const isBounded = Number.isInteger(most) && (most as number) >= Math.max(1, initial.length);
  return {
    type: 'multi_static_select',
    action_id: inputId,
    options,
    ...(areKnown && { initial_options: initial }),
    ...(isBounded && { max_selected_items: most as number }),
  };
}

function toTextInput(multiline: boolean, first: string | undefined): types.PlainTextInput {
  return {
    type: 'plain_text_input',
    action_id: inputId,
    multiline,
    max_length: limits.input.plainText,
    ...(first !== undefined && { initial_value: first }),
  };
}

interface Labelled {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  /** What there is to choose from. @default nothing */
  readonly choices?: readonly string[];
  readonly isRequired: boolean;
}

function toInput(labelled: Labelled, element: types.InputBlock['element']): types.InputBlock {
  const { name, label, isRequired } = labelled;
  const hint = toHint(labelled);
  return {
    type: 'input',
    block_id: name,
    label: { type: 'plain_text', text: toPlain(label, 200), emoji: false },
    ...(hint === '' ? {} : { hint: { type: 'plain_text', text: hint, emoji: false } }),
    optional: !isRequired,
    element,
  };
}

/** With what its list does not show whole, as far as there is room. */
function toHint({ hint, choices = [] }: Labelled): string {
  const said = hint === undefined ? [] : [toPlain(hint, 1_000)];
  const whole = areNumbered(choices) ? toNumbered(choices) : [];
  return cut([...said, ...whole].join('\n'), limits.input.hint);
}
