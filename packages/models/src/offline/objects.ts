// Objects for a JSON Schema: what is required, then the optional properties that are worth filling.

import type { Json, JsonObject, JsonSchema } from '@ai-agent/core';
import { fits, isDeclared, isMatch } from './fits.ts';
import { toPlainName } from './material.ts';
import { textsMatching } from './pattern.ts';
import { leadsBack, mapOf, type Place, take, typesOf, variants } from './place.ts';
import { flatten } from './schema.ts';
import { isFreeText, isReason, isRequestName } from './strings.ts';

export function* objectsFor(schema: JsonSchema, place: Place): Generator<Json> {
  const required = withDependents(stringList(schema.required), schema);
  const parts = new Map<string, readonly Json[]>();
  for (const key of required) parts.set(key, propertyValues(key, schema, place));
  if ([...parts.values()].some((values) => values.length === 0)) return;
  const all = new Map(parts);
  for (const key of withDependents(optionalKeys(schema, place, parts), schema)) {
    const values = all.has(key) ? [] : propertyValues(key, schema, place);
    if (values.length > 0) all.set(key, values);
  }
  for (const chosen of [all, parts]) {
    for (let variant = 0; variant < variants; variant++) {
      yield Object.fromEntries(
        [...chosen].map(([key, values]) => [key, values[Math.min(variant, values.length - 1)]]),
      ) as JsonObject;
    }
  }
}

function propertyValues(key: string, schema: JsonSchema, place: Place): readonly Json[] {
  const inner = propertySchema(key, schema);
  return [...take(place.valuesOf(inner, { ...place, name: key, ordinal: ordinalOf(key, schema) }), variants)];
}

function ordinalOf(key: string, schema: JsonSchema): number {
  const properties = mapOf(schema.properties);
  const typeOf = (other: string) => String(mapOf(properties[other]).type);
  const keys = Object.keys(properties);
  return keys.slice(0, Math.max(0, keys.indexOf(key))).filter((other) => typeOf(other) === typeOf(key)).length;
}

function propertySchema(key: string, schema: JsonSchema): unknown {
  const properties = mapOf(schema.properties);
  const patterns = Object.entries(mapOf(schema.patternProperties)).filter(([pattern]) => isMatch(pattern, key));
  const found = [...(Object.hasOwn(properties, key) ? [properties[key]] : []), ...patterns.map(([, part]) => part)];
  if (found.length === 0) return schema.additionalProperties ?? true;
  return found.length === 1 ? found[0] : { allOf: found };
}

/** Which optional properties to fill: all, or those that were named, or one for the request if nothing carries it. */
function optionalKeys(
  schema: JsonSchema,
  place: Place,
  required: ReadonlyMap<string, readonly Json[]>,
): readonly string[] {
  const { material, purpose, refs, root } = place;
  const properties = mapOf(schema.properties);
  const open = Object.keys(properties).filter((key) => !required.has(key) && !leadsBack(properties[key], refs));
  const needed = Number(schema.minProperties ?? 0) - required.size;
  const more = needed > 0 ? [...open, ...inventedKeys(schema, place)].slice(0, needed) : [];
  if (purpose !== 'call') return [...open, ...more.slice(open.length)];
  const named = open.filter((key) => material.named.has(toPlainName(key)));
  const start = JSON.stringify(material.request.slice(0, 20)).slice(1, -1);
  const said = [...required].filter(([key]) => !isReason(key)).map(([, values]) => JSON.stringify(values[0]));
  if (named.length > 0 || said.some((text) => text.includes(start))) return [...named, ...more];
  const texts = open.filter((key) => {
    const part = flatten(properties[key], root, refs)?.schema;
    return part !== undefined && typesOf(part)[0] === 'string' && isFreeText(key, part);
  });
  const carrier = texts.find(isRequestName) ?? texts[0];
  return carrier === undefined ? more : [carrier, ...more.filter((key) => key !== carrier)];
}

/** Keys for an object that must have more than it declares. */
function inventedKeys(schema: JsonSchema, place: Place): readonly string[] {
  const patterned = Object.keys(mapOf(schema.patternProperties)).flatMap((pattern) => [...textsMatching(pattern)]);
  const names = [...take(place.valuesOf({ type: 'string', allOf: [schema.propertyNames ?? true] }, place), variants)];
  const plain = Array.from({ length: 20 }, (_, i) => `item${i + 1}`);
  const fitting = [...patterned, ...(schema.propertyNames === undefined ? plain : names)].filter(
    (key) => typeof key === 'string' && (isDeclared(key, schema) || schema.additionalProperties !== false),
  );
  return [...new Set(fitting as string[])].filter((key) => fits(schema.propertyNames ?? true, key, place.root));
}

function withDependents(keys: readonly string[], schema: JsonSchema): readonly string[] {
  const dependents = mapOf(schema.dependentRequired);
  const all = new Set(keys);
  for (const key of all) for (const other of stringList(dependents[key])) all.add(other);
  return [...all];
}

function stringList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
}
