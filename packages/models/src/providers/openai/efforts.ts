// How hard a model of OpenAI thinks: it takes a word, and not every model takes every word.

import type { ReasoningLevel } from '@ai-agent/core';
import type { LanguageModelV4CallOptions } from '@ai-sdk/provider';
import type { Reasoning } from '../../reasoning.ts';
import { withOptions } from '../../to-call.ts';
import type { Asked } from '../adapter.ts';
import { effortOf } from '../effort.ts';

/** What a name tells of a model. The package decides by the same rule, and does not export it. */
export function familyOf(modelId: string): 'reasoning' | 'plain' | 'unknown' {
  if (/^o\d+(-|$)/.test(modelId)) return 'reasoning';
  const gpt = /^gpt-(\d+)(\.\d+)?(?:-(.+))?$/.exec(modelId);
  if (!gpt) return /^gpt-4o(-|$)/.test(modelId) ? 'plain' : 'unknown';
  const isChat = gpt[2] === undefined && gpt[3]?.startsWith('chat');
  return Number(gpt[1]) >= 5 && !isChat ? 'reasoning' : 'plain';
}

/** A model that does not think is not told to. One whose name tells nothing is taken at the word of whoever asks. */
export function withReasoning(
  modelId: string,
  options: LanguageModelV4CallOptions,
  { reasoning, request }: Asked,
): LanguageModelV4CallOptions {
  const { reasoning: _, ...rest } = options;
  if (!reasoning) return rest;
  if (reasoning.type === 'effort') return withForced(rest, { reasoningEffort: reasoning.effort });
  const family = familyOf(modelId);
  const level = toLevel(reasoning, request.settings.maxOutputTokens);
  if (family === 'plain' || (family === 'unknown' && level === 'none')) return rest;
  if (family === 'unknown') return withForced({ ...rest, reasoning: level }, {});
  const known = takenBy(modelId, level);
  return known === undefined ? rest : { ...rest, reasoning: known };
}

function withForced(options: LanguageModelV4CallOptions, added: Readonly<Record<string, unknown>>) {
  const providerOptions = withOptions(options.providerOptions, 'openai', { ...added, forceReasoning: true });
  return { ...options, providerOptions };
}

/** There are no budgets here: what counts is the share of the output that may be thought. */
function toLevel(
  reasoning: Exclude<Reasoning, { readonly type: 'effort' }>,
  maxOutputTokens: number | undefined,
): ReasoningLevel {
  return reasoning.type === 'level' ? reasoning.level : effortOf(reasoning.tokens, maxOutputTokens);
}

/** The package knows the words of most models and takes the nearest; these are the families it knows none of. */
function takenBy(modelId: string, level: ReasoningLevel): ReasoningLevel | undefined {
  if (/-pro(-|$)/.test(modelId)) return level === 'high' ? level : undefined;
  if (/-chat(-|$)/.test(modelId)) return undefined;
  const isLeast = level === 'none' || level === 'minimal';
  return isLeast && /^o\d|-codex(-|$)/.test(modelId) ? 'low' : level;
}
