// One field of a form: what a JSON Schema says of a simple value, in the few words that clients know.

import { isObject, type JsonSchema } from '@ai-agent/core';
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';

export type Field = ElicitRequestFormParams['requestedSchema']['properties'][string];

/** What the revision that is spoken knows of fields. */
export interface FieldWords {
  /** Titles for choices, and several choices at once: before 2025-11-25 there were none. */
  readonly hasTitles: boolean;
}

/** Nothing where no field can show it. What the words are missing for is written beside it, and is held against the answer later. */
export function toField(schema: unknown, words: FieldWords): Field | undefined {
  if (!isObject(schema)) return undefined;
  const known = chosenFrom(schema, words) ?? severalOf(schema, words) ?? simple(schema);
  if (!known || hasParts(schema, known)) return undefined;
  const { title, description } = schema;
  const beside = unsaid(schema, known);
  const said = [typeof description === 'string' ? description : '', beside].filter((part) => part !== '').join(' ');
  return {
    ...known,
    ...(typeof title === 'string' ? { title } : {}),
    ...(said === '' ? {} : { description: said }),
  } as Field;
}

type Known = Readonly<Record<string, unknown>>;

/** One of several texts. */
function chosenFrom(schema: JsonSchema, words: FieldWords): Known | undefined {
  const { type, enum: some, enumNames: names, oneOf, default: usual } = schema;
  if (type !== undefined && type !== 'string') return undefined;
  const preset = typeof usual === 'string' ? { default: usual } : {};
  const isNamed = areTexts(some) && areTexts(names) && names.length === some.length;
  if (areTexts(some)) return { type: 'string', enum: some, ...(isNamed ? { enumNames: names } : {}), ...preset };
  const titled = titledIn(oneOf);
  if (!titled) return undefined;
  if (words.hasTitles) return { type: 'string', oneOf: titled, ...preset };
  return {
    type: 'string',
    enum: titled.map((one) => one.const),
    enumNames: titled.map(({ title }) => title),
    ...preset,
  };
}

function severalOf(schema: JsonSchema, { hasTitles }: FieldWords): Known | undefined {
  const { type, items, default: usual } = schema;
  if (!hasTitles || type !== 'array' || !isObject(items)) return undefined;
  const titled = titledIn(items.anyOf ?? items.oneOf);
  const some = areTexts(items.enum) ? { type: 'string', enum: items.enum } : titled && { anyOf: titled };
  if (!some) return undefined;
  const preset = areTexts(usual) ? { default: usual } : {};
  return { type, items: some, ...take(schema, ['minItems', 'maxItems'], 'number'), ...preset };
}

const formats = ['email', 'uri', 'date', 'date-time'];

function simple(schema: JsonSchema): Known | undefined {
  const { type, format } = schema;
  if (type === 'boolean') return { type, ...take(schema, ['default'], 'boolean') };
  if (type === 'number' || type === 'integer')
    return { type, ...take(schema, ['minimum', 'maximum', 'default'], 'number') };
  if (type !== 'string') return undefined;
  return {
    type,
    ...take(schema, ['minLength', 'maxLength'], 'number'),
    ...(formats.includes(String(format)) ? { format } : {}),
    ...take(schema, ['default'], 'string'),
  };
}

/** Those of them that are what they should be. */
function take(schema: JsonSchema, names: readonly string[], type: 'boolean' | 'number' | 'string'): Known {
  return Object.fromEntries(names.flatMap((name) => (typeof schema[name] === type ? [[name, schema[name]]] : [])));
}

const parts = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'properties', 'items', 'prefixItems', 'contains'];

function hasParts(schema: JsonSchema, known: Known): boolean {
  return parts.some((name) => name in schema && !(name in known || (name === 'oneOf' && 'enumNames' in known)));
}

const rules = [
  'pattern',
  'format',
  'multipleOf',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'const',
  'enum',
  'uniqueItems',
];

function unsaid(schema: JsonSchema, known: Known): string {
  const left = rules.filter((name) => name in schema && !(name in known));
  return left.length === 0
    ? ''
    : `It must fit: ${left.map((name) => `${name} ${JSON.stringify(schema[name])}`).join(', ')}.`;
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
}

function titledIn(value: unknown): readonly { readonly const: string; readonly title: string }[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const titled = value.flatMap((one) =>
    isObject(one) && typeof one.const === 'string'
      ? [{ const: one.const, title: typeof one.title === 'string' ? one.title : one.const }]
      : [],
  );
  return titled.length === value.length ? titled : undefined;
}
