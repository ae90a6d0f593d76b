// Schemas of tools as more than one provider wants them: in the words of today, and at the root an object.

import { isObject } from '@ai-agent/core';
import type { JSONSchema7 } from '@ai-sdk/provider';

export type Schema = Readonly<Record<string, unknown>>;

/**
 * A conversion that is done once for each schema, and leaves no reference that leads nowhere: what it has moved stands
 * where it was pointed from.
 */
export function settled(convert: (schema: JSONSchema7) => JSONSchema7): (schema: JSONSchema7) => JSONSchema7 {
  const known = new WeakMap<JSONSchema7, JSONSchema7>();
  return (schema) => {
    const done = known.get(schema) ?? settle(schema, convert);
    known.set(schema, done);
    return done;
  };
}

const rounds = 4;
/** Schemas that are named again and again could grow without end. */
const mostTargets = 500;

function settle(schema: JSONSchema7, convert: (schema: JSONSchema7) => JSONSchema7): JSONSchema7 {
  let made = convert(schema);
  for (let round = 1; round <= rounds; round++) {
    const next = withTargets(made, round < rounds ? schema : undefined);
    if (next === made) return made;
    made = convert(next);
  }
  return made;
}

/** The same one where every reference leads somewhere. Where not even the original has a target, anything goes. */
function withTargets(made: JSONSchema7, original: JSONSchema7 | undefined): JSONSchema7 {
  let isChanged = false;
  let count = 0;
  const next = eachSchema(made, (one) => {
    const { $ref: reference, ...beside } = one;
    if (typeof reference !== 'string' || !reference.startsWith('#') || find(made, reference) !== undefined) return one;
    const target = ++count <= mostTargets ? find(original, reference) : undefined;
    isChanged = true;
    return isObject(target) ? { ...target, ...beside } : beside;
  });
  return isChanged ? (next as JSONSchema7) : made;
}

/** Every schema within this one, and this one last, as `change` makes it. Data that only looks like a schema stays. */
export function eachSchema(schema: unknown, change: (schema: Schema) => Schema): unknown {
  if (Array.isArray(schema)) return schema.map((one) => eachSchema(one, change));
  if (!isObject(schema)) return schema;
  const fields = Object.entries(schema).map(([key, value]) => {
    if (values.has(key)) return [key, value];
    if (!maps.has(key) || !isObject(value)) return [key, eachSchema(value, change)];
    return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, eachSchema(one, change)]))];
  });
  return change(Object.fromEntries(fields));
}

/** Keywords whose value is data, and those whose value is schemas by name. */
const values = new Set(['const', 'default', 'enum', 'examples', 'required']);
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);

/** Older drafts said some things otherwise, and one such tool is enough for a whole request to be refused. */
export function toModern(schema: JSONSchema7): JSONSchema7 {
  return eachSchema(schema, (one) => withModernTuple(withModernBounds(one))) as JSONSchema7;
}

function withModernTuple({ additionalItems, ...schema }: Schema): Schema {
  const { items, ...rest } = schema;
  if (!Array.isArray(items)) return schema;
  const more = additionalItems === undefined ? {} : { items: additionalItems };
  // An empty list is no tuple, and is refused as one.
  return items.length === 0 ? { ...rest, ...more } : { ...rest, prefixItems: items, ...more };
}

const bounds = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** Once a word beside the bound, now the bound itself. So with `required`, once a word of the property. */
function withModernBounds(schema: Schema): Schema {
  const made: Record<string, unknown> = { ...schema };
  for (const [exclusive, bound] of bounds) {
    if (typeof made[exclusive] !== 'boolean') continue;
    const isExclusive = made[exclusive] && typeof made[bound] === 'number';
    if (isExclusive) made[exclusive] = made[bound];
    else delete made[exclusive];
    if (isExclusive) delete made[bound];
  }
  if (made.required !== undefined && !Array.isArray(made.required)) delete made.required;
  return made;
}

const choices = ['anyOf', 'oneOf', 'allOf'] as const;
const refused = new Set<string>([...choices, '$ref', 'enum', 'not']);

export function isPlainObjectSchema(schema: JSONSchema7): boolean {
  return schema.type === 'object' && !Object.keys(schema).some((key) => refused.has(key));
}

/**
 * Arguments as an object with nothing to choose from at its root. What the choices name is still named; which of them
 * belong together, our own validation holds.
 */
export function toObjectSchema(schema: JSONSchema7): JSONSchema7 {
  if (isPlainObjectSchema(schema) && schema.properties) return schema;
  const root = schema as Schema;
  const { properties, required } = shapeOf(root, root, new Map());
  const own = targetOf(root, root) ?? root;
  const kept = Object.entries({ ...own, ...root }).filter(([key]) => !refused.has(key));
  return {
    ...Object.fromEntries(kept),
    type: 'object',
    properties,
    ...(required.length > 0 ? { required } : {}),
  } as JSONSchema7;
}

interface Shape {
  readonly properties: Schema;
  readonly required: readonly string[];
}

/** `known` are those that were looked at: each once, and what leads to itself names nothing new. */
function shapeOf(schema: unknown, root: Schema, known: Map<unknown, Shape>): Shape {
  const before = isObject(schema) ? known.get(schema) : unshaped;
  if (before || !isObject(schema)) return before ?? unshaped;
  known.set(schema, unshaped);
  const shape = shapeWith(schema, root, (part) => shapeOf(part, root, known));
  known.set(schema, shape);
  return shape;
}

const unshaped: Shape = { properties: {}, required: [] };

function shapeWith(schema: Schema, root: Schema, inner: (part: unknown) => Shape): Shape {
  const parts = (key: string) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]).map(inner) : []);
  const target = targetOf(schema, root);
  const every = [...(target ? [inner(target)] : []), ...parts('allOf')];
  const either = alternatives([...parts('anyOf'), ...parts('oneOf')].map(({ properties }) => properties));
  const own = isObject(schema.properties) ? schema.properties : {};
  return {
    properties: Object.assign({}, either, ...every.map(({ properties }) => properties), own),
    required: [...new Set([...namesIn(schema.required), ...every.flatMap(({ required }) => required)])],
  };
}

/** Choices often differ in what one and the same property may be. */
function alternatives(variants: readonly Schema[]): Schema {
  const found = new Map<string, Map<string, unknown>>();
  for (const [name, one] of variants.flatMap((properties) => Object.entries(properties))) {
    const known = found.get(name) ?? new Map<string, unknown>();
    found.set(name, known.set(JSON.stringify(one), one));
  }
  return Object.fromEntries(
    [...found].map(([name, ones]) => [name, ones.size === 1 ? [...ones.values()][0] : { anyOf: [...ones.values()] }]),
  );
}

function namesIn(required: unknown): readonly string[] {
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
}

function targetOf({ $ref: reference }: Schema, root: Schema): Schema | undefined {
  const target = typeof reference === 'string' ? find(root, reference) : undefined;
  return isObject(target) ? target : undefined;
}

/** What a reference within the same schema leads to. */
export function find(root: unknown, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined;
  const steps = reference.slice(1).split('/').filter(Boolean);
  return steps.reduce<unknown>((found, step) => {
    const key = toKey(step);
    const isThere = (isObject(found) || Array.isArray(found)) && Object.hasOwn(found, key);
    return isThere ? (found as Schema)[key] : undefined;
  }, root);
}

function toKey(step: string): string {
  const pointer = step.replaceAll('~1', '/').replaceAll('~0', '~');
  try {
    return decodeURIComponent(pointer);
  } catch {
    return pointer;
  }
}
