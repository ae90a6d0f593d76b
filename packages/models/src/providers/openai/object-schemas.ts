// Schemas as OpenAI takes them: lists say of what they are, and not place by place.

import type { JSONSchema7 } from '@ai-sdk/provider';
import { eachSchema, type Schema, settled, toModern, toObjectSchema } from '../schemas.ts';

export const toParameters = settled((schema) => withItems(toObjectSchema(schema)));

export const toReport = settled(withItems);

/** A list that does not say of what is refused, wherever it is; it may be of anything, or of what its places may be. */
function withItems(schema: JSONSchema7): JSONSchema7 {
  return eachSchema(toModern(schema), withOwnItems) as JSONSchema7;
}

function withOwnItems({ prefixItems, ...schema }: Schema): Schema {
  const { type, items } = schema;
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
  if (Array.isArray(prefixItems)) return { ...schema, items: anyOf([...prefixItems, ...(items ? [items] : [])]) };
  return isList && !items ? { ...schema, items: {} } : schema;
}

/** Among what says nothing, anything may be. */
function anyOf(places: readonly unknown[]): Schema {
  const told = new Map(places.map((one) => [JSON.stringify(one), one]));
  if (told.has('{}') || told.has('true') || told.size === 0) return {};
  const [first] = told.values();
  return told.size === 1 ? (first as Schema) : { anyOf: [...told.values()] };
}
