// Words of a schema that careless readers take for references: said in another way, or left out.

import { isObject } from '@ai-agent/core';
import type { Node } from './keywords.ts';

const data = new Set(['const', 'enum', 'default', 'examples', 'example']);
const maps = new Set(['dependentRequired', 'dependentSchemas', 'patternProperties']);

/** A property may be called $ref: as a pattern it is the same. Data that has such a key is not shown; it is checked all the same. */
export function withoutLookalikes(schema: Node): Node {
  const entries = Object.entries(schema).filter(([keyword, value]) => !data.has(keyword) || !hasReference(value));
  const plain = Object.fromEntries(
    entries.map(([keyword, value]) => [keyword, maps.has(keyword) ? without(value) : value]),
  );
  const { properties, patternProperties } = plain;
  if (!isObject(properties) || !Object.hasOwn(properties, '$ref')) return plain;
  const patterns = isObject(patternProperties) ? patternProperties : {};
  const pattern = { ...patterns, '^\\$ref$': properties.$ref };
  return { ...plain, properties: without(properties), patternProperties: pattern };
}

function without(map: unknown): unknown {
  return isObject(map) ? Object.fromEntries(Object.entries(map).filter(([key]) => key !== '$ref')) : map;
}

function hasReference(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasReference);
  return isObject(value) && (Object.hasOwn(value, '$ref') || Object.values(value).some(hasReference));
}
