// Objects and lists for a JSON Schema: what is required, then what is worth filling, part by part.

import { isObject, type Json, type JsonObject, type JsonSchema } from '@ai-agent/core';
import { toKey } from './fits.ts';
import { type Material, toPlainName } from './material.ts';
import { flatten } from './schema.ts';
import { listOf, mapOf, type Place } from './scope.ts';
import { isFreeText, isReason, isRequestName } from './strings.ts';

export function* objectsFor(schema: JsonSchema, place: Place): Generator<Json> {
  const ordinals = ordinalsOf(schema);
  const required: Record<string, Json> = {};
  const fill = (object: Record<string, Json>, key: string): boolean => {
    const index = place.isItem ? place.index : (ordinals.get(key) ?? 0);
    const inner = { ...place, name: key, index, repairs: 0 };
    const value = firstOf(place.valuesOf(propertySchema(key, schema, place), inner));
    // Not by assignment, which `__proto__` would swallow.
    if (value !== undefined) Object.defineProperty(object, key, { value, enumerable: true, configurable: true });
    return value !== undefined;
  };
  if (!listOf(schema.required).every((key) => fill(required, String(key)))) return;
  const all = { ...required };
  for (const key of optionalKeys(schema, place, required)) fill(all, key);
  yield* [all, required] satisfies JsonObject[];
}

/** How many properties of the same type come before each. */
function ordinalsOf({ properties }: JsonSchema): ReadonlyMap<string, number> {
  const counts = new Map<unknown, number>();
  const entries = Object.entries(mapOf(properties)).map(([key, part]) => {
    const { type } = mapOf(part);
    const ordinal = counts.get(type) ?? 0;
    counts.set(type, ordinal + 1);
    return [key, ordinal] as const;
  });
  return new Map(entries);
}

function propertySchema(key: string, schema: JsonSchema, { scope }: Place): unknown {
  const properties = mapOf(schema.properties);
  const patterns = Object.entries(mapOf(schema.patternProperties)).filter(([pattern]) => scope.matches(pattern, key));
  const found = [...(Object.hasOwn(properties, key) ? [properties[key]] : []), ...patterns.map(([, part]) => part)];
  return found.length === 0 ? (schema.additionalProperties ?? true) : { allOf: found };
}

/** Which optional properties to fill: all, or those that were named, or one for the request if nothing carries it. */
function optionalKeys(schema: JsonSchema, place: Place, required: JsonObject): readonly string[] {
  const { material, purpose, refs } = place;
  const properties = mapOf(schema.properties);
  const open = Object.keys(properties).filter((key) => !(key in required) && !leadsBack(properties[key], refs));
  const needed = Math.max(0, Number(schema.minProperties ?? 0) - Object.keys(required).length);
  const more = needed > 0 ? [...open, ...inventedKeys(schema, place)].slice(0, needed) : [];
  if (place.isLean) return more;
  if (purpose !== 'call') return [...open, ...more];
  const named = open.filter((key) => material.named.has(toPlainName(key)));
  const isCarried = Object.keys(required).some((key) => !isReason(key) && carries(required[key], material));
  if (named.length > 0 || isCarried) return [...named, ...more];
  const texts = open.filter((key) => {
    const part = flatten(properties[key], place, refs)?.schema ?? {};
    return typesOf(part)[0] === 'string' && isFreeText(key, part);
  });
  return [texts.find(isRequestName) ?? texts[0], ...more].filter((key) => key !== undefined);
}

function carries(value: unknown, material: Material): boolean {
  if (typeof value === 'string') return value.startsWith(material.request.slice(0, 20));
  return typeof value === 'object' && value !== null && Object.values(value).some((part) => carries(part, material));
}

/** Keys for an object that must have more than it declares. */
function inventedKeys({ propertyNames, patternProperties }: JsonSchema, { scope }: Place): readonly string[] {
  const patterns = [...Object.keys(mapOf(patternProperties)), mapOf(propertyNames).pattern];
  const matching = patterns.flatMap((pattern) => (typeof pattern === 'string' ? scope.samples(pattern) : []));
  return [...matching, ...Array.from({ length: 20 }, (_, i) => `item${i + 1}`)];
}

export function* arraysFor(schema: JsonSchema, place: Place): Generator<Json> {
  const { items, prefixItems, additionalItems, contains, minContains, minItems, maxItems } = schema;
  const prefix = listOf(Array.isArray(items) ? items : prefixItems);
  const rest = (Array.isArray(items) ? additionalItems : items) ?? true;
  const held = contains === undefined ? 0 : Number(minContains ?? 1);
  const schemaOf = (i: number) => {
    const own = i < prefix.length ? prefix[i] : rest;
    return i < held ? { allOf: [own, contains] } : own;
  };
  const least = Number(minItems ?? 0);
  const wanted = Math.max(prefix.length, held, wantedCount(rest, place), least);
  for (const count of new Set([Math.min(wanted, Number(maxItems ?? 1000), 1000), least])) {
    yield [...itemsFor(count, schemaOf, place, schema.uniqueItems === true)];
  }
}

function* itemsFor(count: number, schemaOf: (i: number) => unknown, place: Place, isUnique: boolean): Generator<Json> {
  const known = new Set<string>();
  for (let index = 0; index < count; index++) {
    const one = { ...place, name: place.name.replace(/s$/, ''), index, isItem: true, repairs: 0 };
    const item = isUnique ? firstNew(schemaOf(index), one, known) : firstOf(place.valuesOf(schemaOf(index), one));
    if (item === undefined) return;
    yield item;
  }
}

/** As many as there is something to say. A list within a list says one thing. */
function wantedCount(rest: unknown, place: Place): number {
  const { material, purpose, isItem, refs, isLean } = place;
  if (rest === false || leadsBack(rest, refs) || isLean) return 0;
  const type = typesOf(flatten(rest, place, refs)?.schema ?? {})[0];
  if (type === 'number' || type === 'integer') return Math.min(Math.max(material.numbers.length, 1), 8);
  return purpose === 'report' && !isItem ? Math.min(material.points.length, 8) : 1;
}

/** As the items after it would begin, if its own beginning is taken. */
function firstNew(schema: unknown, place: Place, known: Set<string>): Json | undefined {
  for (let shift = 0; shift < 8; shift++) {
    for (const value of place.valuesOf(schema, { ...place, index: place.index + shift })) {
      const key = toKey(value, place.scope);
      if (!known.has(key)) return known.add(key) && value;
    }
  }
  return undefined;
}

export function firstOf<T>(values: Iterable<T>): T | undefined {
  for (const value of values) return value;
  return undefined;
}

/** What a schema without a type must be about, from the words it uses. */
export function typesOf(schema: JsonSchema): readonly string[] {
  if (schema.type !== undefined)
    return [schema.type].flat().toSorted((a, b) => Number(a === 'null') - Number(b === 'null')) as string[];
  const has = (...keys: readonly string[]) => keys.some((key) => key in schema);
  if (has('properties', 'required', 'additionalProperties', 'patternProperties', 'minProperties', 'propertyNames'))
    return ['object'];
  if (has('items', 'prefixItems', 'minItems', 'contains', 'uniqueItems')) return ['array'];
  if (has('minimum', 'maximum', 'multipleOf', 'exclusiveMinimum', 'exclusiveMaximum')) return ['number'];
  return ['string', 'number', 'boolean', 'object', 'array', 'null'];
}

export function leadsBack(schema: unknown, refs: readonly string[]): boolean {
  return isObject(schema) && typeof schema.$ref === 'string' && (schema.$ref === '#' || refs.includes(schema.$ref));
}
