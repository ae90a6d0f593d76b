// Whether a value satisfies a JSON Schema: a yes or a no, to choose among candidates. The real check is core's.

import { isObject, type JsonSchema } from '@ai-agent/core';
import { lookUp } from './schema.ts';

export function fits(schema: unknown, value: unknown, root: JsonSchema, depth = 0): boolean {
  if (typeof schema === 'boolean') return schema;
  // A schema that refers to nothing but itself demands nothing.
  if (!isObject(schema) || depth > 64) return true;
  const inner: Inner = (part, of) => fits(part, of, root, depth + 1);
  const at: At = { value, schema, root, inner };
  return Object.entries(schema).every(([keyword, wanted]) => checks.get(keyword)?.(wanted, at) ?? true);
}

type Inner = (schema: unknown, value: unknown) => boolean;

interface At {
  readonly value: unknown;
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
  readonly inner: Inner;
}

type Check = (wanted: unknown, at: At) => boolean;

const ofNumber =
  (test: (value: number, wanted: number) => boolean): Check =>
  (wanted, { value }) =>
    typeof value !== 'number' || typeof wanted !== 'number' || test(value, wanted);

const ofLength =
  (test: (length: number, wanted: number) => boolean): Check =>
  (wanted, { value }) =>
    typeof value !== 'string' || test([...value].length, wanted as number);

const ofArray =
  (test: (value: readonly unknown[], wanted: never, at: At) => boolean): Check =>
  (wanted, at) =>
    !Array.isArray(at.value) || test(at.value, wanted as never, at);

const ofObject =
  (test: (value: Record<string, unknown>, wanted: never, at: At) => boolean): Check =>
  (wanted, at) =>
    !isObject(at.value) || test(at.value, wanted as never, at);

const checks = new Map<string, Check>(
  Object.entries({
    type: (wanted, { value, schema }) =>
      (value === null && schema.nullable === true) || [wanted].flat().some((type) => isOfType(value, type)),
    enum: (wanted, { value }) => (wanted as unknown[]).some((one) => isEqual(one, value)),
    const: (wanted, { value }) => isEqual(wanted, value),
    $ref: (wanted, { value, root, inner }) => inner(lookUp(String(wanted), root), value),
    allOf: (wanted, { value, inner }) => (wanted as unknown[]).every((part) => inner(part, value)),
    anyOf: (wanted, { value, inner }) => (wanted as unknown[]).some((part) => inner(part, value)),
    oneOf: (wanted, { value, inner }) => (wanted as unknown[]).filter((part) => inner(part, value)).length === 1,
    not: (wanted, { value, inner }) => !inner(wanted, value),
    if: (wanted, { value, schema, inner }) =>
      inner(inner(wanted, value) ? (schema.then ?? true) : (schema.else ?? true), value),
    minimum: ofNumber((value, wanted) => value >= wanted),
    maximum: ofNumber((value, wanted) => value <= wanted),
    exclusiveMinimum: ofNumber((value, wanted) => value > wanted),
    exclusiveMaximum: ofNumber((value, wanted) => value < wanted),
    multipleOf: ofNumber((value, wanted) => Number.isInteger(value / wanted)),
    minLength: ofLength((length, wanted) => length >= wanted),
    maxLength: ofLength((length, wanted) => length <= wanted),
    pattern: (wanted, { value }) => typeof value !== 'string' || isMatch(String(wanted), value),
    minItems: ofArray((value, wanted) => value.length >= wanted),
    maxItems: ofArray((value, wanted) => value.length <= wanted),
    uniqueItems: ofArray((value, wanted) => !wanted || new Set(value.map(toKey)).size === value.length),
    prefixItems: ofArray((value, wanted, { inner }) => eachPrefix(value, wanted, inner)),
    items: ofArray((value, wanted: unknown, { schema, inner }) =>
      Array.isArray(wanted)
        ? eachPrefix(value, wanted, inner)
        : value.slice(Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0).every((v) => inner(wanted, v)),
    ),
    additionalItems: ofArray(
      (value, wanted, { schema, inner }) =>
        !Array.isArray(schema.items) || value.slice(schema.items.length).every((item) => inner(wanted, item)),
    ),
    contains: ofArray((value, wanted, { schema, inner }) => {
      const count = value.filter((item) => inner(wanted, item)).length;
      return count >= Number(schema.minContains ?? 1) && count <= Number(schema.maxContains ?? value.length);
    }),
    required: ofObject((value, wanted: string[]) => wanted.every((key) => Object.hasOwn(value, key))),
    minProperties: ofObject((value, wanted) => Object.keys(value).length >= wanted),
    maxProperties: ofObject((value, wanted) => Object.keys(value).length <= wanted),
    properties: ofObject((value, wanted: JsonSchema, { inner }) =>
      Object.keys(wanted).every((key) => !Object.hasOwn(value, key) || inner(wanted[key], value[key])),
    ),
    patternProperties: ofObject((value, wanted: JsonSchema, { inner }) =>
      Object.entries(wanted).every(([pattern, part]) =>
        Object.keys(value).every((key) => !isMatch(pattern, key) || inner(part, value[key])),
      ),
    ),
    additionalProperties: ofObject((value, wanted, { schema, inner }) =>
      Object.keys(value).every((key) => isDeclared(key, schema) || inner(wanted, value[key])),
    ),
    propertyNames: ofObject((value, wanted, { inner }) => Object.keys(value).every((key) => inner(wanted, key))),
    dependentRequired: ofObject((value, wanted: Record<string, string[]>) =>
      Object.keys(wanted).every(
        (key) => !Object.hasOwn(value, key) || wanted[key]?.every((other) => Object.hasOwn(value, other)),
      ),
    ),
    dependentSchemas: ofObject((value, wanted: JsonSchema, { inner }) =>
      Object.keys(wanted).every((key) => !Object.hasOwn(value, key) || inner(wanted[key], value)),
    ),
  } satisfies Record<string, Check>),
);

/** By name or by pattern. */
export function isDeclared(key: string, { properties, patternProperties }: JsonSchema): boolean {
  if (isObject(properties) && Object.hasOwn(properties, key)) return true;
  return isObject(patternProperties) && Object.keys(patternProperties).some((pattern) => isMatch(pattern, key));
}

export function isMatch(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(text);
  } catch {
    // What this engine cannot read it cannot refuse either.
    return true;
  }
}

/** Two values are equal when their keys are. */
export function toKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toKey).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${toKey(value[key])}`).join(',')}}`;
}

function isEqual(a: unknown, b: unknown): boolean {
  return toKey(a) === toKey(b);
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function eachPrefix(value: readonly unknown[], schemas: readonly unknown[], inner: Inner): boolean {
  return schemas.every((schema, i) => i >= value.length || inner(schema, value[i]));
}
