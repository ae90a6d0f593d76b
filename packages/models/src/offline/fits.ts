// Whether a value satisfies a JSON Schema: a yes or a no, to choose among candidates. The real check is core's.

import { isObject, type JsonSchema } from '@ai-agent/core';
import { listOf, mapOf, type Scope, type Standing, within } from './scope.ts';

/** Deeper than this only a schema gets that refers to itself, which demands nothing. */
const deepest = 100;

export function fits(schema: unknown, value: unknown, standing: Standing): boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema) || standing.depth > deepest) return true;
  const inside = within(schema, standing);
  const at: At = { schema, standing: inside, scope: inside.scope, inner: (part, of) => fits(part, of, inside) };
  const ofKind = checks[kindOf(value)] ?? {};
  return Object.entries(schema).every(([keyword, wanted]) => {
    at.scope.spend(1 + (listOf(wanted).length >> 4));
    const table = Object.hasOwn(ofKind, keyword) ? ofKind : ofAny;
    return !Object.hasOwn(table, keyword) || table[keyword]?.(value as never, wanted as never, at);
  });
}

interface At {
  readonly schema: JsonSchema;
  readonly standing: Standing;
  readonly scope: Scope;
  readonly inner: (schema: unknown, value: unknown) => boolean;
}

type Check = (value: never, wanted: never, at: At) => boolean;
type Values = Record<string, unknown>;

const ofAny: Record<string, Check> = {
  type: (value, wanted: unknown, { schema }) =>
    (value === null && schema.nullable === true) || [wanted].flat().some((type) => isOfType(value, type)),
  enum: (value, wanted: unknown, { scope }) => listOf(wanted).some((one) => isEqual(one, value, scope)),
  const: (value, wanted, { scope }) => isEqual(wanted, value, scope),
  $ref: (value, wanted, { scope, standing, inner }) => inner(scope.lookUp(String(wanted), standing.root), value),
  allOf: (value, wanted: unknown, { inner }) => listOf(wanted).every((part) => inner(part, value)),
  anyOf: (value, wanted: unknown, { inner }) => listOf(wanted).some((part) => inner(part, value)),
  oneOf: (value, wanted: unknown, { inner }) => listOf(wanted).filter((part) => inner(part, value)).length === 1,
  not: (value, wanted, { inner }) => !inner(wanted, value),
  if: (value, wanted, { schema, inner }) => inner((inner(wanted, value) ? schema.then : schema.else) ?? true, value),
};

const ofNumber: Record<string, Check> = {
  minimum: (value, wanted) => value >= wanted,
  maximum: (value, wanted) => value <= wanted,
  exclusiveMinimum: (value, wanted) => value > wanted,
  exclusiveMaximum: (value, wanted) => value < wanted,
  multipleOf: (value, wanted) => Number.isInteger(value / wanted),
};

const ofText: Record<string, Check> = {
  // A character takes one or two units, so that most texts need no counting.
  minLength: (text: string, least, { scope }) => text.length >= 2 * least || lengthOf(text, scope) >= least,
  maxLength: (text: string, most, { scope }) =>
    text.length <= most || (text.length <= 2 * most && lengthOf(text, scope) <= most),
  pattern: (text, pattern, { schema, scope }) =>
    listOf(schema.examples).includes(text) || scope.matches(String(pattern), text),
};

const ofArray: Record<string, Check> = {
  minItems: (value: unknown[], wanted) => value.length >= wanted,
  maxItems: (value: unknown[], wanted) => value.length <= wanted,
  uniqueItems: (value: unknown[], wanted, { scope }) =>
    !wanted || new Set(value.map((item) => toKey(item, scope))).size === value.length,
  prefixItems: (value: unknown[], wanted: unknown[], { inner }) =>
    wanted.every((part, i) => i >= value.length || inner(part, value[i])),
  items: (value: unknown[], wanted: unknown, { schema, inner }) =>
    Array.isArray(wanted)
      ? wanted.every((part, i) => i >= value.length || inner(part, value[i]))
      : value.slice(listOf(schema.prefixItems).length).every((item) => inner(wanted, item)),
  additionalItems: (value: unknown[], wanted, { schema, inner }) =>
    !Array.isArray(schema.items) || value.slice(schema.items.length).every((item) => inner(wanted, item)),
  contains: (value: unknown[], wanted, { schema, inner }) => {
    const count = value.filter((item) => inner(wanted, item)).length;
    return count >= Number(schema.minContains ?? 1) && count <= Number(schema.maxContains ?? value.length);
  },
};

const ofObject: Record<string, Check> = {
  required: (value, wanted) => hasAll(value, wanted),
  minProperties: (value, wanted) => Object.keys(value).length >= wanted,
  maxProperties: (value, wanted) => Object.keys(value).length <= wanted,
  properties: (value: Values, wanted: Values, { inner }) =>
    Object.keys(value).every((key) => !Object.hasOwn(wanted, key) || inner(wanted[key], value[key])),
  patternProperties: (value: Values, wanted: Values, { scope, inner }) =>
    Object.entries(wanted).every(([pattern, part]) =>
      Object.keys(value).every((key) => !scope.matches(pattern, key) || inner(part, value[key])),
    ),
  additionalProperties: (value: Values, wanted, { schema, scope, inner }) =>
    Object.keys(value).every((key) => isDeclared(key, schema, scope) || inner(wanted, value[key])),
  propertyNames: (value, wanted, { inner }) => Object.keys(value).every((key) => inner(wanted, key)),
  dependentRequired: (value, wanted: Values) =>
    Object.keys(wanted).every((key) => !Object.hasOwn(value, key) || hasAll(value, wanted[key])),
  dependentSchemas: (value, wanted: Values, { inner }) =>
    Object.keys(wanted).every((key) => !Object.hasOwn(value, key) || inner(wanted[key], value)),
};

const checks: Record<string, Record<string, Check>> = {
  number: ofNumber,
  string: ofText,
  array: ofArray,
  object: ofObject,
};

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function isOfType(value: unknown, type: unknown): boolean {
  return kindOf(value) === type || (type === 'integer' && Number.isInteger(value));
}

function isDeclared(key: string, { properties, patternProperties }: JsonSchema, scope: Scope): boolean {
  if (Object.hasOwn(mapOf(properties), key)) return true;
  return Object.keys(mapOf(patternProperties)).some((pattern) => scope.matches(pattern, key));
}

function hasAll(value: object, keys: unknown): boolean {
  return listOf(keys).every((key) => Object.hasOwn(value, String(key)));
}

function lengthOf(text: string, scope: Scope): number {
  scope.spend(text.length >> 6);
  return [...text].length;
}

function isEqual(a: unknown, b: unknown, scope: Scope): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && toKey(a, scope) === toKey(b, scope));
}

/** Two values are the same when their keys are. */
export function toKey(value: unknown, scope: Scope): string {
  const key = JSON.stringify(value);
  scope.spend(1 + (key.length >> 4));
  return key;
}
