// Makes a JSON Schema flat enough to fill in: references followed, allOf folded in, branches and conditions set aside.

import { isObject, type JsonSchema } from '@ai-agent/core';
import { listOf, mapOf, type Standing } from './scope.ts';

export interface Flat {
  /** What must hold in any case. */
  readonly schema: Record<string, unknown>;
  /** One branch of each must hold too. */
  readonly choices: (readonly unknown[])[];
  /** Each an if, with its then and else. */
  readonly conditions: JsonSchema[];
  /** The references that are open here; one that is met again is a recursion. */
  readonly refs: string[];
}

/** Nothing, when no value can satisfy it or a reference would lead round for ever. */
export function flatten(schema: unknown, standing: Standing, refs: readonly string[]): Flat | undefined {
  const flat: Flat = { schema: {}, choices: [], conditions: [], refs: [...refs] };
  return add(flat, schema, { standing, refs }) ? flat : undefined;
}

interface Path {
  readonly standing: Standing;
  /** From the beginning down to here, without neighbours. */
  readonly refs: readonly string[];
}

function add(to: Flat, schema: unknown, { standing, refs }: Path): boolean {
  if (schema === true || schema === undefined) return true;
  if (!isObject(schema)) return false;
  const { $ref, allOf, anyOf, oneOf, if: condition, then: met, else: unmet, ...rest } = schema;
  const { dependentRequired, dependentSchemas, ...own } = rest;
  for (const branches of [anyOf, oneOf]) if (Array.isArray(branches)) to.choices.push(branches);
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
  if (condition !== undefined) to.conditions.push({ if: condition, then: met, else: unmet });
  for (const [key, part] of Object.entries({ ...mapOf(dependentRequired), ...mapOf(dependentSchemas) })) {
    const demand = Array.isArray(part) ? { required: part } : part;
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    to.conditions.push({ if: { type: 'object', required: [key] }, then: demand });
  }
  merge(to.schema, own, standing);
  if (!listOf(allOf).every((part) => add(to, part, { standing, refs }))) return false;
  if (typeof $ref !== 'string') return true;
  if (refs.filter((ref) => ref === $ref).length > 1) return false;
  to.refs.push($ref);
  return add(to, standing.scope.lookUp($ref, standing.root), { standing, refs: [...refs, $ref] });
}

/** Both at once. Where two demands cannot be joined the later one stays; values are checked afterwards anyway. */
function merge(into: Record<string, unknown>, schema: JsonSchema, { scope }: Standing): void {
  const sizeOf = ({ properties, enum: choices }: JsonSchema) =>
    Object.keys(mapOf(properties)).length + listOf(choices).length;
  scope.spend(2 + Object.keys(schema).length + ((sizeOf(schema) + sizeOf(into)) >> 2));
  for (const [key, value] of Object.entries(schema)) {
    into[key] = key in into ? join(key, into[key], value) : value;
  }
}

function join(key: string, a: unknown, b: unknown): unknown {
  if (typeof a === 'number' && typeof b === 'number') return joinNumbers(key, a, b);
  if (key === 'required') return [...new Set([...listOf(a), ...listOf(b)])];
  if (key === 'enum') return joinChoices(listOf(a), listOf(b));
  if (key === 'type') return joinTypes([a].flat(), [b].flat());
  if (key === 'not') return { anyOf: [a, b] };
  if (a === false || b === false) return false;
  if (key === 'properties' || key === 'patternProperties') return joinMaps(mapOf(a), mapOf(b));
  return isObject(a) && isObject(b) && key !== 'const' && key !== 'default' ? { allOf: [a, b] } : b;
}

function joinNumbers(key: string, a: number, b: number): number {
  if (key === 'multipleOf') return a % b === 0 ? a : b % a === 0 ? b : a * b;
  return /^(min|exclusiveMin)/.test(key) ? Math.max(a, b) : Math.min(a, b);
}

function joinChoices(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  const allowed = new Set(b.map((choice) => JSON.stringify(choice)));
  return a.filter((choice) => allowed.has(JSON.stringify(choice)));
}

function joinTypes(a: readonly unknown[], b: readonly unknown[]): readonly unknown[] {
  const both = a.filter((type) => b.includes(type) || (type === 'integer' && b.includes('number')));
  return b.includes('integer') && a.includes('number') ? [...new Set([...both, 'integer'])] : both;
}

function joinMaps(a: JsonSchema, b: JsonSchema): JsonSchema {
  const shared = Object.keys(a).filter((key) => Object.hasOwn(b, key));
  return { ...a, ...b, ...Object.fromEntries(shared.map((key) => [key, { allOf: [a[key], b[key]] }])) };
}
