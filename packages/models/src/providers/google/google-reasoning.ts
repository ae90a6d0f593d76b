// How hard a Gemini model is to think: a level where it takes levels, a number of tokens where it takes those.

import { getGoogleLanguageModelEntry } from '@ai-sdk/google/internal';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Reasoning } from '../../reasoning.ts';
import { withOptions } from '../../to-call.ts';

/** Of what a model may write, so much may be thought. Thoughts count as output here. */
const shares: Readonly<Record<string, number>> = { minimal: 0, low: 0.2, medium: 0.5, high: 0.8 };
const leastTokens = 1024;
const mostTokens = 32_768;

export function withThinking(
  options: LanguageModelV4CallOptions,
  reasoning: Reasoning | undefined,
  modelId: string,
): LanguageModelV4CallOptions {
  if (!reasoning) return options;
  const { reasoning: level, ...rest } = options;
  // Asked to think or not to, these refuse.
  if (!canThink(modelId)) return rest;
  // The package knows how little each model can be made to think.
  if (reasoning.type === 'level' && reasoning.level === 'none') return options;
  const thinkingConfig = { ...toThinking(reasoning, modelId, options.maxOutputTokens), includeThoughts: true };
  return {
    ...('thinkingBudget' in thinkingConfig || level === undefined ? rest : options),
    providerOptions: withOptions(options.providerOptions, 'google', { thinkingConfig }),
  };
}

export function canThink(modelId: string): boolean {
  return !/(^|\/)(gemini-(1[.-]|2\.0|pro(-vision)?$)|gemma-[123]|learnlm)/i.test(modelId);
}

function toThinking(reasoning: Reasoning, modelId: string, maxOutputTokens: number | undefined) {
  if (reasoning.type === 'budget') return { thinkingBudget: within(reasoning.tokens, modelId) };
  const level = reasoning.type === 'level' ? reasoning.level : reasoning.effort.toLowerCase();
  const share = takesLevels(modelId) ? undefined : shares[level];
  if (share !== undefined && maxOutputTokens !== undefined)
    return { thinkingBudget: part(share, maxOutputTokens, modelId) };
  return reasoning.type === 'effort' ? { thinkingLevel: level } : {};
}

function takesLevels(modelId: string): boolean {
  return getGoogleLanguageModelEntry(modelId).requestConfig.language.thinkingFormat === 'level';
}

/** A fifth is left for the answer, however little there is. */
function part(share: number, maxOutputTokens: number, modelId: string): number {
  const tokens = Math.min(Math.max(leastTokens, share * maxOutputTokens), 0.8 * maxOutputTokens);
  return within(Math.round(tokens), modelId);
}

function within(tokens: number, modelId: string): number {
  const { minBudget, maxBudget } = getGoogleLanguageModelEntry(modelId).capabilities.language.reasoning;
  const least = /flash-lite/i.test(modelId) ? 512 : Math.max(1, minBudget);
  return Math.max(least, Math.min(tokens, takesLevels(modelId) ? mostTokens : maxBudget));
}
