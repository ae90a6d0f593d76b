// JSON by contract, enforced by the provider where that is safe; ours is checked in any case.

import { isObject } from '@ai-agent/core';
import { getModelCapabilities, supportsNativeStructuredOutputSchema } from '@ai-sdk/anthropic/internal';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Traits } from '../../traits.ts';
import { toModern } from '../schemas.ts';

/** The package's other way, a tool that has to be called, would keep the model from calling any other. */
export function withNativeFormat(
  options: LanguageModelV4CallOptions,
  modelId: string,
  { supportsStructuredOutputs = true }: Traits,
): LanguageModelV4CallOptions {
  const { responseFormat, ...rest } = options;
  if (responseFormat?.type !== 'json' || !responseFormat.schema) return rest;
  const schema = toModern(responseFormat.schema);
  const isSafe =
    supportsStructuredOutputs &&
    getModelCapabilities(modelId).supportsStructuredOutput &&
    schema.type === 'object' &&
    isSimple(schema) &&
    unionsIn(schema) <= 16 &&
    supportsNativeStructuredOutputSchema(schema);
  return isSafe ? { ...options, responseFormat: { ...responseFormat, schema } } : rest;
}

/** Whether every part says what it is, in words that this API documents. */
function isSimple(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { $ref, type, enum: values, items, properties = {}, anyOf, oneOf } = schema;
  if (unsupported.some((keyword) => schema[keyword] !== undefined)) return false;
  if ($ref !== undefined)
    return typeof $ref === 'string' && $ref.startsWith('#/') && definitionsOf(schema).every(isSimple);
  if ([type, values, schema.const, anyOf, oneOf].every((said) => said === undefined)) return false;
  if (Array.isArray(values) && values.some((value) => typeof value === 'object' && value !== null)) return false;
  if (type === 'array' && items === undefined) return false;
  const inner = [items ?? [], anyOf ?? [], oneOf ?? [], definitionsOf(schema)].flat();
  return [...inner, ...Object.values(properties as object)].every(isSimple);
}

const unsupported = ['allOf', 'not', 'if', 'dependentSchemas', 'patternProperties', 'prefixItems', '$dynamicRef'];

function definitionsOf({ $defs = {}, definitions = {} }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return [...Object.values($defs as object), ...Object.values(definitions as object)];
}

/** Too many of them, and the schema is refused as too complex. */
function unionsIn(schema: unknown): number {
  if (typeof schema !== 'object' || schema === null) return 0;
  const { anyOf, oneOf, type } = schema as Readonly<Record<string, unknown>>;
  const own = [anyOf, oneOf, type].some(Array.isArray) ? 1 : 0;
  return Object.values(schema).reduce((sum: number, value) => sum + unionsIn(value), own);
}
