// How hard a model is to think: what an agent asks for, in the words that this model takes.

import { type ModelSettings, type ReasoningLevel, reasoningLevels } from '@ai-agent/core';

/** A level that the provider package translates, or a value of the configuration that is sent as it is. */
export type Reasoning =
  | { readonly type: 'level'; readonly level: ReasoningLevel }
  | { readonly type: 'effort'; readonly effort: string }
  | { readonly type: 'budget'; readonly tokens: number };

/** Of a configuration: null never sends anything; one value for every level, or four from minimal to high. */
export type ReasoningMap = null | string | number | readonly (string | number | null)[];

/** Undefined when nothing is to be sent. A budget of the agent goes before its level. */
export function toReasoning(
  { reasoning: level, reasoningTokens }: ModelSettings,
  map: ReasoningMap | undefined,
): Reasoning | undefined {
  if (map === null) return undefined;
  if (reasoningTokens !== undefined && reasoningTokens > 0) return { type: 'budget', tokens: reasoningTokens };
  if (reasoningTokens === 0 || level === 'none') return { type: 'level', level: 'none' };
  if (level === undefined) return undefined;
  if (map === undefined) return { type: 'level', level };
  const value = Array.isArray(map) ? map[reasoningLevels.indexOf(level) - 1] : (map as string | number);
  if (value === null || value === undefined || value === '') return undefined;
  return typeof value === 'number' ? { type: 'budget', tokens: value } : { type: 'effort', effort: value };
}
