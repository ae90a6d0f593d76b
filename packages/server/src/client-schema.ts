// A JSON Schema that comes with a request: it is compiled and run here, so it has to be small, and to come to an end.

import { AgentError, checkSchema, isObject, type JsonSchema, messageOf } from '@ai-agent/core';

/** Compiling takes a hundredth of a millisecond for each letter, and everybody waits for it. */
export const schemaBounds = { letters: 32 * 1024, levels: 64 } as const;

/** Throws `request-invalid`. */
export function checkClientSchema(schema: JsonSchema): void {
  checkSize(schema);
  try {
    checkSchema(schema, 'schema');
  } catch (error) {
    throw new AgentError('request-invalid', messageOf(error), { cause: error });
  }
}

function checkSize(schema: JsonSchema): void {
  const { letters, levels } = schemaBounds;
  if (isDeeper(schema, levels)) throw new AgentError('request-invalid', `The schema has more than ${levels} levels.`);
  const { length } = JSON.stringify(schema);
  if (length > letters)
    throw new AgentError('request-invalid', `The schema is ${length} letters long; at most ${letters} are taken.`);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (!isObject(value) && !Array.isArray(value)) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}
