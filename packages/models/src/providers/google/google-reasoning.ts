// How hard a Gemini model is to think: a level where it takes levels, a number of tokens where it takes those.

import { reasoningLevels } from '@ai-agent/core';
import { getGoogleLanguageModelEntry } from '@ai-sdk/google/internal';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Reasoning } from '../../reasoning.ts';
import { withOptions } from '../../to-call.ts';
import { leastBudget, shares } from '../effort.ts';

const mostTokens = 32_768;

export function withThinking(
  options: LanguageModelV4CallOptions,
  asked: Reasoning | undefined,
  modelId: string,
): LanguageModelV4CallOptions {
  if (!asked) return options;
  const { reasoning: _, ...rest } = options;
  // Asked to think or not to, these refuse.
  if (!canThink(modelId)) return rest;
  const reasoning = inLevels(asked, modelId);
  const { maxOutputTokens } = options;
  if (reasoning.type === 'budget') return thinking(rest, { thinkingBudget: within(reasoning.tokens, modelId) });
  if (reasoning.type === 'effort') return thinking(rest, { thinkingLevel: reasoning.effort.toLowerCase() });
  const { level } = reasoning;
  // The package knows how little each model can be made to think, and what levels there are.
  if (level === 'none') return { ...rest, reasoning: level };
  if (takesLevels(modelId) || maxOutputTokens === undefined) return thinking({ ...rest, reasoning: level }, {});
  return thinking(rest, { thinkingBudget: part(shares[level], maxOutputTokens, modelId) });
}

function canThink(modelId: string): boolean {
  return !/(^|\/)(gemini-(1[.-]|2\.0|pro(-vision)?$)|gemma-[123]|learnlm)/i.test(modelId);
}

/** A word of the configuration, where the model takes numbers. */
function inLevels(reasoning: Reasoning, modelId: string): Reasoning {
  if (reasoning.type !== 'effort' || takesLevels(modelId)) return reasoning;
  const level = reasoningLevels.find((one) => one === reasoning.effort.toLowerCase());
  return level ? { type: 'level', level } : reasoning;
}

function takesLevels(modelId: string): boolean {
  return getGoogleLanguageModelEntry(modelId).requestConfig.language.thinkingFormat === 'level';
}

/** Thoughts are shown where thinking was asked for. */
function thinking(options: LanguageModelV4CallOptions, config: object): LanguageModelV4CallOptions {
  const thinkingConfig = { ...config, includeThoughts: true };
  return { ...options, providerOptions: withOptions(options.providerOptions, 'google', { thinkingConfig }) };
}

/** A fifth is left for the answer, however little there is. */
function part(share: number, maxOutputTokens: number, modelId: string): number {
  const tokens = Math.min(Math.max(leastBudget, share * maxOutputTokens), 0.8 * maxOutputTokens);
  return within(Math.round(tokens), modelId);
}

function within(tokens: number, modelId: string): number {
  const { minBudget, maxBudget } = getGoogleLanguageModelEntry(modelId).capabilities.language.reasoning;
  const least = /flash-lite/i.test(modelId) ? 512 : Math.max(1, minBudget);
  return Math.max(least, Math.min(tokens, takesLevels(modelId) ? mostTokens : maxBudget));
}
