// Ports for tests: a clock that stands still until it is moved, and ids that count.

import { AgentError } from '../errors.ts';
import type { Clock, Ids, Ports } from '../ports.ts';

/** Time passes only when the test says so; who waits is woken in order. */
export class FakeClock implements Clock {
  /** The wall clock when the monotonic reading was 0. */
  #wallAtZero: number;
  #elapsedMs = 0;
  readonly #timers = new Set<{ readonly at: number; readonly wake: () => void }>();

  constructor(now = 1_700_000_000_000) {
    this.#wallAtZero = now;
  }

  /** How many wait for their time; zero when nothing is left behind. */
  get timers(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#wallAtZero + this.#elapsedMs;
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  /** Sets the wall clock, like an operator or NTP. No time passes: timers and `monotonicMs` are not affected. */
  setWallClock(now: number): void {
    this.#wallAtZero = now - this.#elapsedMs;
  }

  after(durationMs: number, wake: () => void): () => void {
    const timer = { at: this.#elapsedMs + durationMs, wake };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** When the next one is due; undefined when nobody waits. */
  get nextAt(): number | undefined {
    const at = this.#nextTimer();
    return at === undefined ? undefined : this.#wallAtZero + at;
  }

  /** Moves time, waking who is due, each at its own time. */
  advance(durationMs: number): void {
    const until = this.#elapsedMs + durationMs;
    for (let at = this.#nextTimer(); at !== undefined && at <= until; at = this.#nextTimer()) {
      this.#elapsedMs = Math.max(this.#elapsedMs, at);
      for (const timer of [...this.#timers]) {
        if (timer.at <= this.#elapsedMs && this.#timers.delete(timer)) timer.wake();
      }
    }
    this.#elapsedMs = until;
  }

  #nextTimer(): number | undefined {
    return this.#timers.size === 0 ? undefined : Math.min(...[...this.#timers].map(({ at }) => at));
  }
}

export function countingIds(prefix = 's'): Ids {
  let count = 0;
  return { next: () => `${prefix}${++count}` };
}

export function fakePorts(ports: Partial<Ports> = {}): Ports & { readonly clock: Clock } {
  return {
    clock: new FakeClock(),
    ids: countingIds(),
    models: (ref) => {
      throw new AgentError('model-unknown', `The test has no model ${ref}.`);
    },
    ...ports,
  };
}
