// Values for a JSON Schema: proposals from what was said, best first, and the first that the schema accepts.

import type { Json, JsonSchema } from '@ai-agent/core';
import { arraysFor, firstOf, leadsBack, objectsFor, typesOf } from './containers.ts';
import { fits } from './fits.ts';
import { type Material, toPlainName } from './material.ts';
import { type Flat, flatten } from './schema.ts';
import { listOf, mapOf, type Place, type Purpose, Scope, within } from './scope.ts';
import { isFreeText, isRequestName, stringsFor } from './strings.ts';

/** An empty object when none was found at a bearable cost: the check that follows says what is wrong with it. */
export function makeValue(schema: JsonSchema, material: Material, purpose: Purpose): Json {
  const start = { name: '', index: 0, isItem: false, refs: [], root: schema, depth: 0, repairs: 0 };
  for (const isLean of [false, true]) {
    try {
      const place = { ...start, isLean, scope: new Scope(25_000), material, purpose, valuesOf };
      const value = firstOf(valuesOf(schema, place));
      if (value !== undefined) return value;
    } catch {
      // Too costly, too deep, or no schema at all: less is tried once, and then nothing.
    }
  }
  return {};
}

/** Deeper than anything that is filled in by hand. */
const deepest = 40;

function* valuesOf(schema: unknown, outer: Place): Generator<Json> {
  outer.scope.spend(15);
  if (outer.depth > deepest) return;
  const inside = within(mapOf(schema), outer);
  const flat = flatten(schema, inside, outer.refs);
  if (!flat) return;
  const place = { ...inside, refs: flat.refs };
  const values = flat.choices.length > 0 ? branchesOf(flat, place) : settled(flat, place);
  for (const value of values) if (fits(schema, value, outer)) yield value;
}

function* branchesOf({ schema, choices, conditions }: Flat, place: Place): Generator<Json> {
  for (const branches of combinations(choices.map((branches) => shallowFirst(branches, place)))) {
    yield* place.valuesOf({ allOf: [schema, ...branches, ...conditions] }, place);
  }
}

/** One of each: the first of all, the second of all and so on, and then some of the mixtures. */
function* combinations(choices: readonly (readonly unknown[])[]): Generator<readonly unknown[]> {
  const most = Math.max(...choices.map((branches) => branches.length));
  for (let n = 0; n < Math.min(most, 64); n++) yield choices.map((branches) => branches[n % branches.length]);
  for (let n = 0; n < 64 && choices.length > 1; n++) {
    let rest = n;
    yield choices.map((branches) => {
      const branch = branches[rest % branches.length];
      rest = Math.floor(rest / branches.length);
      return branch;
    });
  }
}

/** Proposals; the first that breaks a condition is made again with what the condition demands of it. */
function* settled({ schema, conditions }: Flat, place: Place): Generator<Json> {
  let isTried = conditions.length === 0 || place.repairs > 2;
  for (const value of proposals(schema, place)) {
    yield value;
    if (isTried) continue;
    isTried = true;
    const demands = conditions.map((condition) =>
      fits(condition.if, value, place) ? (condition.then ?? true) : (condition.else ?? true),
    );
    yield* place.valuesOf({ allOf: [schema, ...demands, ...conditions] }, { ...place, repairs: place.repairs + 1 });
  }
}

function* proposals(schema: JsonSchema, place: Place): Generator<Json> {
  const named = place.material.named.get(toPlainName(place.name));
  if (named !== undefined && place.name !== '') yield named;
  if ('const' in schema) return yield schema.const as Json;
  if (Array.isArray(schema.enum)) return yield* mentionedFirst(schema.enum as Json[], place);
  yield* offered(schema, place);
  for (const type of typesOf(schema)) yield* ofType(type, schema, place);
}

/** The author's own default and examples, except where the request itself is the better text. */
function* offered(schema: JsonSchema, { name, purpose }: Place): Generator<Json> {
  const isText = typesOf(schema)[0] === 'string' && isFreeText(name, schema);
  if (isText && (isRequestName(name) || purpose === 'report')) return;
  if ('default' in schema && schema.default !== null && schema.default !== '') yield schema.default as Json;
  yield* listOf(schema.examples) as Json[];
}

function ofType(type: string, schema: JsonSchema, place: Place): Iterable<Json> {
  const { material, index } = place;
  if (type === 'object') return objectsFor(schema, place);
  if (type === 'array') return arraysFor(schema, place);
  if (type === 'string') return stringsFor(schema, place);
  if (type === 'boolean') return [false, true];
  if (type === 'null') return [null];
  return numbersFor(schema, material.numbers, index);
}

function mentionedFirst(choices: readonly Json[], { material, scope }: Place): readonly Json[] {
  scope.spend(choices.length >> 2);
  const words = new Set(
    material.request
      .slice(0, 4000)
      .toLowerCase()
      .match(/[\p{L}\p{N}_-]+/gu),
  );
  const isMentioned = (choice: Json) => typeof choice === 'string' && words.has(choice.toLowerCase());
  return choices.toSorted((a, b) => Number(isMentioned(b)) - Number(isMentioned(a)));
}

function shallowFirst(branches: readonly unknown[], { refs, scope }: Place): readonly unknown[] {
  scope.spend(branches.length >> 3);
  return branches.toSorted((a, b) => Number(leadsBack(a, refs)) - Number(leadsBack(b, refs)));
}

/** Proposals, best first; whoever asks checks them. With another index others come first, so that neighbours differ. */
function* numbersFor(schema: JsonSchema, said: readonly number[], index: number): Generator<number> {
  const plain = [...said, 1, 0];
  yield* plain.slice(index);
  const { low, high, step } = boundsOf(schema);
  const start = Number.isFinite(low) ? Math.ceil(low / step) : Number.isFinite(high) ? Math.floor(high / step) - 40 : 2;
  // From the index on, so that a long list finds a new one for each of its items at once.
  for (let n = index; n <= index + 80; n++) yield tidy((start + n) * step);
  for (let n = 0; n < Math.min(index, 80); n++) yield tidy((start + n) * step);
  yield* plain;
  if (!Number.isFinite(high - low)) yield* [0.5, low + 0.5, high - 0.5].filter(Number.isFinite);
  else for (let n = 1; n < 20; n++) yield low + ((high - low) * n) / 20;
}

function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf }: JsonSchema) {
  const given = (...bounds: readonly unknown[]) => bounds.filter((bound) => typeof bound === 'number');
  return {
    low: Math.max(...given(minimum, exclusiveMinimum)),
    high: Math.min(...given(maximum, exclusiveMaximum)),
    step: given(multipleOf)[0] ?? 1,
  };
}

/** 3 * 0.1 is 0.30000000000000004, and nobody means that. */
function tidy(number: number): number {
  return Number(number.toPrecision(15));
}
