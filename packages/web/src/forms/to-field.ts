// From a JSON Schema, as agents and servers write them, to a field that a form can show. Whatever is beyond it is JSON.

import { isObject, type Json, type JsonSchema } from '@ai-agent/core';
import type { About, Field, ListField, NumberField, ObjectField, Option, TextField } from './field.ts';
import { mergeSchemas, type Place, type Resolved, resolveSchema } from './resolve-schema.ts';
import { titleOf, titleOfVariant } from './titles.ts';

const maxDepth = 6;
/** References can make a short schema as large as they like. */
const maxFields = 400;

interface Reading extends Place {
  readonly depth: number;
  readonly left: { fields: number };
}

export function toField(schema: JsonSchema): Field {
  return readField(schema, { root: schema, refs: [], depth: 0, left: { fields: maxFields } });
}

function readField(schema: unknown, reading: Reading): Field {
  const resolved = resolveSchema(schema, reading);
  reading.left.fields -= 1;
  if (!resolved || reading.depth > maxDepth || reading.left.fields < 0)
    return toJsonField(isObject(schema) ? schema : {});
  return readResolved(resolved.schema, { ...reading, refs: resolved.refs });
}

function readResolved(schema: JsonSchema, reading: Reading): Field {
  if ('const' in schema || Array.isArray(schema.enum)) return readChoice(schema);
  const { oneOf, anyOf, ...base } = schema;
  for (const variants of [oneOf, anyOf]) {
    if (!Array.isArray(variants)) continue;
    const found = variants.map((variant) => resolveSchema(variant, reading));
    if (found.every((one) => one && isOnlyCheck(one.schema))) continue;
    return readVariants(base, found, reading);
  }
  const types = typesOf(base);
  if (types.length > 1) return readVariants(base, types.map(asVariant(reading)), reading);
  return readTyped(base, types[0], reading);
}

function asVariant({ root, refs }: Reading): (type: string) => Resolved {
  return (type) => ({ schema: { type }, root, refs });
}

/** What only says more about a value that is described elsewhere: the server looks at it. */
function isOnlyCheck(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => ['required', 'not', 'title', 'description'].includes(keyword));
}

function readChoice(schema: JsonSchema): Field {
  const values = ('const' in schema ? [schema.const] : schema.enum) as readonly Json[];
  const isNull = values.length === 1 && values[0] === null;
  const options = values.filter((value) => isNull || value !== null).map(toOption);
  const about = { ...aboutOf(schema), isNullable: !isNull && values.includes(null) };
  return options.length === 0 ? toJsonField(schema) : { type: 'choice', options, ...about };
}

function toOption(value: Json): Option {
  return { title: typeof value === 'string' && value !== '' ? value : JSON.stringify(value), value };
}

function readVariants(base: JsonSchema, variants: readonly (Resolved | undefined)[], reading: Reading): Field {
  const some = variants.filter((variant) => !variant || !isNull(variant.schema));
  const isNullable = some.length < variants.length || base.nullable === true;
  const options = some.map((variant) => variant && toTitledOption(variant.schema));
  const about = { ...aboutOf(base), isNullable };
  if (options.length > 0 && options.every((option) => option !== undefined))
    return { type: 'choice', options, ...about };
  const { title, description, default: usual, ...shared } = base;
  const inner = { ...reading, depth: reading.depth + 1 };
  const fields = some.map((variant) => readVariant(shared, variant, inner));
  const [only] = fields;
  if (fields.length === 1 && only) return { ...only, ...about, ...(only.isNullable ? { isNullable: true } : {}) };
  if (fields.length === 0) return toJsonField(base);
  return {
    type: 'variant',
    variants: fields.map((field, i) => ({ title: titleOfVariant(field, i), field })),
    ...about,
  };
}

function readVariant(shared: JsonSchema, variant: Resolved | undefined, reading: Reading): Field {
  if (!variant || reading.depth > maxDepth || reading.left.fields-- <= 0) return toJsonField({});
  const { type, ...rest } = shared;
  const isTyped = variant.schema.type !== undefined;
  return readResolved(mergeSchemas(isTyped ? rest : shared, variant.schema), { ...reading, refs: variant.refs });
}

function isNull({ type, const: value, enum: values }: JsonSchema): boolean {
  return type === 'null' || value === null || (Array.isArray(values) && values.length === 1 && values[0] === null);
}

function toTitledOption({ title, description, ...schema }: JsonSchema): Option | undefined {
  const value = Array.isArray(schema.enum) && schema.enum.length === 1 ? (schema.enum[0] as Json) : schema.const;
  if (value === undefined || isObject(value)) return undefined;
  const option = toOption(value as Json);
  return {
    ...option,
    ...(typeof title === 'string' && title !== '' ? { title } : {}),
    ...(typeof description === 'string' && description !== '' ? { description } : {}),
  };
}

function typesOf(schema: JsonSchema): readonly string[] {
  const { type } = schema;
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  if (types.length > 0) return types.length === 1 ? types : types.filter((one) => one !== 'null');
  return signs
    .filter(([, keywords]) => keywords.some((keyword) => keyword in schema))
    .map(([name]) => name)
    .slice(0, 1);
}

