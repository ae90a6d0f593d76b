// What a reply is measured by: the tools that were offered, and what the answer must be.

import { isObject, type JsonSchema, type ModelRequest, type OutputContract, type ToolSpec } from '@ai-agent/core';
import { shownCalls } from './echoes.ts';

/** All that is kept of a request while its model answers. */
export interface Offer {
  readonly tools: readonly ToolSpec[];
  readonly output: OutputContract;
  /** How many messages were before the reply: calls that get an id here get one that no other turn has. */
  readonly turn: number;
  /** Whether what was thought may stand in the text. */
  readonly leaksThoughts: boolean;
  /** Whether calls may stand in the text: not where the conversation shows some, which may be repeated. */
  readonly leaksCalls: boolean;
  /** What the instructions show of calls, without blanks; mostly empty. */
  readonly shown: string;
}

export function offerOf(request: ModelRequest, isLeaky: boolean): Offer {
  const { tools, output, messages } = request;
  const offer = { tools, output, turn: messages.length, leaksThoughts: isLeaky };
  if (!isLeaky || tools.length === 0) return { ...offer, leaksCalls: false, shown: '' };
  const { inConversation, instructions } = shownCalls(request);
  return { ...offer, leaksCalls: !inConversation, shown: inConversation ? '' : instructions };
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
