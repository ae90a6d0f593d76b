// OpenRouter: chat completions, with what it adds to them.

import { isObject } from '@ai-agent/core';
import type { LanguageModelV4CallOptions, SharedV4ProviderMetadata } from '@ai-sdk/provider';
import type { Reasoning } from '../reasoning.ts';
import type { Traits } from '../traits.ts';
import type { OpenAdapter } from './adapter.ts';
import { withCallIds, wordOf } from './call-ids.ts';
import { addedFields, type Fields, withFields } from './chat/chat-dialect.ts';
import { type Rewrite, replayAs, replayOf } from './chat/replay.ts';
import { reportedUsage } from './chat/wire-usage.ts';
import { formatOf, openSpeaking } from './openai-compatible.ts';
import { withCacheMarks } from './openrouter/cache-marks.ts';
import { withWithheld } from './withheld-tools.ts';

const toSafeId = wordOf(64);

export const openOpenRouter: OpenAdapter = (modelId, endpoint, traits) => {
  const toFormat = formatOf(traits);
  const replay = typeof traits.interleaved === 'string' ? replayOf(traits.interleaved) : withBlocks(traits);
  // What its provider keeps of a conversation has to be marked for these; the others see to it by themselves.
  const isMarked = /^~?anthropic\//.test(modelId);
  const added = {
    ...routing(traits),
    ...addedFields(traits.custom, ['openrouter', 'openaiCompatible', endpoint.name]),
  };
  return {
    leaks: true,
    languageModel: openSpeaking(modelId, endpoint, {
      traits,
      dialect: ({ topK }) => (topK === undefined ? undefined : { top_k: topK }),
      added,
      reading: { keepsDetails: true, metadataOf: ({ usage }) => chargeIn(usage) },
    }),
    adapt(options, { request, reasoning }) {
      const prompt = withCallIds(options.prompt, toSafeId);
      const told = isMarked ? withWithheld({ ...options, prompt }, request, traits) : { ...options, prompt };
      const asked = withReasoning(toFormat(replay(told)), reasoning);
      return isMarked && request.settings.caching !== 'none' ? withCacheMarks(asked) : asked;
    },
    costOf,
    reportedUsage,
  };
};

/** Which of those who serve the model may be asked, as the configuration puts it. */
function routing({ custom }: Traits): Fields {
  return isObject(custom?.provider) ? { provider: custom.provider } : {};
}

/** It has a field of its own for what others call `reasoning_effort`. */
function withReasoning(
  { reasoning: _level, ...options }: LanguageModelV4CallOptions,
  reasoning: Reasoning | undefined,
): LanguageModelV4CallOptions {
  return reasoning === undefined ? options : withFields(options, { reasoning: toField(reasoning) });
}

function toField(reasoning: Reasoning): Fields {
  if (reasoning.type === 'budget') return { max_tokens: reasoning.tokens };
  if (reasoning.type === 'effort') return { effort: reasoning.effort };
  return reasoning.level === 'none' ? { enabled: false } : { effort: reasoning.level };
}

/** Blocks of reasoning go back as they came, and where there were none, the text. */
function withBlocks({ interleaved }: Traits): Rewrite {
  return replayAs((thoughts) => {
    if (interleaved === false) return undefined;
    const details = thoughts.flatMap(({ providerOptions }) => providerOptions?.wire?.details ?? []);
    if (details.length > 0) return { reasoning_details: details };
    const text = thoughts.map((thought) => thought.text).join('');
    return text === '' ? undefined : { reasoning: text };
  });
}

/** With a key of the user's own, the provider behind sends a bill too, and `cost` is only the fee of OpenRouter. */
function chargeIn(usage: unknown): SharedV4ProviderMetadata | undefined {
  if (!isObject(usage) || !isAmount(usage.cost)) return undefined;
  const details = isObject(usage.cost_details) ? usage.cost_details : {};
  const upstream = usage.is_byok === true ? details.upstream_inference_cost : 0;
  // Half of a bill is worse than none.
  if (usage.is_byok === true && !isAmount(upstream)) return undefined;
  return { openrouter: { costUsd: usage.cost + (upstream as number) } };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function costOf(metadata: SharedV4ProviderMetadata | undefined): number | undefined {
  return metadata?.openrouter?.costUsd as number | undefined;
}
