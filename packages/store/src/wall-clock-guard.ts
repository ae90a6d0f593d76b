// The time that retention counts age to: a wall clock that is wrong by a year would make every session old.

export const hourMs = 60 * 60_000;

export interface GuardOptions {
  readonly now: () => number;
  /** The last end of a session, at least an hour before the start: a newer one may come from a clock that has only just jumped. */
  readonly lastUse: number;
  /** Called with a sentence at each jump. */
  readonly onWarning: (sentence: string) => void;
  /** @default the monotonic clock of this machine */
  readonly monotonicMs?: () => number;
}

/** Trusts a wall clock that has agreed with the monotonic clock for an hour, since the start or since a jump of more than an hour. */
export class WallClockGuard {
  readonly #options: Required<GuardOptions>;
  #offsetMs: number;
  /** A monotonic reading. */
  #steadySinceMs: number;

  constructor(options: GuardOptions) {
    this.#options = { monotonicMs: () => performance.now(), ...options };
    this.#steadySinceMs = this.#options.monotonicMs();
    this.#offsetMs = options.now() - this.#steadySinceMs;
  }

  /** The time of a trusted wall clock; before that, the last use of the store before this process. */
  trustedTime(): number {
    const { now, monotonicMs, lastUse, onWarning } = this.#options;
    const [wallMs, at] = [now(), monotonicMs()];
    const offsetMs = wallMs - at;
    if (Math.abs(offsetMs - this.#offsetMs) > hourMs) {
      this.#steadySinceMs = at;
      onWarning(warning);
    }
    this.#offsetMs = offsetMs;
    return at - this.#steadySinceMs >= hourMs ? wallMs : lastUse;
  }
}

const warning =
  'The wall clock jumped by more than an hour, or the machine was suspended. Deleting sessions by age waits for an hour.';
