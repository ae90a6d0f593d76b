// The contracts of an agent: a schema in the file, or in a file beside it.

import { dirname, resolve } from 'node:path';
import type { JsonSchema } from '@ai-agent/core';
import { type ContractGiven, isSchema } from './options/agent-kinds.ts';
import type { Value } from './options/read-options.ts';
import { parseYaml } from './parse-yaml.ts';
import type { Problems } from './problem.ts';
import { readWithin } from './prompt/read-within.ts';

export interface Contract {
  readonly format: 'text' | 'json' | 'markdown';
  readonly schema?: JsonSchema;
}

export interface ContractContext {
  /** Relative references begin in its folder. */
  readonly file: string;
  /** Schemas may come from these folders alone. */
  readonly roots: readonly string[];
  readonly problems: Problems;
}

/** A schema without a format means JSON. Undefined when nothing was said, or when it is wrong. */
export function toContract(said: Value | undefined, context: ContractContext): Contract | undefined {
  if (!said) return undefined;
  const { format, schema: own, schemaRef } = said.value as ContractGiven;
  const { place } = said;
  if (own && schemaRef) {
    context.problems.error('key-conflict', place, 'has both schema and schemaRef; keep one');
    return undefined;
  }
  const schema = own ?? (schemaRef === undefined ? undefined : readSchema(schemaRef, place, context));
  if (schemaRef !== undefined && !schema) return undefined;
  if (schema && format !== undefined && format !== 'json') {
    context.problems.error('key-conflict', place, `has a schema, and format ${format}; a schema needs format json`);
    return undefined;
  }
  return schema ? { format: 'json', schema } : { format: format ?? 'text' };
}

function readSchema(
  path: string,
  place: Value['place'],
  { file, roots, problems }: ContractContext,
): JsonSchema | undefined {
  const read = readWithin(resolve(dirname(file), path), { roots, place, problems });
  if (!read) return undefined;
  // JSON is YAML too.
  const parsed = parseYaml(read.text);
  if ('root' in parsed && isSchema(parsed.root.value)) return parsed.root.value;
  const [problem] = 'problems' in parsed ? parsed.problems : [];
  const why = problem ? `${problem.message} (line ${problem.line})` : 'it is not an object';
  problems.error('schema-invalid', place, `${path} is no JSON Schema: ${why}`);
  return undefined;
}
