// A schema with what it refers to in its place, one level deep.

import { isObject, type JsonSchema } from '@ai-agent/core';

/** Where in a schema somebody is. */
export interface Place {
  readonly root: JsonSchema;
  /** The references that led here. */
  readonly refs: readonly string[];
}

export interface Resolved extends Place {
  readonly schema: JsonSchema;
}

/** Undefined for what cannot be known here: a reference to elsewhere, to nothing, or back to where it came from. */
export function resolveSchema(schema: unknown, { root, refs }: Place): Resolved | undefined {
  if (schema === true) return { schema: {}, root, refs };
  if (!isObject(schema) || '$dynamicRef' in schema || '$recursiveRef' in schema) return undefined;
  const { $ref, allOf, ...own } = schema;
  const named = typeof $ref === 'string' ? refer($ref, { root, refs }) : undefined;
  if ($ref !== undefined && !named) return undefined;
  const parts = Array.isArray(allOf) ? allOf.map((part) => resolveSchema(part, { root, refs })) : [];
  let whole: JsonSchema = {};
  const seen = new Set(refs);
  for (const part of [...(named ? [named] : []), ...parts, { schema: own, refs: [] }]) {
    if (!part) return undefined;
    whole = mergeSchemas(whole, part.schema);
    for (const ref of part.refs) seen.add(ref);
  }
  return { schema: whole, root, refs: [...seen] };
}

/** Both at once, as far as a form can say so: where they differ, the second holds. */
export function mergeSchemas(first: JsonSchema, second: JsonSchema): JsonSchema {
  const merged = { ...first, ...second };
  const properties = [first.properties, second.properties].filter(isObject);
  const required = [first.required, second.required].filter(Array.isArray).flat();
  return {
    ...merged,
    ...(properties.length > 0 ? { properties: Object.assign(bare(), ...properties) } : {}),
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  };
}

/** Takes a property of any name, `__proto__` too. */
function bare(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>;
}

function refer(ref: string, { root, refs }: Place): Resolved | undefined {
  if (refs.includes(ref) || (ref !== '#' && !ref.startsWith('#/'))) return undefined;
  let found: unknown = root;
  for (const step of stepsOf(ref)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, step)) return undefined;
    found = (found as Record<string, unknown>)[step];
  }
  return resolveSchema(found, { root, refs: [...refs, ref] });
}

function stepsOf(ref: string): readonly string[] {
  const steps = ref.split('/').slice(1);
  try {
    return steps.map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
  } catch {
    return steps;
  }
}
