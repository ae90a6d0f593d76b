// The form that a client wants the answer in: text, or JSON by a schema.

import { isAgentError, isObject, type JsonSchema, type OutputContract, resultOf } from '@ai-agent/core';
import { checkClientSchema } from '../../client-schema.ts';
import type { ServedAgent } from '../../served-agent.ts';
import type { Fields } from './read-object.ts';
import { missingField, WrongField, wrongType } from './wrong-field.ts';

export interface GivenFormat {
  /** What has a type, as both APIs have it. */
  readonly format: unknown;
  /** Where that is: `response_format`. */
  readonly param: string;
  /** Where its name and its schema are, below that; empty where they are beside the type. */
  readonly inside: string;
}

/** Nothing where the agent keeps the contract it has. Throws `request-invalid`. */
export function readFormat(given: GivenFormat, { agent }: ServedAgent): OutputContract | undefined {
  const { format, param } = given;
  if (format === undefined || format === null) return undefined;
  if (!isObject(format)) throw wrongType(param, 'an object');
  const { type } = format;
  if (type === undefined) throw missingField(`${param}.type`);
  if (type === 'text') return undefined;
  // Any object will do: what the agent gives by its own contract is one that somebody thought about.
  if (type === 'json_object') return resultOf(agent)?.format === 'json' ? undefined : anyObject;
  if (type === 'json_schema') return readJsonSchema(given, format);
  throw new WrongField(`${param}.type`, `${param}.type must be one of text, json_object, json_schema.`);
}

const anyObject: OutputContract = { format: 'json', schema: { type: 'object' } };

function readJsonSchema({ param, inside }: GivenFormat, format: Fields): OutputContract {
  const place = inside === '' ? param : `${param}.${inside}`;
  const told = inside === '' ? format : format[inside];
  if (told === undefined) throw missingField(place);
  if (!isObject(told)) throw wrongType(place, 'an object with a name and a schema');
  const { name, schema } = told;
  if (name === undefined) throw missingField(`${place}.name`);
  if (typeof name !== 'string') throw wrongType(`${place}.name`, 'text');
  if (schema === undefined || schema === null) return anyObject;
  if (!isObject(schema)) throw wrongType(`${place}.schema`, 'a JSON Schema, which is an object');
  check(schema, `${place}.schema`);
  return { format: 'json', schema };
}

function check(schema: JsonSchema, param: string): void {
  try {
    checkClientSchema(schema);
  } catch (error) {
    if (!isAgentError(error)) throw error;
    throw new WrongField(param, `${param}: ${error.message}`, { cause: error, remedy: error.remedy });
  }
}
