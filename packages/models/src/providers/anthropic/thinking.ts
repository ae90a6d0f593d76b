// How much the model thinks: by effort where it decides for itself, by a number of tokens where it wants one.

import { defaultSettings } from '@ai-agent/core';
import { getModelCapabilities } from '@ai-sdk/anthropic/internal';
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import type { Reasoning } from '../../reasoning.ts';
import { withOptions } from '../../to-call.ts';
import { effortOf, leastBudget, shares } from '../effort.ts';
import { isSigned } from './conversation.ts';

/** The API takes no larger budget. */
const largest = 128_000;

export function withThinking(
  options: LanguageModelV4CallOptions,
  reasoning: Reasoning | undefined,
  modelId: string,
): LanguageModelV4CallOptions {
  if (!reasoning) return options;
  const { supportsAdaptiveThinking: isAdaptive, supportsXhighEffort } = getModelCapabilities(modelId);
  if (reasoning.type === 'effort') return withEffort(options, reasoning.effort, isAdaptive);
  if (reasoning.type === 'level') {
    const { level } = reasoning;
    // The package knows what each model takes for none, and which effort a level is.
    if (level === 'none' || isAdaptive) return { ...options, reasoning: level };
    return withBudget(options, maxTokensOf(options.maxOutputTokens, modelId) * shares[level], modelId);
  }
  // Those that know this effort refuse a budget.
  if (supportsXhighEffort)
    return withEffort(options, effortOf(reasoning.tokens, maxTokensOf(options.maxOutputTokens, modelId)), true);
  return withBudget(options, reasoning.tokens, modelId);
}

/** The API wants a number: what nobody says is our own default, not all that the model can write. */
export function maxTokensOf(asked: number | undefined, modelId: string): number {
  const { maxOutputTokens: most, isKnownModel } = getModelCapabilities(modelId);
  const said = asked ?? defaultSettings.maxOutputTokens;
  return isKnownModel ? Math.min(said, most) : said;
}

function withEffort(
  options: LanguageModelV4CallOptions,
  effort: string,
  isAdaptive: boolean,
): LanguageModelV4CallOptions {
  return withOwn(options, {
    effort: effort === 'minimal' ? 'low' : effort,
    ...(isAdaptive ? { thinking: { type: 'adaptive', display: 'summarized' } } : {}),
  });
}

/** Thoughts are output and cost as much: the budget is part of what may be written, and leaves room for an answer. */
function withBudget(options: LanguageModelV4CallOptions, tokens: number, modelId: string): LanguageModelV4CallOptions {
  const most = maxTokensOf(options.maxOutputTokens, modelId);
  const { reasoning: _, ...rest } = options;
  if (most <= leastBudget || isAmidUnthoughtCalls(options.prompt))
    return withOwn(rest, { thinking: { type: 'disabled' } });
  const room = Math.max(leastBudget, Math.min(most - leastBudget, largest));
  const budgetTokens = Math.min(Math.max(Math.round(tokens), leastBudget), room);
  // The package adds the budget to what it is told.
  return withOwn({ ...rest, maxOutputTokens: most - budgetTokens }, { thinking: { type: 'enabled', budgetTokens } });
}

/** Calls and their results up to the next answer are one turn: it begins with a thought, or has to be without any. */
function isAmidUnthoughtCalls(prompt: LanguageModelV4Prompt): boolean {
  const asked = prompt.findLastIndex(({ role }, i) => role === 'assistant' && prompt[i + 1]?.role === 'user');
  return prompt.some((message, i) => {
    const isFirst = i > asked && message.role === 'assistant' && prompt[i - 1]?.role === 'user';
    return isFirst && !message.content.slice(0, 1).some(isSigned);
  });
}

function withOwn(options: LanguageModelV4CallOptions, added: Readonly<Record<string, unknown>>) {
  return { ...options, providerOptions: withOptions(options.providerOptions, 'anthropic', added) };
}
