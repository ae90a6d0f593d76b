// Schemas in the part of JSON Schema that Gemini takes: what it would refuse is said otherwise, or left to our validation.

import { isObject } from '@ai-agent/core';
import type { JSONSchema7 } from '@ai-sdk/provider';
import { type Schema as Fields, find } from '../schemas.ts';

export interface SchemaOptions {
  /** Whether formats go as they are, because a configuration has said which may. @default false */
  readonly keepFormats?: boolean;
}

/** Arguments of a function are an object, whatever else the schema says. */
export function toArgumentsSchema(schema: unknown, options: SchemaOptions = {}): JSONSchema7 {
  const plain = toPlainSchema(schema, options) as Record<string, unknown>;
  return { ...plain, type: 'object', properties: isObject(plain.properties) ? plain.properties : {} } as JSONSchema7;
}

export function toPlainSchema(schema: unknown, { keepFormats = false }: SchemaOptions = {}): JSONSchema7 {
  return new Writer(schema, keepFormats).write(schema, []) as JSONSchema7;
}

/** Keywords that go as they are; those with schemas in them are written anew. */
const kept = new Set(
  'title description minItems maxItems minimum maximum minLength maxLength minProperties maxProperties pattern default'.split(
    ' ',
  ),
);
const known = new Set(['date-time', 'date', 'time', 'int32', 'int64', 'float', 'double']);
const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** Schemas that are named again and again could grow without end. */
const mostReferences = 500;

class Writer {
  readonly #root: unknown;
  readonly #keepFormats: boolean;
  #references = 0;

  constructor(root: unknown, keepFormats: boolean) {
    this.#root = root;
    this.#keepFormats = keepFormats;
  }

  /** `within` are the references we are in: one that leads to itself ends there, and anything goes. */
  write(schema: unknown, within: readonly string[]): Fields {
    if (!isObject(schema)) return {};
    const whole = this.#merged(schema);
    if (typeof whole.$ref !== 'string') return this.#written(whole, within);
    const { $ref: reference, ...beside } = whole as { readonly $ref: string };
    const isKnown = !within.includes(reference) && ++this.#references <= mostReferences;
    const target = isKnown ? find(this.#root, reference) : undefined;
    if (!isObject(target)) return this.#written(beside, within);
    return this.write({ ...target, ...beside }, [...within, reference]);
  }

  /** All of several is one with everything in it. */
  #merged({ allOf, ...schema }: Record<string, unknown>): Record<string, unknown> {
    let whole = schema;
    for (const part of Array.isArray(allOf) ? allOf.filter(isObject) : []) {
      const own = this.#merged(typeof part.$ref === 'string' ? this.#target(part) : part);
      whole = { ...own, ...whole, ...joined(whole, own) };
    }
    return whole;
  }

  #target({ $ref: reference, ...beside }: Record<string, unknown>): Record<string, unknown> {
    const target = ++this.#references <= mostReferences ? find(this.#root, String(reference)) : undefined;
    return isObject(target) ? { ...target, ...beside } : beside;
  }

  #written(schema: Fields, within: readonly string[]): Fields {
    const several = namedTypes(schema.type).filter((type) => type !== 'null').length > 1;
    if (several && !Array.isArray(schema.anyOf)) return this.#alternatives(schema, within);
    const properties = isObject(schema.properties) ? this.#named(schema.properties, within) : undefined;
    return {
      ...Object.fromEntries(Object.entries(schema).filter(([key]) => kept.has(key))),
      ...typeOf(schema),
      ...this.#format(schema),
      ...choices(schema),
      ...(properties ? { properties, ...required(schema, properties) } : {}),
      ...this.#items(schema, within),
      ...this.#lists(schema, within),
      ...this.#rest(schema, within),
    };
  }

  /** Several types in one schema are several schemas. */
  #alternatives({ title, description, ...schema }: Fields, within: readonly string[]): Fields {
    return {
      ...(typeof title === 'string' ? { title } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      anyOf: namedTypes(schema.type).map((type) => this.#written({ ...schema, type }, within)),
    };
  }

  #named(properties: Fields, within: readonly string[]): Fields {
    return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, this.write(one, within)]));
  }

  #format({ format }: Fields): Fields {
    return typeof format === 'string' && (this.#keepFormats || known.has(format)) ? { format } : {};
  }

  #items({ items, prefixItems }: Fields, within: readonly string[]): Fields {
    // The older way to say a tuple.
    const tuple = Array.isArray(items) ? items : prefixItems;
    return {
      ...(isObject(items) ? { items: this.write(items, within) } : {}),
      ...(Array.isArray(tuple) && tuple.length > 0 ? { prefixItems: tuple.map((one) => this.write(one, within)) } : {}),
    };
  }

  #lists(schema: Fields, within: readonly string[]): Fields {
    const lists = (['anyOf', 'oneOf'] as const).flatMap((key) => {
      const list = schema[key];
      return Array.isArray(list) && list.length > 0 ? [[key, list.map((one) => this.write(one, within))]] : [];
    });
    return Object.fromEntries(lists);
  }

  #rest({ additionalProperties: rest }: Fields, within: readonly string[]): Fields {
    if (typeof rest === 'boolean') return { additionalProperties: rest };
    return isObject(rest) ? { additionalProperties: this.write(rest, within) } : {};
  }
}

/** What both say: fields of both, and what either requires. */
function joined(one: Fields, other: Fields): Fields {
  const lists = [one.required, other.required].filter(Array.isArray);
  return {
    ...(isObject(one.properties) && isObject(other.properties)
      ? { properties: { ...other.properties, ...one.properties } }
      : {}),
    ...(lists.length > 0 ? { required: [...new Set(lists.flat())] } : {}),
  };
}

function namedTypes(type: unknown): readonly string[] {
  return (Array.isArray(type) ? type : [type]).filter((one): one is string => types.has(one as string));
}

function typeOf({ type, properties }: Fields): Fields {
  const [first, ...others] = namedTypes(type);
  if (first === undefined) return isObject(properties) ? { type: 'object' } : {};
  return { type: others.length === 0 ? first : [first, ...others] };
}

/** Only words and numbers can be chosen from; anything else is told in words. */
function choices({ enum: list, const: constant, description }: Fields): Fields {
  const values: readonly unknown[] = constant === undefined ? (Array.isArray(list) ? list : []) : [constant];
  if (values.length === 0) return {};
  if (values.every((value) => typeof value === 'string' || typeof value === 'number')) return { enum: values };
  const words = `One of: ${values.map((value) => JSON.stringify(value)).join(', ')}.`;
  return { description: typeof description === 'string' ? `${description} ${words}` : words };
}

/** Only what is there can be required. */
function required({ required: names }: Fields, properties: Fields): Fields {
  const there = Array.isArray(names) ? names.filter((name) => Object.hasOwn(properties, String(name))) : [];
  return there.length > 0 ? { required: there } : {};
}
