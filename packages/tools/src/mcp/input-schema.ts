// The input schema of a server's tool as core can use it. One that it cannot read must not take the session with it.

import { defineTool, isObject, type JsonSchema } from '@ai-agent/core';

/** Its own; or what is left of it that can be checked, and then the server judges the arguments. */
export function toInputSchema(given: unknown): JsonSchema {
  if (!isObject(given)) return anything;
  const known = usable.get(given);
  if (known) return known;
  const schema = [withType(given), outlineOf(given)].find(isUsable) ?? anything;
  usable.set(given, schema);
  return schema;
}

const anything: JsonSchema = { type: 'object' };

// Pure: sessions of one server share its definitions, and what is made of them.
const usable = new WeakMap<JsonSchema, JsonSchema>();

function withType(schema: JsonSchema): JsonSchema {
  return schema.type === undefined ? { type: 'object', ...schema } : schema;
}

const plainTypes: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'object', 'array'];

/** The arguments by name, with what is said of them: enough for a model to call it. */
function outlineOf({ properties, required, description }: JsonSchema): JsonSchema {
  const fields = Object.entries(isObject(properties) ? properties : {});
  const outlined = fields.map(([name, field]) => [name, isObject(field) ? fieldOf(field) : {}] as const);
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  return {
    type: 'object',
    ...(typeof description === 'string' ? { description } : {}),
    properties: Object.fromEntries(outlined),
    ...(names.length > 0 ? { required: [...new Set(names)] } : {}),
  };
}

function fieldOf({ type, description }: Record<string, unknown>): JsonSchema {
  return {
    ...(plainTypes.includes(type) ? { type } : {}),
    ...(typeof description === 'string' ? { description } : {}),
  };
}

export function isUsable(inputSchema: JsonSchema): boolean {
  try {
    defineTool({ name: 'tool', inputSchema, execute: () => '' });
    return true;
  } catch {
    return false;
  }
}
