// One request as one call of a language model: with what the configuration says of this model in it.

import { isObject, type ModelRequest, type ModelSettings } from '@ai-agent/core';
import type { LanguageModelV4CallOptions, SharedV4ProviderOptions } from '@ai-sdk/provider';
import type { Adapter } from './providers/adapter.ts';
import { toReasoning } from './reasoning.ts';
import { withFormats } from './schema-formats.ts';
import { toCallOptions } from './to-prompt.ts';
import type { Overrides, Traits } from './traits.ts';

/** `boundTo` names whose own parts may go back. */
export function toCall(
  request: ModelRequest,
  { adapt, namespace, placeOf }: Pick<Adapter, 'adapt' | 'namespace' | 'placeOf'>,
  { traits, boundTo }: { readonly traits: Traits; readonly boundTo: string },
): LanguageModelV4CallOptions {
  const settings = override(request.settings, traits.overrides);
  const asked = settings === request.settings ? request : { ...request, settings };
  const reasoning = toReasoning(settings, traits.reasoning);
  const options = withTraits(toCallOptions(asked, boundTo, placeOf), asked, traits);
  if (reasoning?.type === 'level') options.reasoning = reasoning.level;
  const adapted = adapt ? adapt(options, { request: asked, reasoning }) : options;
  return withCustom(adapted, traits.custom?.providerOptions, namespace);
}

function withTraits(
  options: LanguageModelV4CallOptions,
  request: ModelRequest,
  traits: Traits,
): LanguageModelV4CallOptions {
  const { tools } = options;
  if (!tools) return options;
  options.tools = withFormats(tools, traits.formats);
  if (mustCall(request, traits)) options.toolChoice = { type: 'required' };
  return options;
}

function override(settings: ModelSettings, overrides: Overrides): ModelSettings {
  const set = Object.entries(overrides);
  if (set.length === 0) return settings;
  const result: Record<string, unknown> = { ...settings };
  for (const [key, value] of set) {
    if (value === null) delete result[key];
    else result[key] = value;
  }
  return result;
}

/** Forced to call in every turn, a model would never answer: it is forced until it has called once. */
function mustCall({ messages }: ModelRequest, { toolChoice }: Traits): boolean {
  return toolChoice === 'required' && !messages.some(({ role }) => role === 'tool');
}

/** What a configuration adds has the last word. It may name the package's namespace, or go without. */
function withCustom(
  options: LanguageModelV4CallOptions,
  custom: unknown,
  namespace: string | undefined,
): LanguageModelV4CallOptions {
  if (!isObject(custom) || namespace === undefined) return options;
  const given = isObject(custom[namespace]) ? custom[namespace] : custom;
  return { ...options, providerOptions: withOptions(options.providerOptions, namespace, given) };
}

/** Options of a package, added to what is there. */
export function withOptions(
  before: SharedV4ProviderOptions | undefined,
  namespace: string,
  added: Readonly<Record<string, unknown>>,
): SharedV4ProviderOptions {
  return { ...before, [namespace]: { ...before?.[namespace], ...added } as SharedV4ProviderOptions[string] };
}
