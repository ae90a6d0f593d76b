// Values for a JSON Schema: proposals from what was said, best first, and the first that the schema accepts.

import type { Json, JsonSchema } from '@ai-agent/core';
import { arraysFor } from './arrays.ts';
import { fits } from './fits.ts';
import { type Material, toPlainName } from './material.ts';
import { numbersBeside, numbersFor } from './numbers.ts';
import { objectsFor } from './objects.ts';
import { leadsBack, type Place, type Purpose, take, typesOf } from './place.ts';
import { flatten } from './schema.ts';
import { isFreeText, isRequestName, stringsFor } from './strings.ts';

export function makeValue(schema: JsonSchema, material: Material, purpose: Purpose): Json {
  const place: Place = {
    name: '',
    ordinal: 0,
    isItem: false,
    root: schema,
    refs: [],
    material,
    purpose,
    budget: { left: 20_000 },
    valuesOf,
  };
  let spare: Json | undefined;
  for (const value of take(valuesOf(schema, place), 50)) {
    if (fits(schema, value, schema)) return value;
    spare ??= value;
  }
  // No rule found one: the check that follows says what is wrong with it.
  return spare ?? null;
}

function* valuesOf(schema: unknown, place: Place): Generator<Json> {
  if (place.budget.left-- <= 0) return;
  const flat = flatten(schema, place.root, place.refs);
  if (!flat) return;
  for (const value of proposals(flat.schema, { ...place, refs: flat.refs })) {
    if (fits(flat.schema, value, place.root)) yield value;
  }
}

function* proposals(schema: JsonSchema, place: Place): Generator<Json> {
  const named = place.material.named.get(toPlainName(place.name));
  if (named !== undefined && place.name !== '') yield named;
  if ('const' in schema) return yield schema.const as Json;
  if (Array.isArray(schema.enum)) return yield* mentionedFirst(schema.enum as Json[], place.material.request);
  yield* offered(schema, place);
  const { anyOf, ...rest } = schema;
  const { oneOf, ...others } = rest;
  const branches = anyOf ?? oneOf;
  if (!Array.isArray(branches)) {
    for (const type of typesOf(schema)) yield* ofType(type, schema, place);
    return;
  }
  const base = anyOf === undefined ? others : rest;
  for (const branch of shallowFirst(branches, place)) yield* valuesOf({ ...base, allOf: [branch] }, place);
}

/** The author's own default and examples, except where the request itself is the better text. */
function* offered(schema: JsonSchema, { name, purpose }: Place): Generator<Json> {
  const isText = typesOf(schema)[0] === 'string' && isFreeText(name, schema);
  if (isText && (isRequestName(name) || purpose === 'report')) return;
  if ('default' in schema && schema.default !== null && schema.default !== '') yield schema.default as Json;
  if (Array.isArray(schema.examples)) yield* schema.examples as Json[];
}

function ofType(type: string, schema: JsonSchema, place: Place): Iterable<Json> {
  const { material, purpose } = place;
  if (type === 'object') return objectsFor(schema, place);
  if (type === 'array') return arraysFor(schema, place);
  if (type === 'string') return stringsFor(schema, { ...place, isReport: purpose === 'report' });
  if (type === 'boolean') return [false, true];
  if (type === 'null') return [null];
  const counted = numbersBeside(place.name, material.request);
  const said = [...material.numbers.slice(place.ordinal), ...material.numbers.slice(0, place.ordinal)];
  return numbersFor(schema, type === 'integer', [...counted, ...said]);
}

function mentionedFirst(choices: readonly Json[], request: string): readonly Json[] {
  const words = new Set(request.toLowerCase().match(/[\p{L}\p{N}_-]+/gu));
  const isMentioned = (choice: Json) => typeof choice === 'string' && words.has(choice.toLowerCase());
  return choices.toSorted((a, b) => Number(isMentioned(b)) - Number(isMentioned(a)));
}

function shallowFirst(branches: readonly unknown[], { refs }: Place): readonly unknown[] {
  return branches.toSorted((a, b) => Number(leadsBack(a, refs)) - Number(leadsBack(b, refs)));
}
