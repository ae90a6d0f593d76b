// Decides whether retention may delete by age: a wall clock that is wrong by a year makes every session old.

const hourMs = 60 * 60_000;

export interface GuardOptions {
  readonly now: () => number;
  readonly monotonicMs: () => number;
  /** True if the wall clock is known to be right at the start. */
  readonly isProved: boolean;
  /** Told once for each time that something is due and is not deleted. */
  readonly onWarning: (sentence: string) => void;
}

/** The wall clock is not trusted after a jump of more than an hour, until it has agreed with the monotonic clock for an hour. */
export class WallClockGuard {
  readonly #options: GuardOptions;
  #offsetMs: number;
  /** A monotonic reading. */
  #trustedFromMs: number;
  #hasWarned = false;

  constructor(options: GuardOptions) {
    const { now, monotonicMs, isProved } = options;
    this.#options = options;
    this.#offsetMs = now() - monotonicMs();
    this.#trustedFromMs = isProved ? Number.NEGATIVE_INFINITY : monotonicMs() + hourMs;
  }

  /** Compares the clocks with how they were at the last call. */
  isTrusted(): boolean {
    const monotonicMs = this.#options.monotonicMs();
    const offsetMs = this.#options.now() - monotonicMs;
    const hasJumped = Math.abs(offsetMs - this.#offsetMs) > hourMs;
    this.#offsetMs = offsetMs;
    if (hasJumped) {
      this.#trustedFromMs = monotonicMs + hourMs;
      this.#hasWarned = false;
    }
    return monotonicMs >= this.#trustedFromMs;
  }

  /** Something is due by age, and is not deleted. */
  warn(): void {
    if (!this.#hasWarned) this.#options.onWarning(warning);
    this.#hasWarned = true;
  }
}

const warning =
  'Old sessions are not deleted for now: the wall clock jumped, or the store was not used for a long time. Deleting by age resumes when the clock has run evenly for an hour.';

/**
 * When a write proves the wall clock of a process that starts: the clock showed such a time at least an hour ago, and the store
 * has not been out of use for long. A newer write may come from a clock that has only just jumped.
 */
export function proofWindow(now: number, maxAgeMs: number): { readonly from: number; readonly until: number } {
  return { from: now - Math.max(maxAgeMs / 2, 24 * hourMs), until: now - hourMs };
}
