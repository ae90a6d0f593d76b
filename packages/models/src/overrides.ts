// What a configuration says of one model: it beats what the agent says, and what we know of the model.

import { isObject, type Model, type ModelSettings } from '@ai-agent/core';
import type { ProviderConfig } from './provider-config.ts';
import { overrideKeys } from './provider-keys.ts';
import type { ProviderType } from './well-known.ts';

type Sampling = Pick<ModelSettings, 'temperature' | 'topP' | 'topK' | 'repeatPenalty'>;

/** A number replaces what the agent says, null is not sent. */
export type Overrides = { readonly [Key in keyof Sampling]?: number | null };

export interface ModelOwn {
  readonly contextWindowTokens?: number;
  readonly overrides: Overrides;
}

export function ownOf(modelId: string, type: ProviderType, config: ProviderConfig): ModelOwn {
  const { models, contextWindow: ofAll } = config;
  const own = isObject(models) && Object.hasOwn(models, modelId) ? models[modelId] : undefined;
  const contextWindowTokens = own?.contextWindow ?? ofAll ?? undefined;
  const given: Readonly<Record<string, unknown>> = own?.overrides ?? {};
  const said = Object.entries(overrideKeys).filter(([spelling]) => given[spelling] !== undefined);
  return {
    ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }),
    overrides: {
      ...(refusesSampling(modelId, type) ? unsent : {}),
      ...Object.fromEntries(said.map(([spelling, key]) => [key, given[spelling]])),
    },
  };
}

const unsent = { temperature: null, topP: null, topK: null, repeatPenalty: null };

/** Models that answer any such setting, our defaults among them, with an error. */
function refusesSampling(modelId: string, type: ProviderType): boolean {
  if (type === 'openai') return /^(?:o\d|gpt-(?:[5-9]|\d\d(?!-turbo)))(?!.*-chat)/.test(modelId);
  return type === 'anthropic' && /^claude-(?:fable|mythos|opus-4-[7-9]|[a-z]+-(?:[5-9]|\d\d)(?!\d))/.test(modelId);
}

export function withOwn(model: Model, { contextWindowTokens, overrides }: ModelOwn): Model {
  const set = Object.entries(overrides);
  return {
    ...model,
    ...(contextWindowTokens === undefined ? {} : { contextWindowTokens }),
    // Not async: while the model answers, it would keep the request.
    ...(set.length === 0
      ? {}
      : { call: (request, context) => model.call({ ...request, settings: apply(set, request.settings) }, context) }),
  };
}

function apply(set: readonly [string, number | null][], settings: ModelSettings): ModelSettings {
  const result: Record<string, unknown> = { ...settings };
  for (const [key, value] of set) {
    if (value === null) delete result[key];
    else result[key] = value;
  }
  return result;
}
