// Schemas of objects as OpenAI takes them: at their root, an object with properties and nothing to choose from.

import { isObject } from '@ai-agent/core';
import type { JSONSchema7 } from '@ai-sdk/provider';

const choices = ['anyOf', 'oneOf', 'allOf'] as const;
const refused = new Set<string>([...choices, 'enum', 'not']);

export function isPlainObjectSchema(schema: JSONSchema7): boolean {
  return schema.type === 'object' && !Object.keys(schema).some((key) => refused.has(key));
}

/** What the choices at the root name is still named; which of them belong together, our own validation holds. */
export function toParameters(schema: JSONSchema7): JSONSchema7 {
  if (isPlainObjectSchema(schema) && schema.properties) return schema;
  const root = dereferenced(schema);
  const properties = Object.assign({}, ...choices.flatMap((key) => propertiesIn(root[key])), root.properties);
  const kept = Object.fromEntries(Object.entries(root).filter(([key]) => !refused.has(key)));
  return { ...kept, type: 'object', properties };
}

function propertiesIn(variants: unknown): readonly object[] {
  if (!Array.isArray(variants)) return [];
  return variants.flatMap((one) => (isObject(one) && isObject(one.properties) ? [one.properties] : []));
}

/** Of a root that only points to one of its own definitions, that definition. */
function dereferenced(schema: JSONSchema7): JSONSchema7 {
  const { $ref, ...rest } = schema;
  const [, holder, name] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec($ref ?? '') ?? [];
  if (holder === undefined || name === undefined) return schema;
  const held: unknown = (rest as Readonly<Record<string, unknown>>)[holder];
  const target = isObject(held) ? held[name] : undefined;
  return isObject(target) ? { ...rest, ...(target as JSONSchema7) } : schema;
}
