// What a function of a client takes, as OpenAI's clients declare it.

import { isObject, type JsonSchema } from '@ai-agent/core';
import { toToolSchema } from '../../talk/tool-schema.ts';
import { WrongField, wrongType } from './wrong-field.ts';

/** Nothing where none are declared. Throws `request-invalid`. */
export function readParameters(parameters: unknown, param: string): JsonSchema {
  if (parameters === undefined || parameters === null) return { type: 'object', properties: {} };
  if (!isObject(parameters)) throw wrongType(param, 'a JSON Schema, which is an object');
  const schema = toToolSchema(parameters);
  if (schema) return schema;
  throw new WrongField(`${param}.type`, `${param}.type must be object: arguments are one.`);
}
