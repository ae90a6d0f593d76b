// JSON Schemas of users, compiled once per definition, with complaints a model can act on.

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { AgentError, messageOf } from './errors.ts';
import type { JsonSchema } from './json.ts';

/** What is wrong with a value; an empty list when it satisfies the schema. */
export function problemsOf(schema: JsonSchema, value: unknown): readonly string[] {
  const validate = compile(schema);
  if (validate(value)) return [];
  return [...new Set((validate.errors ?? []).map(toSentence))];
}

/** Throws `schema-invalid` when the schema itself is broken. */
export function checkSchema(schema: JsonSchema, owner: string): void {
  try {
    compile(schema);
  } catch (error) {
    throw new AgentError('schema-invalid', `${owner} is not a valid JSON Schema: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

// Keyed by the definition itself, and pure: the same schema always compiles to the same validator.
const compiled = new WeakMap<JsonSchema, ValidateFunction>();

function compile(schema: JsonSchema): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  // A validator of its own for each schema: two users' schemas with one $id do not meet.
  const options = { allErrors: true, strict: false, validateFormats: false };
  const { $schema, ...rest } = schema;
  const isOld = typeof $schema === 'string' && /draft-0[4-7]/.test($schema);
  const validate = (isOld ? new Ajv(options) : new Ajv2020(options)).compile(rest);
  compiled.set(schema, validate);
  return validate;
}

function toSentence(error: ErrorObject): string {
  const where = error.instancePath === '' ? 'the value' : `"${error.instancePath.slice(1).replaceAll('/', '.')}"`;
  const params = error.params as Record<string, unknown>;
  if (error.keyword === 'required') return `${where} lacks "${params.missingProperty}"`;
  if (error.keyword === 'additionalProperties')
    return `${where} has "${params.additionalProperty}", which is not allowed`;
  if (error.keyword === 'enum') return `${where} must be one of ${JSON.stringify(params.allowedValues)}`;
  if (error.keyword === 'const') return `${where} must be ${JSON.stringify(params.allowedValue)}`;
  return `${where} ${error.message ?? 'does not fit the schema'}`;
}
