// Schemas of agents as every client can read them: one that a client cannot compile would cost it the whole list.

import { checkSchema, isObject, type JsonSchema } from '@ai-agent/core';
import { mapSchemas, type Node } from '../../openapi/keywords.ts';

/** Of the arguments of a tool. */
export function toListedInput(schema: JsonSchema): JsonSchema {
  const listed = withObjects(withDialect(schema));
  // Whoever has said that it is the newest is not taken for somebody who has said nothing.
  return '$schema' in listed || !isNewest(schema) ? listed : { $schema: dialects.draft2020, ...listed };
}

function isNewest({ $schema }: JsonSchema): boolean {
  return typeof $schema === 'string' && $schema.includes('2020-12');
}

/**
 * Of what it answers: never stricter than what answers here are held to, because a client throws away what it finds wrong. Nothing
 * where some clients cannot compile it.
 */
export function toListedOutput(schema: JsonSchema): JsonSchema | undefined {
  const lenient = withObjects(withDialect(withoutId(loosen(schema) as JsonSchema)));
  const isReadable = compiles(lenient) && compiles({ ...lenient, $schema: dialects.draft7 });
  return isReadable ? lenient : undefined;
}

const dialects = {
  draft7: 'http://json-schema.org/draft-07/schema#',
  draft2019: 'https://json-schema.org/draft/2019-09/schema',
  draft2020: 'https://json-schema.org/draft/2020-12/schema',
} as const;

/** As it is read here, in the spelling that clients know; where nobody says they take it for the newest. */
function withDialect(schema: JsonSchema): JsonSchema {
  const { $schema, ...rest } = schema;
  const said = typeof $schema === 'string' ? $schema : '';
  if (/draft-0[4-7]/.test(said)) return { $schema: dialects.draft7, ...rest };
  if (said.includes('2019-09')) return { $schema: dialects.draft2019, ...rest };
  if (compiles({ $schema: dialects.draft2020, ...rest })) return rest;
  return { $schema: dialects.draft7, ...rest };
}

function compiles(schema: JsonSchema): boolean {
  try {
    checkSchema(schema, 'it');
    return true;
  } catch {
    return false;
  }
}

/** Some take only objects for schemas, though `true` is one too, but where nearly everybody writes it so. */
function withObjects(schema: JsonSchema): JsonSchema {
  const usual = Object.entries(schema).filter(([key, part]) => typeof part === 'boolean' && usuallyBoolean.has(key));
  return { ...mapSchemas(schema, toObject), ...Object.fromEntries(usual) };
}

const usuallyBoolean = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'additionalItems',
  'unevaluatedItems',
]);

function toObject(part: unknown): unknown {
  if (typeof part === 'boolean') return part ? {} : { not: {} };
  return isObject(part) ? withObjects(part) : part;
}

/** Clients keep schemas by their names, also those that have changed since, and two tools may not have one name: what refers to it, refers to the root. */
function withoutId(schema: JsonSchema): JsonSchema {
  const { $id, ...rest } = schema;
  if (typeof $id !== 'string') return rest;
  const name = $id.replace(/#$/, '');
  const toRoot = (key: string, value: unknown) =>
    key === '$ref' && (value === name || String(value).startsWith(`${name}#`))
      ? `#${String(value).slice(name.length + 1)}`
      : value;
  return JSON.parse(JSON.stringify(rest), toRoot) as JsonSchema;
}

/**
 * Formats are notes here, and demands to clients. What follows the first items of a list is said by a word that older drafts read
 * as being about all of them.
 */
function loosen(schema: unknown): unknown {
  if (!isObject(schema)) return schema;
  const { format: _format, ...rest } = schema as Node;
  const { items, ...others } = rest;
  const loose = 'prefixItems' in rest || items === undefined ? others : rest;
  return mapSchemas(loose, loosen);
}