/** What a schema is about that does not say its type. */
const signs: readonly (readonly [string, readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

function readTyped(schema: JsonSchema, type: string | undefined, reading: Reading): Field {
  if (type === 'string') return readText(schema);
  if (type === 'number' || type === 'integer') return readNumber(schema, type === 'integer');
  if (type === 'boolean') return { type: 'boolean', ...aboutOf(schema) };
  if (type === 'null') return { type: 'choice', options: [toOption(null)], ...aboutOf(schema), isNullable: false };
  if (type === 'object') return readObject(schema, reading);
  if (type === 'array') return readList(schema, reading);
  return toJsonField(schema);
}

function readText(schema: JsonSchema): TextField {
  const { format, minLength, maxLength, pattern } = schema;
  const known = typeof format === 'string' ? formats[format] : undefined;
  const length = numberIn(maxLength);
  return {
    type: 'text',
    ...(known ? { format: known } : {}),
    isLong: !known && pattern === undefined && (length === undefined || length > 120),
    hasLines: !known && pattern === undefined && saysLines(schema),
    ...(numberIn(minLength) === undefined ? {} : { minLength: numberIn(minLength) as number }),
    ...(length === undefined ? {} : { maxLength: length }),
    ...(typeof pattern === 'string' ? { pattern } : {}),
    ...aboutOf(schema),
  };
}

/** Longer than a line that people write, of a kind that has lines, or with lines in what stands there at first. */
function saysLines({ format, contentMediaType, minLength, maxLength, default: usual, examples }: JsonSchema): boolean {
  if (
    [format, contentMediaType].some((kind) => typeof kind === 'string' && /^(?:text|multi-?line|markdown)/i.test(kind))
  )
    return true;
  if ((numberIn(maxLength) ?? 0) > 255 || (numberIn(minLength) ?? 0) > 120) return true;
  return [usual, ...(Array.isArray(examples) ? examples : [])].some(
    (text) => typeof text === 'string' && text.includes('\n'),
  );
}

const formats: Readonly<Record<string, TextField['format']>> = {
  ...{ email: 'email', 'idn-email': 'email', uri: 'uri', url: 'uri', iri: 'uri' },
  ...{ date: 'date', 'date-time': 'date-time' },
};

function readNumber(schema: JsonSchema, isInteger: boolean): NumberField {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  const min = numberIn(exclusiveMinimum) ?? numberIn(minimum);
  const max = numberIn(exclusiveMaximum) ?? numberIn(maximum);
  const step = numberIn(multipleOf);
  return {
    type: 'number',
    isInteger,
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
    // In draft 4 it is said of the bound beside it.
    isAboveMin: exclusiveMinimum === true || numberIn(exclusiveMinimum) !== undefined,
    isBelowMax: exclusiveMaximum === true || numberIn(exclusiveMaximum) !== undefined,
    ...(step === undefined || step <= 0 ? {} : { step }),
    ...aboutOf(schema),
  };
}

function readObject(schema: JsonSchema, reading: Reading): Field {
  const named = isObject(schema.properties) ? schema.properties : undefined;
  const required = (Array.isArray(schema.required) ? schema.required : []).filter((name) => typeof name === 'string');
  const names = new Set([...Object.keys(named ?? {}), ...required]);
  const isClosed = schema.additionalProperties === false || (named && schema.additionalProperties === undefined);
  if (names.size === 0 && !isClosed) return toJsonField({ ...schema, type: 'object' });
  const inner = { ...reading, depth: reading.depth + 1 };
  const properties = [...names]
    .filter((name) => named?.[name] !== false)
    .map((name) => ({
      name,
      isRequired: required.includes(name),
      field: readField(named && Object.hasOwn(named, name) ? named[name] : true, inner),
    }));
  return { type: 'object', properties, isOpen: isOpen(schema), ...aboutOf(schema) } satisfies ObjectField;
}

function isOpen(schema: JsonSchema): boolean {
  const { additionalProperties: more } = schema;
  const others = ['patternProperties', 'then', 'else', 'dependentSchemas', 'dependencies'];
  return more === true || isObject(more) || (more !== false && others.some((keyword) => keyword in schema));
}

function readList(schema: JsonSchema, reading: Reading): Field {
  const { items, prefixItems, minItems, maxItems, uniqueItems } = schema;
  if (prefixItems !== undefined || (items !== true && !isObject(items)))
    return toJsonField({ ...schema, type: 'array' });
  const item = readField(items, { ...reading, depth: reading.depth + 1 });
  const bounds = { min: numberIn(minItems) ?? 0, max: numberIn(maxItems) ?? Number.POSITIVE_INFINITY };
  if (item.type === 'choice' && uniqueItems === true && !item.isNullable)
    return { type: 'some-of', options: item.options, ...bounds, ...aboutOf(schema) };
  return { type: 'list', item, ...bounds, ...aboutOf(schema) } satisfies ListField;
}

function toJsonField(schema: JsonSchema): Field {
  const kind = schema.type === 'object' || schema.type === 'array' ? schema.type : undefined;
  return { type: 'json', ...(kind ? { kind } : {}), ...aboutOf(schema) };
}

function aboutOf(schema: JsonSchema): About {
  const { description, default: usual, examples, example, type, nullable } = schema;
  const title = titleOf(schema);
  const shown = Array.isArray(examples) ? (examples as readonly Json[])[0] : (example as Json | undefined);
  return {
    ...(title === undefined ? {} : { title }),
    ...(typeof description === 'string' && description !== '' ? { description } : {}),
    ...(usual === undefined ? {} : { default: usual as Json }),
    ...(shown === undefined ? {} : { example: shown }),
    isNullable: nullable === true || (Array.isArray(type) && type.length > 1 && type.includes('null')),
  };
}

function numberIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
