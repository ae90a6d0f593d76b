// All lanes of one process, by what a provider counts by: what it is, where it is, and who asks.

import { type Clock, isSecretName } from '@ai-agent/core';
import { mayHoldKey, type ProviderConfig } from '../config/provider-config.ts';
import type { ProviderType } from '../config/well-known.ts';
import type { Endpoint } from '../providers/adapter.ts';
import { type LaneLimits, ProviderLane } from './lane.ts';

export interface LanesOptions {
  /** @default the machine's own, which cannot be set */
  readonly clock?: Clock | undefined;
  /** Milliseconds since 1970, for resets that are dates. */
  readonly now?: (() => number) | undefined;
}

export interface Account {
  readonly type: ProviderType;
  readonly endpoint: Pick<Endpoint, 'name' | 'baseUrl' | 'apiKey' | 'headers'>;
  readonly limits: LaneLimits;
}

/** From here on, lanes that are idle are let go. */
const most = 1_000;

export class Lanes {
  // Has keys in it, and is in a private field for that reason: nobody prints it.
  readonly #lanes = new Map<string, ProviderLane | WeakRef<ProviderLane>>();
  readonly #clock: Clock;
  readonly #now: () => number | undefined;
  #tidyAt = most;

  constructor({ clock, now }: LanesOptions = {}) {
    this.#clock = clock ?? machineClock;
    this.#now = now ?? (() => undefined);
  }

  /** How many are kept. */
  get size(): number {
    return this.#lanes.size;
  }

  of({ type, endpoint, limits }: Account): ProviderLane {
    const key = keyOf(type, endpoint);
    const known = this.#lanes.get(key);
    const lane =
      (known instanceof WeakRef ? known.deref() : known) ??
      new ProviderLane({ provider: endpoint.name, clock: this.#clock, now: this.#now });
    lane.tighten(limits);
    this.#lanes.set(key, lane);
    if (this.#lanes.size > this.#tidyAt) this.#tidy();
    return lane;
  }

  /** An idle lane is kept only by the models that go over it: as long as one of them is there, it is found again. */
  #tidy(): void {
    for (const [key, lane] of this.#lanes) {
      if (lane instanceof WeakRef) {
        if (!lane.deref()) this.#lanes.delete(key);
      } else if (lane.isIdle) this.#lanes.set(key, new WeakRef(lane));
    }
    this.#tidyAt = Math.max(most, this.#lanes.size * 2);
  }
}

/** Null is as good as left out. */
export function limitsOf({ maxParallel, requestsPerMinute, tokensPerMinute }: ProviderConfig): LaneLimits {
  return {
    maxParallel: maxParallel ?? undefined,
    requestsPerMinute: requestsPerMinute ?? undefined,
    tokensPerMinute: tokensPerMinute ?? undefined,
  };
}

/** Names of headers that say on whose account a request is, beside those that hold a key. */
const accounts = /^(?:openai-(?:organization|project)|x-goog-user-project)$/;

function keyOf(type: ProviderType, { baseUrl, apiKey, headers }: Account['endpoint']): string {
  const url = new URL(baseUrl);
  const query = [...url.searchParams].filter(([name]) => isSecretName(name));
  const own = Object.entries(headers).filter(([name]) => mayHoldKey(name) || accounts.test(name));
  return JSON.stringify([type, url.origin + url.pathname, apiKey, ...query, ...own.sort()]);
}

/** Counts from the start of the process, whatever the date is set to. */
const machineClock: Clock = {
  now: () => performance.now(),
  after(durationMs, wake) {
    const timer = setTimeout(wake, durationMs);
    return () => clearTimeout(timer);
  },
};
