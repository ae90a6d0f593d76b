// What a model costs by what everybody may know of it, without opening it.

import type { EnvOverlay, Price } from '@ai-agent/core';
import { fillIn, type ProviderConfig } from './config/provider-config.ts';
import { knowModel } from './known-models.ts';

export interface Wanted {
  readonly provider: string;
  readonly model: string;
  readonly config: ProviderConfig;
  /** For an address that names variables. */
  readonly env: EnvOverlay;
  /** Milliseconds since 1970. @default as the data package has it */
  readonly now?: () => number;
}

/** Undefined if it is not known. OpenRouter reports the cost of each reply. Rejects if a variable of the configuration is missing. */
export async function knownPrice({
  provider,
  model,
  config,
  env,
  now,
}: Wanted): Promise<Price | 'reported' | undefined> {
  const { settings } = fillIn(provider, config, env);
  const { price } = await knowModel({ ...settings, model, now });
  return price ?? (settings.type === 'openrouter' ? 'reported' : undefined);
}
