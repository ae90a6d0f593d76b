// What a configuration says of one model: its own entry first, then its provider's.

import { isObject } from '@ai-agent/core';
import { isGiven } from './config/config-problem.ts';
import type { ProviderConfig, ProviderModelConfig } from './config/provider-config.ts';
import { overrideKeys } from './config/provider-keys.ts';
import type { ReasoningMap } from './reasoning.ts';

export interface Traits extends Said {
  /** A number replaces what the agent says, null is not sent. */
  readonly overrides: Overrides;
  readonly formats: Formats;
  /** What a level of reasoning is here; null sends nothing. Left out, as the provider package has it. */
  readonly reasoning?: ReasoningMap | undefined;
}

/** As the configuration says it; what is left out or null is not there. */
type Said = Pick<ProviderConfig, 'openaiMode' | 'supportsStructuredOutputs' | 'custom' | 'reasoningAutoStreamLevel'> &
  Pick<ProviderModelConfig, 'contextWindow' | 'contextWindowBufferTokens' | 'tokenizer' | 'toolChoice' | 'interleaved'>;

/** Formats of texts in schemas that may be sent. */
export interface Formats {
  readonly allowed?: readonly string[];
  readonly denied?: readonly string[];
}

export type Overrides = Readonly<Partial<Record<(typeof overrideKeys)[string], number | null>>>;

export function traitsOf(modelId: string, config: ProviderConfig): Traits {
  const { models, stringSchemaFormatsAllowed: allowed, stringSchemaFormatsDenied: denied } = config;
  const own: ProviderModelConfig =
    isObject(models) && Object.hasOwn(models, modelId) && isObject(models[modelId]) ? models[modelId] : {};
  return {
    ...(given(config) as Said),
    ...(given(own) as Said),
    overrides: overridesOf(own),
    reasoning: firstSaid(own.reasoning, config.reasoning, config.reasoningValue),
    formats: given({ allowed: toList(allowed), denied: toList(denied) }),
  };
}

function given(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => isGiven(value)));
}

/** Null is said here: nothing of it is ever sent. */
function firstSaid(...maps: readonly (ReasoningMap | undefined)[]): ReasoningMap | undefined {
  return maps.find((map) => map !== undefined);
}

function overridesOf({ overrides }: ProviderModelConfig): Overrides {
  const given: Readonly<Record<string, unknown>> = overrides ?? {};
  const said = Object.entries(overrideKeys).filter(([spelling]) => given[spelling] !== undefined);
  return Object.fromEntries(said.map(([spelling, key]) => [key, given[spelling]]));
}

function toList(given: string | readonly string[] | undefined | null): readonly string[] | undefined {
  if (given === undefined || given === null) return undefined;
  return typeof given === 'string' ? given.split(/[\s,]+/).filter(Boolean) : given;
}
