// Schemas as OpenAI takes them: at the root an object with properties and nothing to choose from, and lists of something.

import { isObject } from '@ai-agent/core';
import type { JSONSchema7 } from '@ai-sdk/provider';

const choices = ['anyOf', 'oneOf', 'allOf'] as const;
const refused = new Set<string>([...choices, 'enum', 'not']);

export function isPlainObjectSchema(schema: JSONSchema7): boolean {
  return schema.type === 'object' && !Object.keys(schema).some((key) => refused.has(key));
}

/** A list that does not say of what is refused, wherever it is; it may be of anything. So is one that says it place by place. */
export function withItems<Schema>(schema: Schema): Schema {
  if (Array.isArray(schema)) return schema.map((one) => withItems(one)) as Schema;
  if (!isObject(schema)) return schema;
  const fields = Object.entries(schema).map(([key, value]) => {
    if (values.has(key)) return [key, value];
    if (!maps.has(key) || !isObject(value)) return [key, withItems(value)];
    return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withItems(one)]))];
  });
  const { prefixItems: _, ...made } = Object.fromEntries(fields);
  return isBareList(schema) ? { ...made, items: {} } : made;
}

/** Keywords whose value is data, and those whose value is schemas by name. */
const values = new Set(['const', 'default', 'enum', 'examples', 'required']);
const maps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

function isBareList({ type, items }: Record<string, unknown>): boolean {
  return (type === 'array' || (Array.isArray(type) && type.includes('array'))) && (!items || Array.isArray(items));
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
