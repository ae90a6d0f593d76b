// Where in a value a proposal is needed, and what every kind of proposal wants to know about it.

import { isObject, type Json, type JsonSchema } from '@ai-agent/core';
import type { Material } from './material.ts';

/** `call`: what is required, and the request. `full-call`: everything that is declared. `report`: the same, as an answer. */
export type Purpose = 'call' | 'full-call' | 'report';

export interface Place {
  readonly name: string;
  /** How many properties of the same type come before it. */
  readonly ordinal: number;
  /** Whether it belongs to an item of a list, which says one thing only. */
  readonly isItem: boolean;
  readonly root: JsonSchema;
  readonly refs: readonly string[];
  readonly material: Material;
  readonly purpose: Purpose;
  /** Shared by the whole value: a schema that leads nowhere costs a bounded time. */
  readonly budget: { left: number };
  /** Proposals for a schema at a place, each of which it accepts. Part of the place, so that parts can ask for parts. */
  readonly valuesOf: (schema: unknown, place: Place) => Iterable<Json>;
}

/** How many proposals are kept for one part: enough to make a few items of a list differ. */
export const variants = 8;

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

export function* take<T>(values: Iterable<T>, most: number): Generator<T> {
  if (most < 1) return;
  let count = 0;
  for (const value of values) {
    yield value;
    if (++count >= most) return;
  }
}

export function mapOf(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
