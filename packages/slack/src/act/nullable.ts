// A schema that allows null beside something else, as what it is beside that: who leaves a field empty says nothing.

import { isObject, type Json, type JsonObject } from '@ai-agent/core';

export interface Stripped {
  readonly schema: JsonObject;
  /** Whether null was allowed. */
  readonly isNullable: boolean;
}

export function withoutNull(schema: JsonObject): Stripped {
  const stripped = withoutNullValue(withoutNullType(withoutNullBranch(schema)));
  return { schema: stripped, isNullable: stripped !== schema };
}

/** `{ "anyOf": [{ "type": "string" }, { "type": "null" }] }`: what is said beside it holds too. */
function withoutNullBranch(schema: JsonObject): JsonObject {
  for (const key of ['anyOf', 'oneOf'] as const) {
    const { [key]: branches, ...rest } = schema;
    if (!Array.isArray(branches)) continue;
    const others = branches.filter((branch) => !(isObject(branch) && branch.type === 'null'));
    const [only] = others;
    if (others.length === 1 && branches.length > 1 && isObject(only)) return { ...(only as JsonObject), ...rest };
  }
  return schema;
}

function withoutNullType(schema: JsonObject): JsonObject {
  const others = without(schema.type, 'null');
  return others?.length === 1 ? { ...schema, type: others[0] as Json } : schema;
}

function withoutNullValue(schema: JsonObject): JsonObject {
  const others = without(schema.enum, null);
  return others ? { ...schema, enum: others } : schema;
}

/** Undefined where it is not in the list, or alone there. */
function without(list: Json | undefined, value: Json): readonly Json[] | undefined {
  if (!Array.isArray(list) || !list.includes(value)) return undefined;
  const others = list.filter((one) => one !== value);
  return others.length > 0 ? others : undefined;
}
