// Models that are open, by the set-up they were opened with and the variables it names: found again without filling it in.

import type { EnvOverlay, Model } from '@ai-agent/core';
import type { ProviderConfig } from './config/provider-config.ts';
import { variablesIn } from './config/variables.ts';

/** A model, and what nobody may see of how it was opened. */
export interface Ready {
  /** Itself, once it is there. */
  readonly model: Model | Promise<Model>;
  readonly hidden: readonly string[];
}

export class OpenedModels {
  // Only as long as somebody has the set-up, which is taken not to change.
  readonly #bySetUp = new WeakMap<ProviderConfig, OfSetUp>();

  of(config: ProviderConfig): OfSetUp {
    const known = this.#bySetUp.get(config) ?? new OfSetUp(config);
    this.#bySetUp.set(config, known);
    return known;
  }
}

const most = 1_000;

class OfSetUp {
  readonly ready = new Map<string, Ready>();
  readonly #variables: readonly string[];

  constructor({ baseUrl, apiKey, headers, custom }: ProviderConfig) {
    const texts = [baseUrl, apiKey, ...Object.values(headers ?? {}), JSON.stringify(custom ?? {})];
    this.#variables = texts.flatMap((text) => variablesIn(text ?? ''));
  }

  keyOf(name: string, modelId: string, env: EnvOverlay): string {
    if (this.#variables.length === 0) return `${name}/${modelId}`;
    const values = this.#variables.map((variable) => (Object.hasOwn(env, variable) ? env[variable] : null));
    return JSON.stringify([name, modelId, ...values]);
  }

  /** One that could not be made is tried again. */
  keep(key: string, ready: Ready): void {
    if (this.ready.has(key)) return;
    if (this.ready.size >= most) this.ready.clear();
    this.ready.set(key, ready);
    Promise.resolve(ready.model).then(
      (model) => this.ready.set(key, { ...ready, model }),
      () => this.ready.delete(key),
    );
  }
}
