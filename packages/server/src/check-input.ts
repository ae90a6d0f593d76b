// Words for an agent that takes JSON: refused before anything starts, with an example of what it takes.

import {
  type Agent,
  AgentError,
  inputFailure,
  isObject,
  type Json,
  type JsonObject,
  type JsonSchema,
} from '@ai-agent/core';
import type { ServedAgent } from './served-agent.ts';

/** JSON that does not fit is told by whoever holds it against the schema. Throws `session-input-invalid`. */
export function checkWords({ agent, usage = agent.usage }: ServedAgent, prompt: string | JsonObject): void {
  if (agent.input?.format !== 'json' || typeof prompt !== 'string' || parse(prompt) !== undefined) return;
  const failure = inputFailure(agent, prompt);
  if (failure) throw new AgentError(failure.code, failure.message, { remedy: remedyFor(agent, usage) });
}

/** Longer ones help nobody. */
const maxLetters = 500;

function remedyFor(agent: Agent, usage = ''): string {
  const { schema = {} } = agent.input ?? {};
  const own = parse(usage);
  const fits = (value: Json | undefined) => value !== undefined && !inputFailure(agent, JSON.stringify(value));
  const example = [isObject(own) ? own : undefined, exampleOf(schema)].find(fits);
  const written = example === undefined ? '' : JSON.stringify(example);
  if (written !== '' && written.length <= maxLetters) return `Send JSON, for example ${written}`;
  const required = Array.isArray(schema.required) ? schema.required.join(', ') : '';
  return required === '' ? 'Send JSON that fits the schema of its input.' : `Send JSON with these fields: ${required}.`;
}

/** Something of the right shape, with what must be there alone; whether it fits is seen afterwards. */
function exampleOf(schema: JsonSchema): Json {
  const { const: only, default: usual, examples, enum: some } = schema as Record<string, Json | undefined>;
  const given = [only, usual, first(examples), first(some)].find((value) => value !== undefined);
  if (given !== undefined) return given;
  const type = first(schema.type as Json | undefined) ?? schema.type;
  const make = shapes[String(schema.properties ? 'object' : type)];
  return make ? make(schema) : 'text';
}

const shapes: Readonly<Record<string, (schema: JsonSchema) => Json>> = {
  object: objectOf,
  array: ({ items }) => [exampleOf(isObject(items) ? items : {})],
  integer: numberOf,
  number: numberOf,
  boolean: () => true,
  null: () => null,
};

function numberOf({ minimum }: JsonSchema): number {
  return typeof minimum === 'number' ? minimum : 1;
}

function objectOf({ properties, required }: JsonSchema): JsonObject {
  const known = isObject(properties) ? properties : {};
  const names = Array.isArray(required) ? required.map(String) : [];
  const entries = names.map((name) => {
    const part = Object.hasOwn(known, name) ? known[name] : undefined;
    return [name, exampleOf(isObject(part) ? part : {})] as const;
  });
  return Object.fromEntries(entries);
}

function first(value: Json | undefined): Json | undefined {
  return Array.isArray(value) ? value[0] : undefined;
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
