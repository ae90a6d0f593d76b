// What a tool of a client takes, as models are told it: arguments are always an object.

import type { JsonSchema } from '@ai-agent/core';

/** Also where it says nothing of that, or allows more. Nothing where it is of another type. */
export function toToolSchema(schema: JsonSchema): JsonSchema | undefined {
  const { type } = schema;
  if (type === 'object' || type === undefined) return schema;
  const mayBeObject = type === null || (Array.isArray(type) && type.includes('object'));
  return mayBeObject ? { ...schema, type: 'object' } : undefined;
}
