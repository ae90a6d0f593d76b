// What a provider said is left until its next reset, less what was started since.

import type { Entrant } from '@ai-agent/core';
import type { Counted, LimitSaid } from './rate-limit-headers.ts';

/** A reset further away is only advice, as long as something is left. */
const nearMs = 60_000;

interface Allowance {
  counts: Counted;
  left: number;
  until: number;
}

export class Allowances {
  readonly #byName = new Map<string, Allowance>();

  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  /** The last word counts, less what was sent after the request that it answers: it may not know of that. */
  hear({ name, counts, left, resetMs }: LimitSaid, now: number, unknown: Unknown): void {
    if (resetMs <= 0 || (left > 0 && resetMs > nearMs)) {
      this.#byName.delete(name);
      return;
    }
    const rest = Math.max(0, left - unknown.requests * needOf(counts, unknown.usual));
    const known = this.#byName.get(name);
    if (known) Object.assign(known, { left: rest, until: now + resetMs });
    else this.#byName.set(name, { counts, left: rest, until: now + resetMs });
  }

  /** How long until what it needs will be left. */
  waitMs(need: Need, now: number): number {
    let waitMs = 0;
    for (const [name, allowance] of this.#byName) {
      if (allowance.until <= now) this.#byName.delete(name);
      else if (allowance.left < Math.max(1, needOf(allowance.counts, need)))
        waitMs = Math.max(waitMs, allowance.until - now);
    }
    return waitMs;
  }

  started(need: Need): void {
    for (const allowance of this.#byName.values()) allowance.left -= needOf(allowance.counts, need);
  }

  /** Whoever says how long to wait knows better than what was left. */
  clear(): void {
    this.#byName.clear();
  }
}

export type Need = Pick<Entrant, 'tokens' | 'inputTokens'>;

/** So many requests, and what one of them usually comes to. */
export interface Unknown {
  readonly requests: number;
  readonly usual: Need;
}

function needOf(counts: Counted, { tokens, inputTokens }: Need): number {
  if (counts === 'requests') return 1;
  if (counts === 'tokens') return tokens;
  return counts === 'input-tokens' ? inputTokens : 0;
}
