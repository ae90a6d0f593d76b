// When a server that ended may be started again: sooner after one accident, later after many.

import type { Clock } from '@ai-agent/core';

const waitsMs = [0, 1_000, 2_000, 5_000, 10_000, 30_000];
/** Whoever lived this long is well again. */
const wellAfterMs = 60_000;

export class Backoff {
  readonly #clock: Clock;
  #ends = 0;
  #startedAt: number | undefined;
  #nextAt = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  started(): void {
    this.#startedAt = this.#clock.monotonicMs();
  }

  /** It ended without being told to, or did not start. */
  ended(): void {
    const now = this.#clock.monotonicMs();
    if (this.#startedAt !== undefined && now - this.#startedAt >= wellAfterMs) this.#ends = 0;
    this.#startedAt = undefined;
    const waitMs = waitsMs[Math.min(this.#ends, waitsMs.length - 1)] ?? 0;
    this.#ends++;
    this.#nextAt = now + waitMs;
  }

  /** How long until it may be started. */
  get waitMs(): number {
    return Math.max(0, this.#nextAt - this.#clock.monotonicMs());
  }
}
