// The form of report that a request asks for: its format, and the schema that JSON needs.

import { AgentError, isObject, type JsonSchema, type OutputContract } from '@ai-agent/core';
import { checkClientSchema } from './client-schema.ts';
import { parseJson } from './parse-json.ts';

export type Format = OutputContract['format'];

const formats: readonly Format[] = ['text', 'markdown', 'json'];

export interface OutputFields {
  readonly format?: unknown;
  /** An object, or the text of one. */
  readonly schema?: unknown;
}

export interface OutputAsked {
  readonly format: Format | undefined;
  /** Missing where the agent keeps its own contract. */
  readonly output?: OutputContract;
}

/** `own` is what callers of the agent get when they ask for nothing. Throws `request-invalid`. */
export function readOutput(fields: OutputFields, own: OutputContract): OutputAsked {
  const format = readFormat(fields.format);
  const wanted = format ?? own.format;
  if (fields.schema !== undefined) {
    if (wanted !== 'json')
      throw new AgentError('request-invalid', `A schema is for format=json, and the format is ${wanted}.`);
    return { format, output: { format: 'json', schema: readSchema(fields.schema) } };
  }
  // An agent with a JSON contract keeps it: its report is written as text then.
  if (wanted === own.format || own.format === 'json') return { format };
  if (wanted === 'json')
    throw new AgentError('request-invalid', 'format=json needs a schema: this agent has none of its own.', {
      remedy: 'Send schema too: a JSON Schema.',
    });
  return { format, output: { format: wanted } };
}

function readFormat(format: unknown): Format | undefined {
  if (format === undefined) return undefined;
  const known = formats.find((one) => one === format);
  if (known) return known;
  throw new AgentError('request-invalid', `format must be one of ${formats.join(', ')}.`);
}

function readSchema(given: unknown): JsonSchema {
  const schema = typeof given === 'string' ? parseJson(given, 'schema') : given;
  if (!isObject(schema)) throw new AgentError('request-invalid', 'schema must be a JSON Schema, which is an object.');
  checkClientSchema(schema);
  return schema;
}
