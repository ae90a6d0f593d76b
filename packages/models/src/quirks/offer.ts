// What a reply is measured by: the tools that were offered, and what the answer must be.

import { isObject, type JsonSchema, type ModelRequest, type OutputContract, type ToolSpec } from '@ai-agent/core';

/** All that is kept of a request while its model answers. */
export interface Offer {
  readonly tools: readonly ToolSpec[];
  readonly output: OutputContract;
  /** How many messages were before the reply: calls that get an id here get one that no other turn has. */
  readonly turn: number;
}

export function offerOf({ tools, output, messages }: ModelRequest): Offer {
  return { tools, output, turn: messages.length };
}

/**
 * The tool that was meant, under the name it is to be called by: its own; else, when it is the only one that fits with or
 * without a prefix, the one it was called by, since only the toolbox knows whose prefix that is.
 */
export function findOffered(called: string, tools: readonly ToolSpec[]): ToolSpec | undefined {
  const asNamed = tools.find((tool) => tool.name === called);
  if (asNamed) return asNamed;
  const name = called.trim().replace(/^functions?[.:]/, '');
  const safe = name.replace(/[^A-Za-z0-9_-]/g, '_');
  const exact = tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name === safe);
  if (exact || safe === '') return exact;
  const [only, ...others] = tools.filter((tool) => tool.name.endsWith(`__${safe}`) || safe.endsWith(`__${tool.name}`));
  return only && others.length === 0 ? { ...only, name } : undefined;
}

export function requiredOf({ required }: JsonSchema): readonly string[] {
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];
}

export function propertiesOf({ properties }: JsonSchema): Readonly<Record<string, unknown>> {
  return isObject(properties) ? properties : {};
}

export function hasRequired(value: Readonly<Record<string, unknown>>, schema: JsonSchema): boolean {
  return requiredOf(schema).every((key) => Object.hasOwn(value, key));
}
