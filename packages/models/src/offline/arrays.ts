// Lists for a JSON Schema: as long as there is something to say, within what the schema allows.

import type { Json, JsonSchema } from '@ai-agent/core';
import { toKey } from './fits.ts';
import { leadsBack, type Place, take, typesOf, variants } from './place.ts';
import { flatten } from './schema.ts';

export function* arraysFor(schema: JsonSchema, place: Place): Generator<Json> {
  const least = Number(schema.minItems ?? 0);
  const most = Math.min(Number(schema.maxItems ?? 1000), 1000);
  const parts = partsOf(schema);
  const wanted = Math.min(Math.max(wantedCount(parts, place), least), most);
  for (const count of [wanted, least]) yield listOf(count, parts, place);
}

interface Parts {
  /** One schema for each of the first items. */
  readonly prefix: readonly unknown[];
  /** For all others. */
  readonly rest: unknown;
  readonly contains: unknown;
  readonly minContains: number;
}

function partsOf({ items, prefixItems, additionalItems, contains, minContains }: JsonSchema): Parts {
  const wanted = { contains, minContains: contains === undefined ? 0 : Number(minContains ?? 1) };
  if (Array.isArray(items)) return { prefix: items, rest: additionalItems ?? true, ...wanted };
  return { prefix: Array.isArray(prefixItems) ? prefixItems : [], rest: items ?? true, ...wanted };
}

function listOf(count: number, { prefix, rest, contains, minContains }: Parts, place: Place): Json {
  const items: Json[] = [];
  for (let i = 0; i < count; i++) {
    const own = prefix[i] ?? rest;
    const item = nextItem(i < minContains ? { allOf: [own, contains] } : own, items, place);
    if (item === undefined) break;
    items.push(item);
  }
  return items;
}

/** A new value if there is one, else one that is there already. */
function nextItem(schema: unknown, items: readonly Json[], place: Place): Json | undefined {
  const known = new Set(items.map(toKey));
  const values = [...take(place.valuesOf(schema, { ...place, ordinal: 0, isItem: true }), items.length + variants)];
  return values.find((value) => !known.has(toKey(value))) ?? values[0];
}

function wantedCount({ prefix, rest, minContains }: Parts, { material, purpose, root, refs }: Place): number {
  const given = Math.max(prefix.length, minContains);
  if (rest === false || leadsBack(rest, refs)) return given;
  const type = typesOf(flatten(rest, root, refs)?.schema ?? {})[0];
  const isNumeric = type === 'number' || type === 'integer';
  if (isNumeric && material.numbers.length > 0) return Math.max(given, Math.min(material.numbers.length, 8));
  return Math.max(given, purpose === 'report' && !isNumeric ? Math.min(material.points.length, 3) : 1);
}
