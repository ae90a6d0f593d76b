// All accounts that a process asks with, by what a provider counts by: where it is, and who asks.

import { isSecretName } from '@ai-agent/core';
import type { ProviderConfig } from '../config/provider-config.ts';
import type { Endpoint } from '../providers/adapter.ts';
import { Account, type AccountLimits } from './account.ts';
import { Kept } from './kept.ts';
import type { LaneClock } from './lane.ts';

export interface LanesOptions {
  /** @default the machine's own */
  readonly clock?: LaneClock | undefined;
  /** Milliseconds since 1970, for resets that are dates. */
  readonly now?: (() => number) | undefined;
}

/** Where requests go, and as whose. */
export type Asked = Pick<Endpoint, 'name' | 'baseUrl' | 'apiKey' | 'headers'>;

export class Lanes {
  // Has keys in it, and is in a private field for that reason: nobody prints it.
  readonly #accounts = new Kept<Account>();
  readonly #clock: LaneClock;
  readonly #now: () => number | undefined;

  constructor({ clock, now }: LanesOptions = {}) {
    this.#clock = clock ?? machineClock;
    this.#now = now ?? (() => undefined);
  }

  /** How many accounts are kept. */
  get size(): number {
    return this.#accounts.size;
  }

  of(endpoint: Asked, limits: AccountLimits): Account {
    const make = () => new Account({ provider: endpoint.name, clock: this.#clock, now: this.#now });
    const account = this.#accounts.of(keyOf(endpoint), make);
    account.tighten(limits);
    return account;
  }
}

/** Null is as good as left out. */
export function limitsOf({ maxParallel, requestsPerMinute, tokensPerMinute }: ProviderConfig): AccountLimits {
  return {
    maxParallel: maxParallel ?? undefined,
    requestsPerMinute: requestsPerMinute ?? undefined,
    tokensPerMinute: tokensPerMinute ?? undefined,
  };
}

/** Headers that say nothing of who asks. Every other one may: nobody knows what a gateway goes by. */
const sayNothing = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'anthropic-beta',
  'anthropic-version',
  'content-type',
  'http-referer',
  'openai-beta',
  'referer',
  'user-agent',
  'x-title',
]);

/** Whatever type speaks to it: the address, without what in its query is no key, and who asks. */
function keyOf({ baseUrl, apiKey, headers }: Asked): string {
  const url = new URL(baseUrl);
  const query = [...url.searchParams].filter(([name]) => isSecretName(name));
  const own = Object.entries(headers).filter(([name]) => !sayNothing.has(name.toLowerCase()));
  return JSON.stringify([url.origin + url.pathname, apiKey, ...query, ...own.sort()]);
}

/** Longer ones are taken for none. */
const longestTimerMs = 2 ** 31 - 1;

const machineClock: LaneClock = {
  monotonicMs: () => performance.now(),
  after(durationMs, wake) {
    if (durationMs > longestTimerMs) {
      let cancel = machineClock.after(longestTimerMs, () => {
        cancel = machineClock.after(durationMs - longestTimerMs, wake);
      });
      return () => cancel();
    }
    const timer = setTimeout(wake, durationMs);
    return () => clearTimeout(timer);
  },
};
